import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { APPLICATION_ID } from './schema.ts'

/** Sees to it that the journal's file is there and readable by this user only; what SQLite puts beside it takes the same mode. */
export function prepareFile(path: string): void {
  makeFolder(dirname(path))
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    // By name: to open and close a database that this process may have open already would drop its locks (SQLite howtocorrupt 2.2).
    for (const file of [path, `${path}-wal`, `${path}-shm`]) tighten(file)
  }
}

/**
 * Whether the file is a database that some other program made. Read as it lies there (`immutable`), without locks, recovery or files
 * beside it: what is not ours stays as it is, byte for byte. Throws what SQLite says of a file that is no database.
 */
export function isForeignFile(path: string): boolean {
  if (statSync(path).size === 0) return false
  const look = pathToFileURL(path)
  look.searchParams.set('immutable', '1')
  const database = new DatabaseSync(look, { readOnly: true })
  try {
    return database.prepare('PRAGMA application_id').get()?.application_id !== APPLICATION_ID
  } finally {
    database.close()
  }
}

/** One folder after the other: a recursive mkdirSync never ends where no folder can be made, as under /proc (Node 24). */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

function tighten(path: string): void {
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
  } catch {
    // It is gone, or on a file system without modes: no reason to leave runs without a journal.
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
