import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { openBoundedOutput } from './kept-output.ts'

/** A pipe holds less; anything beyond was printed meanwhile. */
const MOST_AT_A_LOOK = 1024 * 1024
const AT_A_TIME = 64 * 1024

/** A named pipe in the command's folder. Writers also hold it open for reading, so the keeper's end does not kill them: they wait until a console reads. */
interface OutputPipe {
  readonly writeEnd: number
  /** Keeps the output so far; later output is read and discarded. */
  settle(): void
}

/** Opens a pipe whose content goes into a file of limited size; null if the file system has no pipes. */
export function openOutputPipe(pipe: string, output: string): OutputPipe | null {
  try {
    execFileSync('mkfifo', ['-m', '600', pipe], { stdio: 'ignore' })
    const reader = new Socket({ fd: openSync(pipe, READ_NOW), readable: true, writable: false })
    const kept = openBoundedOutput(output)
    reader.on('data', chunk => kept.write(chunk))
    reader.on('error', () => {})
    return {
      writeEnd: openSync(pipe, constants.O_RDWR),
      settle: () => {
        readAvailable(pipe, output)
        drainUntilClosed(pipe)
        reader.destroy()
        kept.close()
        rmSync(pipe, { force: true })
      },
    }
  } catch {
    rmSync(pipe, { force: true })
    return null
  }
}

const READ_NOW = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Saves the current content of the pipe. Called at each check of a command whose keeper is gone, so that the command does not block forever. */
export function readAvailable(pipe: string, output: string): void {
  if (!existsSync(pipe)) return
  const readEnd = openSync(pipe, READ_NOW)
  const kept = openBoundedOutput(output)
  const bytes = Buffer.alloc(AT_A_TIME)
  try {
    for (let taken = 0; taken < MOST_AT_A_LOOK; ) {
      const read = readNow(readEnd, bytes)
      if (read === 0) return
      kept.write(bytes.subarray(0, read))
      taken += read
    }
  } finally {
    kept.close()
    closeSync(readEnd)
  }
}

/** Also zero bytes if writers exist but have written nothing (EAGAIN). */
function readNow(readEnd: number, bytes: Buffer): number {
  try {
    return readSync(readEnd, bytes)
  } catch {
    return 0
  }
}

/** Children left behind must not block on a full pipe: a process reads until the last of them ends. */
function drainUntilClosed(pipe: string): void {
  // A writer exists while the reader opens, so that opening does not block.
  const [writer, readEnd] = [openSync(pipe, constants.O_RDWR), openSync(pipe, constants.O_RDONLY)]
  try {
    spawn('cat', [], { detached: true, stdio: [readEnd, 'ignore', 'ignore'] })
      .on('error', () => {})
      .unref()
  } finally {
    closeSync(readEnd)
    closeSync(writer)
  }
}
