import type { DatabaseSync } from 'node:sqlite'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { JournalRefused } from '../ports/journal.ts'
import { MIRROR_TABLES } from './mirror-tables.ts'
import { expectedSchema, isOfSomeJournal, SCHEMA_VERSION, schemaVersionOf } from './schema.ts'

const OF_SQLITE: ReadonlySet<string> = new Set([
  'table sqlite_sequence CREATE TABLE sqlite_sequence(name,seq)',
  'table sqlite_stat1 CREATE TABLE sqlite_stat1(tbl,idx,stat)',
  'table sqlite_stat4 CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)',
])

/** A table, index, view or trigger as the file defines it. */
interface Described {
  readonly type: string
  readonly name: string
  readonly sql: string | null
}

/**
 * What a file has that no journal has; null: nothing. Must run before any of its tables is read: a view in place of a table runs its author's
 * query, possibly forever. `any`: even an ordinary table or index of another program counts.
 */
export function foreignObjectIn(database: DatabaseSync, any: 'any' | 'what-runs'): Finding | null {
  const version = schemaVersionOf(database)
  // Only the newer program knows its objects.
  if (version > SCHEMA_VERSION) return null
  const seen = new Set<string>()
  for (const row of database.prepare('SELECT type, name, sql FROM sqlite_schema').iterate()) {
    const found = { type: String(row.type), name: String(row.name), sql: row.sql === null ? null : String(row.sql) }
    const key = `${found.type} ${found.name}`
    if (seen.has(key)) return because('DescribedTwice', { type: found.type, name: found.name })
    seen.add(key)
    const why = isOwn(found) ? null : whyForeign(found, any)
    if (why !== null) return why
  }
  if (any === 'what-runs' || version < SCHEMA_VERSION) return null
  const missing = [...expectedSchema().keys()].find(key => key.startsWith('table ') && !seen.has(key))
  return missing === undefined ? null : because('TableNotThere', { table: missing })
}

function isOwn({ type, name, sql }: Described): boolean {
  if (sql === null) return type === 'index' && name.startsWith('sqlite_autoindex_')
  const key = `${type} ${name}`
  return isOfSomeJournal(key, sql) || MIRROR_TABLES.get(name) === sql || OF_SQLITE.has(`${key} ${sql}`)
}

function whyForeign({ type, name, sql }: Described, any: 'any' | 'what-runs'): Finding | null {
  if (expectedSchema().has(`${type} ${name}`)) return because('NotMadeAsInJournals', { type, name })
  const isPlain = (type === 'table' || type === 'index') && /^CREATE (?:TABLE|INDEX|UNIQUE INDEX) /.test(sql ?? '')
  return any === 'what-runs' && isPlain ? null : because('InNoJournal', { type, name })
}

/** Throws if a journal contains something that SQLite would run in a query: a view, a foreign rule, a Lockkeeper table with another definition. */
export function refuseForeignObjects(database: DatabaseSync, path: string): void {
  const why = foreignObjectIn(database, 'what-runs')
  if (why === null) return
  throw new JournalRefused(
    refusal('damaged', because('JournalMadeOtherwise', { path, why }), { target: path, detail: why.message }),
  )
}
