import { DatabaseSync } from 'node:sqlite'
import { CHAIN_BEGIN } from '../../shared/domain/journal-chain.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { digestOf, hashOf, registerChainFunctions } from './chain-functions.ts'
import { type EntryTable, FIRST_ENTRY_TABLES, SIGNAL_TABLE } from './entry-reader.ts'
import type { OtherFile } from './same-file.ts'

/** Marks a SQLite file as a Lockkeeper journal: `LKJN` in ASCII (SQLite: PRAGMA application_id). */
export const APPLICATION_ID = 0x4c_4b_4a_4e

/** Each entry upgrades the schema by one version; released entries never change, only new ones are added. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    cluster TEXT NOT NULL,
    node TEXT NOT NULL,
    kind TEXT NOT NULL,
    created_at TEXT NOT NULL,
    machine TEXT NOT NULL,
    pid INTEGER NOT NULL,
    heartbeat_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_cluster ON runs (cluster, created_at);
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (id),
    at TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_run ON events (run_id, seq);
  CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
  CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
  CREATE TABLE controls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL REFERENCES runs (id),
    at TEXT NOT NULL,
    body TEXT NOT NULL,
    taken_at TEXT
  ) STRICT;
  CREATE INDEX controls_waiting ON controls (run_id) WHERE taken_at IS NULL;
  `,
  `
  CREATE TABLE edits (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    cluster TEXT NOT NULL,
    node TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX edits_by_cluster ON edits (cluster, seq);
  CREATE TRIGGER edits_are_never_changed BEFORE UPDATE ON edits BEGIN SELECT RAISE(ABORT, 'edits are append-only'); END;
  CREATE TRIGGER edits_are_never_deleted BEFORE DELETE ON edits BEGIN SELECT RAISE(ABORT, 'edits are append-only'); END;
  `,
  `
  CREATE TABLE observations (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    cluster TEXT NOT NULL,
    update_id TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX observations_by_update ON observations (cluster, update_id, seq);
  CREATE INDEX observations_by_time ON observations (cluster, at);
  CREATE TRIGGER observations_are_never_changed BEFORE UPDATE ON observations BEGIN SELECT RAISE(ABORT, 'observations are append-only'); END;
  CREATE TRIGGER observations_are_never_deleted BEFORE DELETE ON observations BEGIN SELECT RAISE(ABORT, 'observations are append-only'); END;
  `,
  `
  CREATE TABLE window_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    window_id TEXT NOT NULL,
    cluster TEXT NOT NULL,
    at TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX window_events_by_window ON window_events (window_id, seq);
  CREATE TRIGGER window_events_are_never_changed BEFORE UPDATE ON window_events BEGIN SELECT RAISE(ABORT, 'window events are append-only'); END;
  CREATE TRIGGER window_events_are_never_deleted BEFORE DELETE ON window_events BEGIN SELECT RAISE(ABORT, 'window events are append-only'); END;
  ALTER TABLE runs ADD COLUMN window_id TEXT;
  CREATE INDEX runs_by_window ON runs (window_id) WHERE window_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS observations_by_time ON observations (cluster, at);
  CREATE TABLE chain (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    source_seq INTEGER NOT NULL,
    digest TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX chain_by_entry ON chain (source, source_seq);
  CREATE TRIGGER chain_is_never_changed BEFORE UPDATE ON chain BEGIN SELECT RAISE(ABORT, 'the chain is append-only'); END;
  CREATE TRIGGER chain_is_never_deleted BEFORE DELETE ON chain BEGIN SELECT RAISE(ABORT, 'the chain is append-only'); END;
  ${FIRST_ENTRY_TABLES.map(chainTrigger).join('')}
  `,
  `
  ALTER TABLE runs ADD COLUMN driver_id TEXT NOT NULL DEFAULT '';
  ALTER TABLE runs ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE runs ADD COLUMN boot_id TEXT;
  `,
  `
  CREATE TABLE signals (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    cluster TEXT NOT NULL,
    at TEXT NOT NULL,
    claim TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX signals_by_run ON signals (run_id, seq);
  CREATE INDEX signals_by_time ON signals (at);
  CREATE UNIQUE INDEX signals_are_claimed_once ON signals (claim) WHERE claim IS NOT NULL;
  CREATE TRIGGER signals_are_never_changed BEFORE UPDATE ON signals BEGIN SELECT RAISE(ABORT, 'signals are append-only'); END;
  CREATE TRIGGER signals_are_never_deleted BEFORE DELETE ON signals BEGIN SELECT RAISE(ABORT, 'signals are append-only'); END;
  ${chainTrigger(SIGNAL_TABLE)}
  `,
]

const CHAINED_SINCE = 4

/** Chains each entry within the statement that writes it. Numbers from sqlite_sequence never return, so a cut end leaves a gap. */
function chainTrigger({ source, table, key }: EntryTable): string {
  return `
  CREATE TRIGGER ${table}_are_chained AFTER INSERT ON ${table} BEGIN
    INSERT INTO chain (seq, source, source_seq, digest, hash)
    SELECT next.seq, '${source}', NEW.seq, entry.digest, chain_hash(next.before, next.seq, entry.digest)
    FROM (
      SELECT MAX(
          COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'chain'), 0),
          COALESCE((SELECT MAX(seq) FROM chain), 0)
        ) + 1 AS seq,
        COALESCE((SELECT hash FROM chain ORDER BY seq DESC LIMIT 1), '${CHAIN_BEGIN}') AS before
    ) AS next,
    (SELECT entry_digest('${source}', NEW.seq, ${key.replaceAll('entry.', 'NEW.')}, NEW.at, NEW.body) AS digest) AS entry;
  END;`
}

