import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
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

/** The text of one of Lockkeeper's files; null if it does not exist yet. */
export function readPrivateFile(path: string): Result<string | null> {
  let descriptor: number | null = null
  try {
    // Opening a pipe would block the process forever.
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

/** Replaces one of Lockkeeper's files as a whole, readable by this user only. After a crash or on a full disk the file is either the old or the new one. The caller holds the lock; `unlocked` uses a separate temporary file per process. */
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

/** Creates a folder for this user only, and those above it one after another: a recursive mkdirSync never ends where no folder can be created, as under /proc (Node 24). */
export function makePrivateFolder(path: string): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makePrivateFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

/** Removes a useless file; on a failing disk it may stay. */
export function removeFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // Harmless: the next write replaces it.
  }
}

/** If the operator linked the file to another place, the link stays. */
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

/** Makes the rename durable; not every file system can. */
function syncDirectory(path: string): void {
  try {
    const descriptor = openSync(path, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // The file is complete either way; after a power loss it may be the old one.
  }
}
