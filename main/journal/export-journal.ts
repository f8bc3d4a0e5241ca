import { chmodSync, closeSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { Failure } from '../../shared/domain/failure.ts'
import { CHAIN_BEGIN } from '../../shared/domain/journal-chain.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { databaseFailureOf, describeDatabaseError } from './database-trouble.ts'
import { linkReader } from './entry-reader.ts'

export interface ExportedJournal {
  readonly path: string
  readonly bytes: number
  readonly runs: number
  readonly head: string
}

/** Copies one state of the journal, even while others write. Never overwrites a file; a killed process leaves at most a `.part` file. */
export function exportJournal(database: DatabaseSync, path: string): Result<ExportedJournal> {
  const part = `${path}.${process.pid}.part`
  try {
    if (isNamed(path)) return failed(isThereAlready(path))
    rmSync(part, { force: true })
    closeSync(openSync(part, 'wx', 0o600))
    vacuumInto(database, part)
    chmodSync(part, 0o600)
    sync(part)
    name(part, path)
    return ok({
      path,
      bytes: statSync(path).size,
      runs: Number(database.prepare('SELECT COUNT(*) AS runs FROM runs').get()?.runs),
      head: linkReader(database).newest()?.hash ?? CHAIN_BEGIN,
    })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return failed(isThereAlready(path))
    return failed(cannotCopy(error, path, database.location() ?? path))
  } finally {
    removeQuietly(part)
    removeQuietly(`${part}-journal`)
  }
}

function isNamed(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** Renames a file unless the name exists (EEXIST), and syncs the folder. */
function name(part: string, path: string): void {
  try {
    linkSync(part, path)
  } catch (error) {
    // A file system without links, such as on a USB stick.
    if (isNamed(path)) throw error
    renameSync(part, path)
  }
  try {
    sync(dirname(path))
  } catch {
    // Not every file system can sync folders; the copy itself is on disk.
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // On a failing disk the file stays; its name shows that it is incomplete.
  }
}

/** Also works for a read-only journal: the copy is another file. */
function vacuumInto(database: DatabaseSync, path: string): void {
  const readOnly = database.prepare('PRAGMA query_only').get()?.query_only === 1
  if (readOnly) database.exec('PRAGMA query_only = OFF')
  try {
    database.prepare('VACUUM INTO ?').run(path)
  } finally {
    if (readOnly) database.exec('PRAGMA query_only = ON')
  }
}

function isThereAlready(path: string): Failure {
  return refusal('conflict', because('CopyThereAlready', { path }), { target: path })
}

function cannotCopy(error: unknown, path: string, source: string): Failure {
  const cause = error instanceof Error ? error.message : String(error)
  const target = { target: path }
  switch (databaseFailureOf(error)) {
    case 'damaged':
    case 'held':
      return describeDatabaseError(error, source)
    case 'full':
      return refusal('server-fault', because('CopyDiskFull', { path }), target)
    case 'failing':
      return refusal('server-fault', because('CopyDiskFails', { path, cause }), target)
    default:
      return refusal('bad-input', because('CopyNotWritten', { path, cause }), target)
  }
}
