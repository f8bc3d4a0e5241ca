import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemCode } from '../platform/files/file-words.ts'
import { makePrivateFolder } from '../platform/files/private-file.ts'
import { databaseFailureOf } from './database-trouble.ts'
import { APPLICATION_ID } from './schema.ts'

/** Creates the journal's file if necessary, readable only by this user; SQLite's files beside it get the same mode. */
export function prepareFile(path: string): void {
  makePrivateFolder(dirname(path))
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
    // By name: to open and close a database that this process may have open would drop its locks (SQLite howtocorrupt 2.2).
    for (const file of [path, `${path}-wal`, `${path}-shm`]) tighten(file)
  }
}

/** The owner of the file at the journal's path, as far as it can be read without changing anything. */
type FileOwner =
  | { readonly kind: 'empty' }
  | { readonly kind: 'ours' }
  /** The journal's file was emptied, and its log still exists: SQLite would delete that. */
  | { readonly kind: 'emptied' }
  /** A database of another program, or no database: `what` says which. */
  | { readonly kind: 'foreign'; readonly what: 'DatabaseOfOther' | 'NoDatabase' | 'LogOfOther' }

/** The owner by the application id in the header (SQLite file format 1.3), read in a copy if a dead process left a log. Changes no file. */
export function ownerOf(path: string): FileOwner {
  const header = headerOf(path)
  if (header.length === 0) {
    if (!isThere(`${path}-wal`)) return { kind: 'empty' }
    return applicationIdIn(path) === APPLICATION_ID ? { kind: 'emptied' } : FOREIGN_LOG
  }
  const own = header.length === HEADER_BYTES && header.subarray(0, 16).equals(MAGIC)
  if (own && header.readUInt32BE(68) === APPLICATION_ID) return { kind: 'ours' }
  if (!isThere(`${path}-wal`) && !isThere(`${path}-journal`)) return own ? FOREIGN : NO_DATABASE
  const recovered = applicationIdIn(path)
  if (recovered === 'empty') return { kind: 'empty' }
  return recovered === APPLICATION_ID ? { kind: 'ours' } : own ? FOREIGN : NO_DATABASE
}

const FOREIGN: FileOwner = { kind: 'foreign', what: 'DatabaseOfOther' }
const NO_DATABASE: FileOwner = { kind: 'foreign', what: 'NoDatabase' }
const FOREIGN_LOG: FileOwner = { kind: 'foreign', what: 'LogOfOther' }

/** The application id after a recovery, in a copy for this process alone: `empty` if nothing was ever committed. */
function applicationIdIn(path: string): number | 'empty' | null {
  const copy = recoverableCopy(path)
  try {
    const database = new DatabaseSync(copy.path)
    try {
      if (database.prepare('PRAGMA page_count').get()?.page_count === 0) return 'empty'
      return Number(database.prepare('PRAGMA application_id').get()?.application_id)
    } finally {
      database.close()
    }
  } catch (error) {
    if (databaseFailureOf(error) === 'damaged') return null
    throw error
  } finally {
    copy.away()
  }
}

/** A copy of a journal with the files beside it, which SQLite may recover; `away` removes it. An emptied file has only its log. */
export function recoverableCopy(path: string): { readonly path: string; away(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'lockkeeper-journal-'))
  const away = () => rmSync(folder, { recursive: true, force: true })
  const copy = join(folder, 'journal.db')
  try {
    if (statSync(path).size === 0 && isThere(`${path}-wal`)) firstPage(copy, logPageSize(`${path}-wal`))
    else copyFileSync(path, copy)
    for (const end of ['-wal', '-journal']) if (isThere(path + end)) copyFileSync(path + end, copy + end)
    return { path: copy, away }
  } catch (error) {
    away()
    throw error
  }
}

function firstPage(path: string, pageSize: number): void {
  const database = new DatabaseSync(path)
  try {
    database.exec(`PRAGMA synchronous = OFF; PRAGMA page_size = ${pageSize}; PRAGMA journal_mode = WAL; VACUUM`)
  } finally {
    database.close()
  }
}

/** SQLite's write-ahead log, section 4.1: the page size in its header, bytes 8 to 11. */
function logPageSize(path: string): number {
  const header = firstBytes(path, 12)
  const size = header.length === 12 ? header.readUInt32BE(8) : 0
  return size >= 512 && size <= 65_536 ? size : 4_096
}

/** The file's length according to its own header, if the file is shorter; null if its length is right. */
export function missingLength(path: string): { readonly size: number; readonly expected: number } | null {
  const header = headerOf(path)
  if (header.length < HEADER_BYTES || header.readUInt32BE(68) !== APPLICATION_ID) return null
  // File format of SQLite 1.3: page size (1 means 65536), the number of pages, both change counters, which agree if the number is valid.
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const expected = pageSize * header.readUInt32BE(28)
  const { size } = statSync(path)
  return header.readUInt32BE(24) !== header.readUInt32BE(92) || size >= expected ? null : { size, expected }
}

const HEADER_BYTES = 100
const MAGIC = Buffer.from('SQLite format 3\0')

function headerOf(path: string): Buffer {
  return firstBytes(path, HEADER_BYTES)
}

function firstBytes(path: string, count: number): Buffer {
  const bytes = Buffer.alloc(count)
  const file = openSync(path, 'r')
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, count, 0))
  } finally {
    closeSync(file)
  }
}

export function isThere(path: string): boolean {
  return existsSync(path) && statSync(path).size > 0
}

function tighten(path: string): void {
  try {
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600)
  } catch {
    // It is gone, or on a file system without modes: no reason to run without a journal.
  }
}
