import type { EntrySource } from '../../shared/domain/journal-chain.ts'
import { must } from '../../shared/domain/must.ts'

/** Where entries of a source are stored, and what their key is, in SQL over the row `entry`. */
export interface EntryTable {
  readonly source: EntrySource
  readonly table: string
  /** What the entry belongs to, as {@link JournalEntry} says it. */
  readonly key: string
}

/** Every table whose rows the chain holds; in the order in which older journals were chained. */
export const ENTRY_TABLES: readonly EntryTable[] = [
  { source: 'run-event', table: 'events', key: 'entry.run_id' },
  { source: 'edit', table: 'edits', key: "entry.cluster || '/' || COALESCE(entry.node, '')" },
  {
    source: 'observation',
    table: 'observations',
    key: "entry.cluster || '/' || entry.update_id",
  },
  { source: 'window-event', table: 'window_events', key: 'entry.window_id' },
]

/** The table of a source. */
export function tableOf(source: EntrySource): EntryTable {
  return must(
    ENTRY_TABLES.find(table => table.source === source),
    'every source has a table',
  )
}
