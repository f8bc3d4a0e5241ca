import { DatabaseSync } from 'node:sqlite'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { isForeignFile, prepareFile } from './journal-file.ts'
import { APPLICATION_ID, migrateSchema } from './schema.ts'

/** Opens (or makes) the database file and brings its schema up to date. Never deletes, overwrites or repairs anything by itself. */
export function openDatabase(path: string): Result<DatabaseSync> {
  let database: DatabaseSync
  try {
    prepareFile(path)
    if (isForeignFile(path)) {
      return failed(
        failure(
          'damaged',
          `${path} is a database of another program, not a journal of Lockkeeper. It was left as it is: move it away, or choose another folder with --data-dir.`,
          { target: path },
        ),
      )
    }
    database = new DatabaseSync(path, { timeout: 5_000 })
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  }
  try {
    // Before WAL, so that it stands in the file itself from its first page on.
    if (applicationIdOf(database) !== APPLICATION_ID) database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    // A fact is on disk when append returns: FULL makes each commit of the write-ahead log durable.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;')
    const migrated = migrateSchema(database, path)
    if (!migrated.ok) {
      database.close()
      return migrated
    }
    return ok(database)
  } catch (error) {
    database.close()
    return failed(describeDatabaseError(error, path))
  }
}

function applicationIdOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA application_id').get()?.application_id ?? 0)
}

/** What SQLite says, as something an operator can act on: file, cause, next step. */
export function describeDatabaseError(error: unknown, path: string): Failure {
  const code = errorCode(error)
  const text = error instanceof Error ? error.message : String(error)
  const damaged = code === SQLITE_CORRUPT || code === SQLITE_NOTADB
  if (damaged) {
    return failure(
      'damaged',
      `The journal ${path} is damaged or not a journal (${text}). It was left as it is: move it away to start a new one, and keep it for its history.`,
      { target: path },
    )
  }
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED) {
    return failure(
      'held',
      `The journal ${path} is locked by another process (${text}). Close the other Lockkeeper, then try again.`,
      { target: path, retryable: true },
    )
  }
  if (code === SQLITE_FULL) {
    return failure(
      'server-fault',
      `The disk of the journal ${path} is full. Make room, then try again; nothing that was written is lost.`,
      { target: path, retryable: false },
    )
  }
  if (code === SQLITE_READONLY || code === SQLITE_CANTOPEN) {
    return failure(
      'bad-input',
      `The journal ${path} cannot be written (${text}). Check the owner and mode of the file and its folder, or choose another with --data-dir.`,
      { target: path },
    )
  }
  return failure(
    'bad-input',
    `The journal ${path} cannot be opened: ${text}. Check the folder, or choose another with --data-dir.`,
    { target: path },
  )
}

const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
const SQLITE_READONLY = 8
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26

/** The primary SQLite result code of an error of node:sqlite, if it is one. */
function errorCode(error: unknown): number | null {
  const code = typeof error === 'object' && error !== null && 'errcode' in error ? error.errcode : null
  return typeof code === 'number' ? code & 0xff : null
}
