import type { DatabaseSync } from 'node:sqlite'
import { failure } from '../../shared/domain/failure.ts'
import { JournalRefused } from '../ports/journal.ts'
import { MIRROR_TABLES } from './mirror-tables.ts'
import { expectedSchema, isOfSomeJournal, SCHEMA_VERSION, schemaVersionOf } from './schema.ts'

/** What SQLite itself keeps beside the tables, letter by letter. */
const OF_SQLITE: ReadonlySet<string> = new Set([
  'table sqlite_sequence CREATE TABLE sqlite_sequence(name,seq)',
  'table sqlite_stat1 CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'table sqlite_stat4 CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
])

/** A table, index, view or trigger as the file says it. */
interface Described {
  readonly type: string
  readonly name: string
  readonly sql: string | null
}

/**
 * What a file has that no journal has, in words; null: nothing. To be asked before anything is read from its tables: a view in the place of a
 * table runs whatever its author wrote, without an end. `any`: an ordinary table or index of another program is too much already.
 */
export function strangeIn(database: DatabaseSync, any: 'any' | 'what-runs'): string | null {
  const version = schemaVersionOf(database)
  // What a newer program keeps only that one knows.
  if (version > SCHEMA_VERSION) return null
  const seen = new Set<string>()
  for (const row of database.prepare('SELECT type, name, sql FROM sqlite_schema').iterate()) {
    const found = { type: String(row.type), name: String(row.name), sql: row.sql === null ? null : String(row.sql) }
    const key = `${found.type} ${found.name}`
    if (seen.has(key)) return `it describes ${key} twice`
    seen.add(key)
    const why = isOwn(found) ? null : whyStrange(found, any)
    if (why !== null) return why
  }
  if (any === 'what-runs' || version < SCHEMA_VERSION) return null
  const missing = [...expectedSchema().keys()].find(key => key.startsWith('table ') && !seen.has(key))
  return missing === undefined ? null : `its ${missing} is not there`
}

function isOwn({ type, name, sql }: Described): boolean {
  if (sql === null) return type === 'index' && name.startsWith('sqlite_autoindex_')
  const key = `${type} ${name}`
  return isOfSomeJournal(key, sql) || MIRROR_TABLES.get(name) === sql || OF_SQLITE.has(`${key} ${sql}`)
}

function whyStrange({ type, name, sql }: Described, any: 'any' | 'what-runs'): string | null {
  if (expectedSchema().has(`${type} ${name}`)) return `its ${type} ${name} is not made as in a journal`
  const isPlain = (type === 'table' || type === 'index') && /^CREATE (?:TABLE|INDEX|UNIQUE INDEX) /.test(sql ?? '')
  return any === 'what-runs' && isPlain ? null : `it has a ${type} ${name}, which no journal has`
}

/** Throws when a journal has in it what SQLite would run when it is asked: a view, a rule of another hand, a table of ours that is made otherwise. */
export function refuseStrange(database: DatabaseSync, path: string): void {
  const why = strangeIn(database, 'what-runs')
  if (why === null) return
  throw new JournalRefused(
    failure(
      'damaged',
      `The journal ${path} is not made as Lockkeeper makes one: ${why}. Nothing in it was read, and it was left as it is. Put back a copy of it, or choose another folder with --data-dir.`,
      { target: path, detail: why },
    ),
  )
}
