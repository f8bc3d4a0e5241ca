import type { DatabaseSync } from 'node:sqlite'
import type { EntrySource, JournalEntry } from '../../shared/domain/journal-chain.ts'
import { must } from '../../shared/domain/must.ts'
import { ENTRY_TABLES } from './entry-tables.ts'

/** Entries of the journal, letter by letter as they are stored. */
interface EntryReader {
  /** Null: it is not there. */
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

/** A row with `seq`, `key`, `at` and `body` as the entry it is. */
export function entryFrom(source: EntrySource, row: Record<string, unknown>): JournalEntry {
  return {
    source,
    sourceSeq: Number(row.seq),
    key: String(row.key),
    at: String(row.at),
    body: String(row.body),
  }
}

/** An entry in an operator's words, such as `run event 12`. */
export function entryWords(source: EntrySource, sourceSeq: number): string {
  return `${WORDS[source]} ${sourceSeq}`
}

const WORDS: Readonly<Record<EntrySource, string>> = {
  'run-event': 'run event',
  'window-event': 'window event',
  edit: 'edit',
  observation: 'observation',
}
