import type { EntrySource } from '../../shared/domain/journal-chain.ts'

/** Where entries of a source are stored, and what their key is, in SQL over the row `entry`. */
export interface EntryTable {
  readonly source: EntrySource
  readonly table: string
  /** What the entry belongs to, as {@link JournalEntry} says it. */
  readonly key: string
  /** One of them, in words. */
  readonly word: string
}

/** Every table whose rows the chain holds; in the order in which older journals were chained. */
export const ENTRY_TABLES: readonly EntryTable[] = [
  { source: 'run-event', table: 'events', key: 'entry.run_id', word: 'event' },
  { source: 'edit', table: 'edits', key: "entry.cluster || '/' || COALESCE(entry.node, '')", word: 'edit' },
  {
    source: 'observation',
    table: 'observations',
    key: "entry.cluster || '/' || entry.update_id",
    word: 'observation',
  },
  { source: 'window-event', table: 'window_events', key: 'entry.window_id', word: 'window event' },
]
