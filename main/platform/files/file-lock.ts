import { closeSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import { fileFault } from '../files/file-words.ts'

const PATIENCE_MS = 5_000
const SQLITE_BUSY = 5

/** Runs `work` under a lock file, so that two consoles that change a file lose nothing. The lock is SQLite's: the operating system drops it when its holder dies, unlike a file with a process id. */
export function withFileLock<T>(path: string, work: () => Result<T>): Result<T> {
  let lock: DatabaseSync | null = null
  try {
    closeSync(openSync(path, 'a', 0o600))
    // Loaded here because only changes need it, and reading must start fast.
    const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite')
    lock = new Database(path, { timeout: PATIENCE_MS })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    return failed(lockFailure(path, error))
  }
  try {
    return work()
  } finally {
    lock.close()
  }
}

/** Holds a lock file until it is released or this process ends. Fails with `held` if another process still has it after `patienceMs`. The operating system drops the lock when its holder dies. */
export function holdFileLock(path: string, patienceMs: number): Result<{ release(): void }> {
  let lock: DatabaseSync | null = null
  try {
    closeSync(openSync(path, 'a', 0o600))
    const { DatabaseSync: Database } = process.getBuiltinModule('node:sqlite')
    lock = new Database(path, { timeout: patienceMs })
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    return failed(lockFailure(path, error))
  }
  const held = lock
  return ok({ release: () => held.close() })
}

function lockFailure(path: string, error: unknown) {
  const busy = typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === SQLITE_BUSY
  if (busy) {
    const why = because('LockFileHeld', { path, seconds: PATIENCE_MS / 1000 })
    return refusal('held', why, { target: path, retryable: true })
  }
  const sqlite = typeof error === 'object' && error !== null && 'errcode' in error
  return sqlite
    ? refusal('damaged', because('LockFileDamaged', { path }), { target: path })
    : refusal('bad-input', because('LockFileNotOpened', { path, fault: fileFault(error) }), { target: path })
}
