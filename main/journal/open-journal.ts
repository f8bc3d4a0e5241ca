import { accessSync, constants } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { findingIn, refusal } from '../../shared/words/refusal.ts'
import { databaseFailureOf, describeDatabaseError } from './database-trouble.ts'
import { refuseForeignObjects } from './foreign-objects.ts'
import { ownerOf, prepareFile } from './journal-file.ts'
import { cutOff, openForReading, openToLook, type Reading } from './open-read-only.ts'
import { type OtherFile, otherFileAt } from './same-file.ts'
import { APPLICATION_ID, migrateSchema, SCHEMA_VERSION } from './schema.ts'

export interface OpenedDatabase extends Reading {
  readonly readOnly: Failure | null
  /** Why writing stopped: another file is now at its path. */
  readonly otherFile: OtherFile
}

const BUSY_TIMEOUT_MS = 5_000

/** Opens or creates the database and upgrades its schema; repairs nothing. A file that cannot be written opens read-only (docs/decisions/0022). */
export function openDatabase(path: string): Result<OpenedDatabase> {
  let cut: Failure | null
  try {
    prepareFile(path)
    const owner = ownerOf(path)
    if (owner.kind === 'foreign') {
      return failed(refusal('damaged', because(owner.what, { path }), { target: path }))
    }
    cut = owner.kind === 'emptied' ? emptied(path) : cutOff(path)
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  }
  const opened = cut === null ? openForWriting(path) : failed(cut)
  if (opened.ok || opened.failure.code === 'held') return opened
  const reading = openForReading(path)
  if (!reading.ok) return opened
  const { database, close } = reading.value
  return ok({ database, close, readOnly: openForReadingOnly(opened.failure), otherFile: () => null })
}

/** Opens a journal for inspection: creates, upgrades and tightens nothing, in the file or beside it. */
export function openDatabaseToLook(path: string): Result<OpenedDatabase> {
  try {
    const owner = ownerOf(path)
    if (owner.kind === 'foreign') return failed(refusal('damaged', because(owner.what, { path }), { target: path }))
    const cut = owner.kind === 'emptied' ? emptied(path) : cutOff(path)
    if (cut !== null) return failed(cut)
    const { database, close } = openToLook(path)
    return ok({
      database,
      close,
      readOnly: onlyLooked(path),
      otherFile: () => null,
    })
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  }
}

export function onlyLooked(path: string): Failure {
  return refusal('conflict', because('JournalOnlyLookedAt', { path }), { target: path })
}

function openForReadingOnly(why: Failure): Failure {
  const { code, target, detail } = why
  return refusal(code, because('JournalReadOnly', { why: findingIn(why) }), { target, detail, retryable: false })
}

function emptied(path: string): Failure {
  return refusal('damaged', because('JournalEmptied', { path }), { target: path })
}

function openForWriting(path: string): Result<OpenedDatabase> {
  let database: DatabaseSync
  try {
    accessSync(path, constants.W_OK)
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  }
  try {
    refuseForeignObjects(database, path)
    // Before WAL, so that the file itself has it from its first page on.
    if (applicationIdOf(database) !== APPLICATION_ID) database.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    // A fact is on disk when append returns: FULL makes each commit of the write-ahead log durable.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;')
    const otherFile = otherFileAt(path)
    const migrated = migrateSchema(database, path, otherFile)
    if (migrated.ok) {
      mustBeWritable(database)
      return ok({ database, readOnly: null, otherFile, close: () => database.close() })
    }
    database.close()
    return migrated
  } catch (error) {
    database.close()
    return failed(describeDatabaseError(error, path))
  }
}

/** Throws if SQLite silently opened the file read-only: even BEGIN IMMEDIATE then only reads. The test write is rolled back. */
function mustBeWritable(database: DatabaseSync): void {
  database.exec('PRAGMA busy_timeout = 0')
  try {
    database.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${SCHEMA_VERSION}; ROLLBACK`)
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    if (databaseFailureOf(error) !== 'held') throw error
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }
}

function applicationIdOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA application_id').get()?.application_id ?? 0)
}
