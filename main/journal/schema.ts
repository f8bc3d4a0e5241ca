import type { DatabaseSync } from 'node:sqlite'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'

/** Marks a SQLite file as a journal of ours: `LKJN` in ASCII (SQLite: PRAGMA application_id). */
export const APPLICATION_ID = 0x4c_4b_4a_4e

/** Each entry brings the schema one version further; entries are never changed once released, only added. */
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
  `,
]

/** The schema version this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** Brings a database to {@link SCHEMA_VERSION}; one from a newer program is refused, not guessed at. */
export function migrateSchema(database: DatabaseSync, path: string): Result<void> {
  if (versionOf(database) === SCHEMA_VERSION) return ok(undefined)
  database.exec('BEGIN IMMEDIATE')
  try {
    const version = versionOf(database)
    if (version > SCHEMA_VERSION) {
      database.exec('ROLLBACK')
      return failed(
        failure(
          'bad-input',
          `The journal ${path} was written by a newer Lockkeeper (schema ${version}, this one knows ${SCHEMA_VERSION}). Update Lockkeeper, or choose another folder with --data-dir. Nothing was changed.`,
          { target: path },
        ),
      )
    }
    for (const sql of MIGRATIONS.slice(version)) database.exec(sql)
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    database.exec('COMMIT')
    return ok(undefined)
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

function versionOf(database: DatabaseSync): number {
  const row = database.prepare('PRAGMA user_version').get()
  return Number(row?.user_version ?? 0)
}