function chainWhatIsThere(database: DatabaseSync): void {
  const insert = database.prepare('INSERT INTO chain (seq, source, source_seq, digest, hash) VALUES (?, ?, ?, ?, ?)')
  let [seq, before] = [0, CHAIN_BEGIN]
  for (const { source, table, key } of FIRST_ENTRY_TABLES) {
    const rows = database.prepare(`SELECT seq, ${key} AS key, at, body FROM ${table} AS entry ORDER BY seq`)
    for (const row of rows.iterate()) {
      const sourceSeq = Number(row.seq)
      const digest = digestOf({ source, sourceSeq, key: String(row.key), at: String(row.at), body: String(row.body) })
      seq += 1
      before = hashOf(before, { seq, digest })
      insert.run(seq, source, sourceSeq, digest, before)
    }
  }
}

export const SCHEMA_VERSION = MIGRATIONS.length

/** Upgrades a database to {@link SCHEMA_VERSION} and lets the connection write; refuses a database of a newer program. */
export function migrateSchema(database: DatabaseSync, path: string, otherFile: OtherFile): Result<void> {
  registerChainFunctions(database, otherFile)
  if (schemaVersionOf(database) === SCHEMA_VERSION) return ok(undefined)
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = schemaVersionOf(database)
    if (version > SCHEMA_VERSION) {
      database.exec('ROLLBACK')
      return failed(
        refusal('bad-input', because('JournalOfNewer', { path, version, known: SCHEMA_VERSION }), { target: path }),
      )
    }
    migrateFrom(database, version)
    database.exec('COMMIT')
    return ok(undefined)
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

function migrateFrom(database: DatabaseSync, version: number): void {
  for (const sql of MIGRATIONS.slice(version)) database.exec(sql)
  if (version < CHAINED_SINCE) chainWhatIsThere(database)
  database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
}

export function schemaVersionOf(database: DatabaseSync): number {
  const row = database.prepare('PRAGMA user_version').get()
  return Number(row?.user_version ?? 0)
}

/** A read-only older journal, upgraded in memory; the file stays unchanged. */
export function upgradedInMemory(old: DatabaseSync): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  registerChainFunctions(database)
  const version = schemaVersionOf(old)
  for (const sql of MIGRATIONS.slice(0, version)) database.exec(sql)
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
  database.exec('PRAGMA foreign_keys = OFF; BEGIN')
  for (const { name: table } of tables.all()) {
    const columns = database
      .prepare(`PRAGMA table_info(${String(table)})`)
      .all()
      .map(({ name }) => String(name))
    const insert = database.prepare(
      `INSERT INTO ${String(table)} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    )
    for (const row of old.prepare(`SELECT ${columns.join(', ')} FROM ${String(table)} ORDER BY rowid`).iterate()) {
      insert.run(...columns.map(column => row[column] ?? null))
    }
  }
  database.exec('COMMIT')
  migrateFrom(database, version)
  return database
}

let expected: ReadonlyMap<string, string> | null = null

/** Tables, indexes and rules of a journal of this version, by name, for checks. Built once. */
export function expectedSchema(): ReadonlyMap<string, string> {
  expected ??= madeSchema()
  return expected
}

function madeSchema(): ReadonlyMap<string, string> {
  const database = new DatabaseSync(':memory:')
  try {
    registerChainFunctions(database)
    migrateFrom(database, 0)
    return schemaIn(database)
  } finally {
    database.close()
  }
}

let ever: ReadonlySet<string> | null = null

/** Whether journals of this version or an earlier one have such a table, index or rule with this statement. */
export function isOfSomeJournal(name: string, sql: string): boolean {
  ever ??= everMade()
  return ever.has(`${name} ${sql}`)
}

function everMade(): ReadonlySet<string> {
  const database = new DatabaseSync(':memory:')
  try {
    registerChainFunctions(database)
    return new Set(
      MIGRATIONS.flatMap(step => {
        database.exec(step)
        return [...schemaIn(database)].map(([name, sql]) => `${name} ${sql}`)
      }),
    )
  } finally {
    database.close()
  }
}

export function schemaIn(database: DatabaseSync): ReadonlyMap<string, string> {
  return new Map(
    database
      .prepare(
        "SELECT type || ' ' || name AS name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'",
      )
      .all()
      .map(({ name, sql }) => [String(name), String(sql)]),
  )
}
