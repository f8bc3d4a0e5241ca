import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { openBoundedOutput } from './kept-output.ts'

/** A pipe holds less: what is more was printed meanwhile. */
const MOST_AT_A_LOOK = 1024 * 1024
const AT_A_TIME = 64 * 1024

/**
 * What a command prints into, and whoever it leaves behind: a pipe with a name in the command's folder. Its writers have it open for reading too, so that nobody of them
 * is ended when its keeper is: they wait until a console reads on.
 */
interface OutputPipe {
  /** The end that the command writes to; to be closed here once the command has it. */
  readonly writeEnd: number
  /** Keeps what was printed until now; what others print from now on is read and not kept. */
  settle(): void
}

/** Opens a pipe whose content goes into a file of bounded size; null where none can be made, as on a file system without pipes. */
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
        readOn(pipe, output)
        leaveToNobody(pipe)
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

/** Whether anybody writes just now or not, it is opened and read without a wait. */
const READ_NOW = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Keeps what is in the pipe now. To be called at each look at a command whose keeper was ended, so that it does not wait for a reader for ever. */
export function readOn(pipe: string, output: string): void {
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

/** Nothing, too, where the writers are there and have nothing to say just now (EAGAIN). */
function readNow(readEnd: number, bytes: Buffer): number {
  try {
    return readSync(readEnd, bytes)
  } catch {
    return 0
  }
}

/** Who was left behind and prints on does not wait for a reader: it is read by a process that ends with the last of them. */
function leaveToNobody(pipe: string): void {
  // A writer is there while it is opened, so that this waits for none.
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
