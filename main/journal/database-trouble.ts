import type { Failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { JournalRefused } from '../ports/journal.ts'

/** An error of SQLite as a failure an operator can act on: file, cause, next step. */
export function describeDatabaseError(error: unknown, path: string): Failure {
  if (error instanceof JournalRefused) return error.failure
  const cause = error instanceof Error ? error.message : String(error)
  const target = { target: path }
  switch (databaseFailureOf(error)) {
    case 'damaged':
      return refusal('damaged', because('JournalDamaged', { path, cause }), target)
    case 'held':
      return refusal('held', because('JournalLocked', { path, cause }), { ...target, retryable: true })
    case 'full':
      return refusal('server-fault', because('JournalDiskFull', { path }), { ...target, retryable: false })
    case 'failing':
      return refusal('server-fault', because('JournalDiskFails', { path, cause }), { ...target, retryable: false })
    case 'not-writable':
      return refusal('bad-input', because('JournalNotWritable', { path, cause }), target)
    case 'other':
      return refusal('bad-input', because('JournalNotUsable', { path, cause }), target)
  }
}

/** What `work` returns, or the failure that its error of SQLite becomes. */
export function databaseResult<T>(path: string, work: () => T): Result<T> {
  try {
    return ok(work())
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  }
}

type DatabaseFailure = 'damaged' | 'held' | 'full' | 'failing' | 'not-writable' | 'other'

export function databaseFailureOf(error: unknown): DatabaseFailure {
  const extended = errorCode(error)
  switch (extended === null ? null : extended & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return 'damaged'
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return 'held'
    case SQLITE_FULL:
      return 'full'
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return 'not-writable'
    case SQLITE_IOERR:
      // The shared memory file cannot grow: the disk is full. A full disk elsewhere is SQLITE_FULL.
      return extended === SQLITE_IOERR_SHMSIZE ? 'full' : 'failing'
    default:
      return SYSTEM_TROUBLE.get(systemCode(error)) ?? 'other'
  }
}

const SQLITE_PERM = 3
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26
const SQLITE_IOERR_SHMSIZE = 4874

const SYSTEM_TROUBLE: ReadonlyMap<string, DatabaseFailure> = new Map([
  ['EACCES', 'not-writable'],
  ['EPERM', 'not-writable'],
  ['EROFS', 'not-writable'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EIO', 'failing'],
])

function errorCode(error: unknown): number | null {
  const code = typeof error === 'object' && error !== null && 'errcode' in error ? error.errcode : null
  return typeof code === 'number' ? code : null
}

function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
