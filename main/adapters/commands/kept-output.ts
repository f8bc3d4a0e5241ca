import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { EARLIER_LINES_LEFT_OUT, LINES_MAY_MISS } from '../../../shared/words/command-output.ts'
import { systemCode } from '../../platform/files/file-words.ts'

const KEPT_OUTPUT_BYTES = 64 * 1024

/** The size at which the output of a running command is cut to its last lines. */
const LARGEST_BYTES = 4 * KEPT_OUTPUT_BYTES

/** Cuts a large output file of a running command to its last lines. If the command writes at that instant, that output may be lost. */
export function boundOutput(path: string, by: 'another' | 'its-writer'): void {
  const file = openIfThere(path, 'r+')
  if (file === null) return
  try {
    if (fstatSync(file).size <= LARGEST_BYTES) return
    const last = lastLines(file)
    ftruncateSync(file, 0)
    const end = openSync(path, 'a', 0o600)
    try {
      writeSync(end, by === 'its-writer' ? last : `${last}${last.endsWith('\n') ? '' : '\n'}${LINES_MAY_MISS}`)
    } finally {
      closeSync(end)
    }
  } finally {
    closeSync(file)
  }
}

interface BoundedOutput {
  write(chunk: Uint8Array): void
  close(): void
}

export function openBoundedOutput(path: string): BoundedOutput {
  const file = openSync(path, 'a', 0o600)
  let sinceLook = 0
  return {
    write: chunk => {
      try {
        sinceLook += writeSync(file, chunk)
        if (sinceLook < KEPT_OUTPUT_BYTES) return
        sinceLook = 0
        boundOutput(path, 'its-writer')
      } catch {
        // A full disk drops output; the command continues.
      }
    },
    close: () => closeSync(file),
  }
}

/** Keeps the redacted last lines of a finished command's output. A repeated call only redacts secrets learned since. */
export function settleOutput(path: string, redact: (text: string) => string): void {
  const file = openIfThere(path, 'r')
  if (file === null) return
  let whole: string
  let isLarge: boolean
  try {
    isLarge = fstatSync(file).size > KEPT_OUTPUT_BYTES
    whole = lastLines(file)
  } finally {
    closeSync(file)
  }
  const clean = redactLines(whole, redact)
  if (clean === whole && !isLarge) return
  const fresh = `${path}.${process.pid}.new`
  const kept = openSync(fresh, 'w', 0o600)
  try {
    writeSync(kept, clean)
    fsyncSync(kept)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  } finally {
    closeSync(kept)
  }
  renameSync(fresh, path)
}

function lastLines(file: number): string {
  const { size } = fstatSync(file)
  const room = KEPT_OUTPUT_BYTES - EARLIER_LINES_LEFT_OUT.length - LINES_MAY_MISS.length
  const from = size <= KEPT_OUTPUT_BYTES ? 0 : size - room
  const bytes = Buffer.alloc(size - from)
  const read = readSync(file, bytes, 0, bytes.length, from)
  const text = bytes.subarray(0, read).toString('utf8')
  if (from === 0) return text
  const line = text.indexOf('\n')
  return `${EARLIER_LINES_LEFT_OUT}${line < 0 ? text : text.slice(line + 1)}`
}

/** The redactor truncates long text, so it gets a few lines at a time; a multi-line key stays in one piece. */
const AT_A_TIME = 8_000
const LONGEST_AT_A_TIME = 15_000

function redactLines(text: string, redact: (text: string) => string): string {
  const pieces: string[] = []
  let piece = ''
  let isWithinKey = false
  const flush = () => {
    if (piece !== '') pieces.push(redact(piece))
    piece = ''
  }
  for (const line of text.split(/(?<=\n)/)) {
    if (/-----BEGIN [^-]*-----/.test(line)) isWithinKey = true
    const limit = isWithinKey ? LONGEST_AT_A_TIME : AT_A_TIME
    if (piece.length + line.length > limit) flush()
    piece += line
    if (/-----END [^-]*-----/.test(line)) isWithinKey = false
  }
  flush()
  return pieces.join('')
}

function openIfThere(path: string, how: 'r' | 'r+'): number | null {
  try {
    return openSync(path, how)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  }
}
