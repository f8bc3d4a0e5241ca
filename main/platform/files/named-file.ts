import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { fileFault, systemCode } from './file-words.ts'
import { textOf } from './text-of.ts'

/** Limit for files that an operator names: credentials, certificates, settings, manifests. */
export const LARGEST_FILE = 1_000_000
/** Time limit for a file on a network that does not answer; the disk of a laptop that wakes up takes less. */
const LIMIT_MS = 5_000
/** Reads at a time, including abandoned ones: each may block one of Node's four threads forever. */
const MOST_AT_ONCE = 2

/** The content of a file that a person, a page or another file named, or why it was not read. */
type NamedFile =
  | { readonly kind: 'read'; readonly content: Buffer; readonly mode: number }
  | { readonly kind: 'absent' }
  /** The file cannot be used; the text of `fault` is a clause, such as `it is not a regular file`. */
  | { readonly kind: 'refused'; readonly fault: Finding }

/** Reads a file that somebody else named: regular (or a link to one), at most `largest` bytes, within a time limit. Checks the opened file, because its path may name another a moment later; never reads a pipe or a device. */
export async function readNamedFile(path: string, largest: number = LARGEST_FILE): Promise<NamedFile> {
  const read = await inTime(isGivenUp => readRegular(path, largest, isGivenUp))
  return read ?? refusedBy(because('FileSilent', { seconds: LIMIT_MS / 1000 }))
}

/** The text of such a file; a failure names the file and the reason: `Cannot read /etc/x: it is not a regular file.` */
export async function readNamedText(path: string, largest?: number): Promise<Result<string>> {
  const file = await readNamedFile(path, largest)
  switch (file.kind) {
    case 'read':
      return ok(textOf(file.content))
    case 'absent':
      return failed(
        refusal('not-found', because('FileNotRead', { path, fault: because('FileAbsent') }), { target: path }),
      )
    case 'refused':
      return failed(refusal('bad-input', because('FileNotRead', { path, fault: file.fault }), { target: path }))
  }
}

/** The kind of file at a path; `unknown` if that takes too long. Only for choosing among paths: reading checks again. */
export async function kindAt(path: string): Promise<'regular' | 'other' | 'absent' | 'unknown'> {
  const found = await inTime(() =>
    stat(path).then(
      is => (is.isFile() ? 'regular' : 'other'),
      () => 'absent' as const,
    ),
  )
  return found ?? 'unknown'
}

export async function firstThere(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if ((await kindAt(path)) !== 'absent') return path
  return null
}

async function readRegular(path: string, largest: number, isGivenUp: () => boolean): Promise<NamedFile> {
  let file: FileHandle | null = null
  try {
    // Opening some devices has effects, so only regular files are opened; then the opened file is checked again.
    if (!(await stat(path)).isFile()) return NOT_REGULAR
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0))
    const { size, mode, ...is } = await file
      .stat()
      .then(each => ({ size: each.size, mode: each.mode, ok: each.isFile() }))
    if (!is.ok) return NOT_REGULAR
    const tooLarge = refusedBy(because('FileTooLarge', { bytes: largest }))
    if (size > largest) return tooLarge
    // The file may grow while it is read, or report size 0, like files in /proc.
    const parts: Buffer[] = []
    for (let bytes = 0; !isGivenUp(); ) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, null)
      if (bytesRead === 0) return { kind: 'read', content: Buffer.concat(parts), mode }
      bytes += bytesRead
      if (bytes > largest) return tooLarge
      parts.push(buffer.subarray(0, bytesRead))
    }
    return NOT_REGULAR
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' }
    return code === 'ENXIO' ? NOT_REGULAR : refusedBy(fileFault(error))
  } finally {
    await file?.close().catch(() => {})
  }
}

function refusedBy(fault: Finding): NamedFile {
  return { kind: 'refused', fault }
}

const NOT_REGULAR = refusedBy(because('FileNotRegular'))

let atWork = 0
const waiting: (() => void)[] = []

/** Runs file system work in its turn; null if it did not end in time, including the wait. */
function inTime<T>(work: (isGivenUp: () => boolean) => Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    let isGivenUp = false
    const limit = setTimeout(() => {
      isGivenUp = true
      resolve(null)
    }, LIMIT_MS)
    const leave = () => {
      clearTimeout(limit)
      atWork -= 1
      waiting.shift()?.()
    }
    const begin = () => {
      atWork += 1
      if (isGivenUp) return leave()
      work(() => isGivenUp)
        .then(resolve, reject)
        .finally(leave)
    }
    if (atWork < MOST_AT_ONCE) begin()
    else waiting.push(begin)
  })
}
