import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { registerChainFunctions } from './chain-functions.ts'
import { databaseTrouble, describeDatabaseError } from './database-trouble.ts'
import { isThere, missingLength, recoverableCopy } from './journal-file.ts'
import { SCHEMA_VERSION, schemaVersionOf, upgradedInMemory } from './schema.ts'
import { refuseStrange } from './strange-schema.ts'

/** Opens a journal that cannot be written for its history: nothing is written into it or beside it. */
export function openForReading(path: string): Result<Reading> {
  try {
    return ok(upToDate(readingOf(path)))
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  }
}

/** A journal that is only read. */
interface ForeignJournal extends Reading {
  /** The schema of the file; what is read of an older one is as this program would have brought it up. */
  readonly version: number
}

/** Opens any journal to read it and close it again; throws what SQLite says. */
export function openToRead(path: string): ForeignJournal {
  // Without a log nobody has it open, and nothing need be made beside it.
  return upToDate(existsSync(`${path}-wal`) ? readingOf(path) : asItLies(path))
}

/** The same for whoever only looks: a log without the memory that readers share is read in a copy, so that no file is made beside it. */
export function openToLook(path: string): ForeignJournal {
  return hasLog(path) && !existsSync(`${path}-shm`) ? upToDate(copied(path)) : openToRead(path)
}

function upToDate(opened: Reading): ForeignJournal {
  let reading = opened
  try {
    const version = schemaVersionOf(reading.database)
    if (version < 1) throw new Error('it holds no journal yet')
    if (version < SCHEMA_VERSION) reading = inMemory(reading)
    registerChainFunctions(reading.database)
    reading.database.exec('PRAGMA query_only = ON')
    return { ...reading, version }
  } catch (error) {
    reading.close()
    throw error
  }
}

/** A connection to read over, and how to leave nothing behind of it. */
export interface Reading {
  readonly database: DatabaseSync
  close(): void
}

/**
 * Each way that SQLite has to read a file, one after the other. Where the file may not be written, nothing may be made beside it either: a
 * log made by a reader would lock out who owns the journal.
 */
function readingOf(path: string): Reading {
  const asItIs = () => looked(new DatabaseSync(path, { readOnly: true, timeout: 5_000 }), path)
  // A process that died while it made one left it here, too.
  const logged = hasLog(path)
  // SQLite throws the log of an empty file away.
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

/** Without locks, recovery or files beside it. */
function asItLies(path: string): Reading {
  const immutable = pathToFileURL(path)
  immutable.searchParams.set('immutable', '1')
  return looked(new DatabaseSync(immutable, { readOnly: true }), path)
}

/** SQLite looks into a file only when it is asked for something. */
function looked(database: DatabaseSync, path: string): Reading {
  try {
    // SQLite refuses a file that is cut off, unless it is told that damage is known (btree.c, lockBtree); nothing can be written anyhow.
    database.enableDefensive(false)
    database.exec('PRAGMA writable_schema = ON')
    refuseStrange(database, path)
    return { database, close: () => database.close() }
  } catch (error) {
    database.close()
    throw error
  }
}

/** A copy for this process alone, with what its log holds: gone when it is closed. */
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

/**
 * Why a file that is shorter than its own header says must not be written to; null: nothing is missing. A checkpoint that was cut in half leaves such
 * a file too: what is missing there is in the log, and nothing is lost. Throws what SQLite says when it cannot be told.
 */
export function cutOff(path: string): Failure | null {
  const missing = missingLength(path)
  if (missing === null || (hasLog(path) && isWhole(path))) return null
  const { size, expected } = missing
  return refusal('damaged', because('JournalCutOff', { path, size, expected }), { target: path })
}

/** A write-ahead log, or before there is one, in the making of a journal, SQLite's rollback journal. */
function hasLog(path: string): boolean {
  return isThere(`${path}-wal`) || isThere(`${path}-journal`)
}

/** Whether file and log together hold every page, as SQLite reads them while others write. */
function isWhole(path: string): boolean {
  try {
    const reading = readingOf(path)
    try {
      return reading.database.prepare('PRAGMA quick_check(1)').get()?.quick_check === 'ok'
    } finally {
      reading.close()
    }
  } catch (error) {
    if (databaseTrouble(error) === 'damaged') return false
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
