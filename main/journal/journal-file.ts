import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { type Failure, failure } from '../../shared/domain/failure.ts'
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

/** Why a file that is shorter than its own header says must not be written to; null: it is whole, as far as its length tells. */
export function cutOff(path: string): Failure | null {
  const wal = `${path}-wal`
  // With a log beside it the file may be behind its header: what is missing is in the log.
  if (existsSync(wal) && statSync(wal).size > 0) return null
  const header = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    if (readSync(file, header) < header.length || header.readUInt32BE(68) !== APPLICATION_ID) return null
  } finally {
    closeSync(file)
  }
  // File format of SQLite 1.3: page size (1 stands for 65536), the count of pages, both change counters, which agree when the count is valid, and whose file it is.
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const expected = pageSize * header.readUInt32BE(28)
  const { size } = statSync(path)
  if (header.readUInt32BE(24) !== header.readUInt32BE(92) || size >= expected) return null
  return failure(
    'damaged',
    `The journal ${path} is cut off: ${size} of ${expected} bytes are there. It was left as it is. Put back a copy of it, or move it away to start a new one and keep it for its history.`,
    { target: path },
  )
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
