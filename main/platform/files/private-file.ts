import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { fileFault, systemCode } from '../files/file-words.ts'

/** The text of a file of ours; null when there is none yet. */
export function readPrivateFile(path: string): Result<string | null> {
  let descriptor: number | null = null
  try {
    // A pipe in its place would hold the whole process for ever.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!fstatSync(descriptor).isFile()) {
      return failed(refusal('bad-input', because('OwnFileNotRegular', { path }), { target: path }))
    }
    return ok(readFileSync(descriptor, 'utf8'))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ok(null)
    return failed(refusal('bad-input', because('FileNotRead', { path, fault: fileFault(error) }), { target: path }))
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

/**
 * Replaces a file of ours as a whole, readable by this user only: at any instant, also through a crash or a full disk, the file is
 * either the old one or the new one. The caller holds the lock; where there is none, `unlocked` keeps two processes out of each other's half.
 */
export function writePrivateFile(path: string, text: string, by?: 'unlocked'): Result<void> {
  let fresh: string | null = null
  try {
    const target = realTarget(path)
    fresh = by === 'unlocked' ? `${target}.${process.pid}.new` : `${target}.new`
    const descriptor = openSync(fresh, 'w', 0o600)
    try {
      fchmodSync(descriptor, 0o600)
      writeAll(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(fresh, target)
    syncDirectory(dirname(target))
    return ok(undefined)
  } catch (error) {
    if (fresh !== null) removeFile(fresh)
    return failed(
      refusal('bad-input', because('OwnFileNotWritten', { path, fault: fileFault(error) }), { target: path }),
    )
  }
}

/** Takes away a file of ours that is of no use; on a disk that fails it may stay. */
export function removeFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // It harms nobody, and the next write takes its place.
  }
}

/** Some keep their files elsewhere and link them: the link stays. */
function realTarget(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
}

/** Makes the rename itself last; not every file system can. */
function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // The file is whole either way; only after a power loss it may be the old one.
  }
}
