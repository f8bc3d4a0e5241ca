import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { registerChainFunctions } from './chain-functions.ts'
import { databaseFailureOf, describeDatabaseError } from './database-trouble.ts'
import { refuseForeignObjects } from './foreign-objects.ts'
import { isThere, missingLength, recoverableCopy } from './journal-file.ts'
import { SCHEMA_VERSION, schemaVersionOf, upgradedInMemory } from './schema.ts'

export function openForReading(path: string): Result<Reading> {
  try {
    return ok(upToDate(readingOf(path)))
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  }
}

interface ForeignJournal extends Reading {
  /** The schema of the file; an older one is read as if this program had upgraded it. */
  readonly version: number
}

/** Opens any journal to read and close it again; throws errors of SQLite. */
export function openToRead(path: string): ForeignJournal {
  // Without a log no process has it open, and no file is needed beside it.
  return upToDate(existsSync(`${path}-wal`) ? readingOf(path) : asItLies(path))
}

/** The same for inspection: a log without the readers' shared memory is read in a copy, so that no file is created beside it. */
export function openToLook(path: string): ForeignJournal {
  return hasLog(path) && !existsSync(`${path}-shm`) ? upToDate(copied(path)) : openToRead(path)
}

function upToDate(opened: Reading): ForeignJournal {
  let reading = opened
  try {
    const version = schemaVersionOf(reading.database)
    if (version < 1) throw new Error('it contains no journal yet')
    if (version < SCHEMA_VERSION) reading = inMemory(reading)
    registerChainFunctions(reading.database)
    reading.database.exec('PRAGMA query_only = ON')
    return { ...reading, version }
  } catch (error) {
    reading.close()
    throw error
  }
}

export interface Reading {
  readonly database: DatabaseSync
  close(): void
}

/** SQLite's ways to read a file. Where it is not writable, no file may appear beside it: a reader's log would lock out the owner. */
function readingOf(path: string): Reading {
  const asItIs = () => looked(new DatabaseSync(path, { readOnly: true, timeout: 5_000 }), path)
  // A dead process that was creating one may have left it here.
  const logged = hasLog(path)
  // SQLite discards the log of an empty file.
  if (logged && statSync(path).size === 0) return copied(path)
  const used = isWritable(path) || (logged && existsSync(`${path}-shm`))
  const ways = [...(used ? [asItIs] : []), logged ? () => copied(path) : () => asItLies(path)]
  let trouble: unknown = null
  for (const way of ways) {
    try {
      return way()
    } catch (error) {
      trouble ??= error
    }
  }
  throw trouble
}

function asItLies(path: string): Reading {
  const immutable = pathToFileURL(path)
  immutable.searchParams.set('immutable', '1')
  return looked(new DatabaseSync(immutable, { readOnly: true }), path)
}

/** SQLite reads a file only at the first query. */
function looked(database: DatabaseSync, path: string): Reading {
  try {
    // SQLite refuses a truncated file unless damage is declared as known (btree.c, lockBtree); writing is impossible anyway.
    database.enableDefensive(false)
    database.exec('PRAGMA writable_schema = ON')
    refuseForeignObjects(database, path)
    return { database, close: () => database.close() }
  } catch (error) {
    database.close()
    throw error
  }
}

function copied(path: string): Reading {
  const copy = recoverableCopy(path)
  try {
    const { database, close } = looked(new DatabaseSync(copy.path), path)
    return {
      database,
      close: () => {
        close()
        copy.away()
      },
    }
  } catch (error) {
    copy.away()
    throw error
  }
}

/** Why a file that is shorter than its header says must not be written; null if it is complete, or an interrupted checkpoint left the rest in the log. */
export function cutOff(path: string): Failure | null {
  const missing = missingLength(path)
  if (missing === null || (hasLog(path) && isWhole(path))) return null
  const { size, expected } = missing
  return refusal('damaged', because('JournalCutOff', { path, size, expected }), { target: path })
}

/** A write-ahead log or, in a new journal, SQLite's rollback journal. */
function hasLog(path: string): boolean {
  return isThere(`${path}-wal`) || isThere(`${path}-journal`)
}

/** Whether file and log together contain every page, as SQLite reads them while others write. */
function isWhole(path: string): boolean {
  try {
    const reading = readingOf(path)
    try {
      return reading.database.prepare('PRAGMA quick_check(1)').get()?.quick_check === 'ok'
    } finally {
      reading.close()
    }
  } catch (error) {
    if (databaseFailureOf(error) === 'damaged') return false
    throw error
  }
}

function inMemory(old: Reading): Reading {
  const database = upgradedInMemory(old.database)
  old.close()
  return { database, close: () => database.close() }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
