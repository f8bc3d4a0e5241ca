import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { fileFault, systemCode } from './file-words.ts'
import { textOf } from './text-of.ts'

/** The files an operator names are smaller: credentials, certificates, settings, manifests. */
export const LARGEST_FILE = 1_000_000
/** A file on a network that does not answer is given up after this; the disk of a laptop that wakes up takes less. */
const LIMIT_MS = 5_000
/** At once, given up ones included: each may hang for ever in one of the four threads that everything else of Node waits for too. */
const MOST_AT_ONCE = 2

/** The content of a file that a person, a page or another file named, or why there is none. */
type NamedFile =
  | { readonly kind: 'read'; readonly content: Buffer; readonly mode: number }
  /** There is no such file. */
  | { readonly kind: 'absent' }
  /** It cannot be used; the text of `fault` is a clause, such as `it is not a regular file`. */
  | { readonly kind: 'refused'; readonly fault: Finding }

/**
 * Reads a file by a name that is not ours: a regular one (a link to one is one), of no more than `largest` bytes, without keeping anybody
 * waiting. Its kind is asked of the opened file, not of its path, which may be another a moment later; a pipe or a device is never read.
 */
export async function readNamedFile(path: string, largest: number = LARGEST_FILE): Promise<NamedFile> {
  const read = await inTime(isGivenUp => readRegular(path, largest, isGivenUp))
  return read ?? refusedBy(because('FileSilent', { seconds: LIMIT_MS / 1000 }))
}

/** The text of such a file; a failure names it and says why: `Cannot read /etc/x: it is not a regular file.` */
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

/** What is at a path; `unknown` when that cannot be told in time. To choose among paths only: reading tells what it really is. */
export async function kindAt(path: string): Promise<'regular' | 'other' | 'absent' | 'unknown'> {
  const found = await inTime(() =>
    stat(path).then(
      is => (is.isFile() ? 'regular' : 'other'),
      () => 'absent' as const,
    ),
  )
  return found ?? 'unknown'
}

/** The first of these paths at which something is; null: at none. */
export async function firstThere(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if ((await kindAt(path)) !== 'absent') return path
  return null
}

async function readRegular(path: string, largest: number, isGivenUp: () => boolean): Promise<NamedFile> {
  let file: FileHandle | null = null
  try {
    // Some devices act on being opened, so what is none to be sure of is not; what counts is what was opened.
    if (!(await stat(path)).isFile()) return NOT_REGULAR
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0))
    const { size, mode, ...is } = await file
      .stat()
      .then(each => ({ size: each.size, mode: each.mode, ok: each.isFile() }))
    if (!is.ok) return NOT_REGULAR
    const tooLarge = refusedBy(because('FileTooLarge', { bytes: largest }))
    if (size > largest) return tooLarge
    // It may grow while it is read, or say 0, as those of /proc do.
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

/** Does work with the file system when it is its turn; null when it did not end in time, with the wait for its turn. */
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
