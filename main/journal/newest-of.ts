import type { DatabaseSync } from 'node:sqlite'

/** The newest number that a table gave: as SQLite keeps it, so that it is known also when the table's last page is damaged or retention took its rows. */
export function newestOf(database: DatabaseSync, table: 'events' | 'edits' | 'window_events' | 'chain'): number {
  return Number(database.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq ?? 0)
}
