/** The tables that a mirror has besides a journal's, with SQLite's stored statements. */
export const MIRROR_TABLES: ReadonlyMap<string, string> = new Map(
  ['mirror_about', 'mirror_made'].map(table => [
    table,
    `CREATE TABLE ${table} (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL) STRICT`,
  ]),
)
