import type { DatabaseSync } from 'node:sqlite'
import { ChainLink, type EntrySource, type JournalEntry } from '../../shared/domain/journal-chain.ts'
import { must } from '../../shared/domain/must.ts'

interface EntryReader {
  read(source: EntrySource, sourceSeq: number): JournalEntry | null
}

export function entryReader(database: DatabaseSync): EntryReader {
  const selects = new Map(
    ENTRY_TABLES.map(({ source, table, key }) => [
      source,
      database.prepare(`SELECT seq, ${key} AS key, at, body FROM ${table} AS entry WHERE seq = ?`),
    ]),
  )
  return {
    read: (source, sourceSeq) => {
      const row = must(selects.get(source), 'every source has a table').get(sourceSeq)
      return row === undefined ? null : entryFrom(source, row)
    },
  }
}

export function entryFrom(source: EntrySource, row: Record<string, unknown>): JournalEntry {
  return {
    source,
    sourceSeq: Number(row.seq),
    key: String(row.key),
    at: String(row.at),
    body: String(row.body),
  }
}

interface LinkReader {
  at(seq: number): ChainLink | null
  of(source: EntrySource, sourceSeq: number): ChainLink | null
  between(first: number, last: number): IterableIterator<ChainLink>
  newest(): ChainLink | null
  /** The number that the newest link received, even if it no longer exists. */
  given(): number
}

const COLUMNS = 'seq, source, source_seq AS sourceSeq, digest, hash'

export function linkReader(database: DatabaseSync): LinkReader {
  const at = database.prepare(`SELECT ${COLUMNS} FROM chain WHERE seq = ?`)
  const of = database.prepare(`SELECT ${COLUMNS} FROM chain WHERE source = ? AND source_seq = ?`)
  const between = database.prepare(`SELECT ${COLUMNS} FROM chain WHERE seq BETWEEN ? AND ? ORDER BY seq`)
  const newest = database.prepare(`SELECT ${COLUMNS} FROM chain ORDER BY seq DESC LIMIT 1`)
  return {
    at: seq => linkFrom(at.get(seq)),
    of: (source, sourceSeq) => linkFrom(of.get(source, sourceSeq)),
    *between(first, last) {
      for (const row of between.iterate(first, last)) {
        // An unknown source is damage; it appears as a gap in the chain.
        const link = linkFrom(row)
        if (link !== null) yield link
      }
    },
    newest: () => linkFrom(newest.get()),
    given: () => newestOf(database, 'chain'),
  }
}

function linkFrom(row: unknown): ChainLink | null {
  return ChainLink.safeParse({ ...Object(row) }).data ?? null
}

/** Where entries of a source are stored, with their key as SQL over the row `entry`. */
export interface EntryTable {
  readonly source: EntrySource
  readonly table: string
  /** The entry's subject, as in {@link JournalEntry}. */
  readonly key: string
}

/** The original tables of the chain, in the order in which older journals were chained. */
export const FIRST_ENTRY_TABLES: readonly EntryTable[] = [
  { source: 'run-event', table: 'events', key: 'entry.run_id' },
  { source: 'edit', table: 'edits', key: "entry.cluster || '/' || COALESCE(entry.node, '')" },
  {
    source: 'observation',
    table: 'observations',
    key: "entry.cluster || '/' || entry.update_id",
  },
  { source: 'window-event', table: 'window_events', key: 'entry.window_id' },
]

/** Signals to other systems: they joined the chain later. */
export const SIGNAL_TABLE: EntryTable = { source: 'signal', table: 'signals', key: 'entry.run_id' }

export const ENTRY_TABLES: readonly EntryTable[] = [...FIRST_ENTRY_TABLES, SIGNAL_TABLE]

export function tableOf(source: EntrySource): EntryTable {
  return must(
    ENTRY_TABLES.find(table => table.source === source),
    'every source has a table',
  )
}

/** The highest number that a table has assigned, as SQLite keeps it, even after retention or damage. */
export function newestOf(database: DatabaseSync, table: 'events' | 'edits' | 'window_events' | 'chain'): number {
  return Number(database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq ?? 0)
}
