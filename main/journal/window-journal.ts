import type { DatabaseSync } from 'node:sqlite'
import { jsonOf } from '../../shared/domain/json.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { WindowEvent, WindowEventBody } from '../../shared/domain/window.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import { databaseResult } from './database-trouble.ts'
import { newestOf } from './entry-reader.ts'
import { likePrefix } from './run-reader.ts'

/** Maintenance windows: append-only events; a window is their fold (shared/domain/window.ts). */
export interface WindowJournal {
  /** Appends. `conflict` if the window's last event is not `revision`; null revision: any. */
  record(
    window: { readonly id: string; readonly cluster: string },
    body: WindowEventBody,
    revision: number | null,
  ): Result<WindowEvent>
  events(id: string): Result<readonly WindowEvent[]>
  /** Events of every window of a cluster, or of all (null), in order. Unreadable ones are left out. */
  list(cluster: string | null): Result<readonly WindowEvent[]>
  /** Changes after this number, oldest first, including unreadable events. */
  after(seq: number): readonly WindowChange[]
  /** Agreements to an automatic start after this number, oldest first. */
  agreedAfter(seq: number): readonly Pick<WindowChange, 'seq' | 'id'>[]
  /** The number of the newest event when the journal was opened; 0: none. */
  readonly seqWhenOpened: number
  idsBeginningWith(prefix: string): readonly string[]
  runsOf(id: string): readonly string[]
  windowOf(runId: string): string | null
}

export interface WindowChange {
  readonly seq: number
  readonly id: string
  readonly cluster: string
}

export function windowJournal(database: DatabaseSync, path: string, clock: Clock): WindowJournal {
  // One statement, so that no other process writes between reading the revision and the event.
  const insert = database.prepare(
    `INSERT INTO window_events (window_id, cluster, at, body) SELECT :id, :cluster, :at, :body
     WHERE :revision IS NULL OR :revision = (SELECT MAX(seq) FROM window_events WHERE window_id = :id) RETURNING seq`,
  )
  const selectOf = database.prepare(
    'SELECT seq, window_id, at, body FROM window_events WHERE window_id = ? ORDER BY seq',
  )
  const selectAll = database.prepare(
    'SELECT seq, window_id, at, body FROM window_events WHERE ? IS NULL OR cluster = ? ORDER BY seq',
  )
  const selectAfter = database.prepare('SELECT seq, window_id, cluster FROM window_events WHERE seq > ? ORDER BY seq')
  const selectAgreed = database.prepare(
    `SELECT seq, window_id FROM window_events
     WHERE seq > ? AND CASE WHEN json_valid(body) THEN json_extract(body, '$.kind') = 'start-agreed' ELSE 0 END ORDER BY seq`,
  )
  const selectIds = database.prepare(
    "SELECT DISTINCT window_id FROM window_events WHERE window_id LIKE ? ESCAPE '\\' LIMIT 20",
  )
  const selectRuns = database.prepare(
    'SELECT id FROM runs WHERE window_id = ? ORDER BY (SELECT MIN(seq) FROM events WHERE run_id = runs.id)',
  )
  const selectWindow = database.prepare('SELECT window_id FROM runs WHERE id = ?')
  return {
    record: ({ id, cluster }, body, revision) => {
      const at = isoNow(clock)
      // `all` steps to the end, where SQLite commits; `get` would stop at the first row and hide a full disk.
      const written = databaseResult(path, () => insert.all({ id, cluster, at, body: JSON.stringify(body), revision }))
      if (!written.ok) return written
      const [inserted] = written.value
      if (inserted === undefined) {
        return failed(refusal('conflict', because('WindowChangedMeanwhile'), { target: `window/${id}` }))
      }
      return ok({ seq: Number(inserted.seq), windowId: id, at, body })
    },
    events: id => databaseResult(path, () => selectOf.all(id).flatMap(row => windowEventFrom(row) ?? [])),
    list: cluster =>
      databaseResult(path, () => selectAll.all(cluster, cluster).flatMap(row => windowEventFrom(row) ?? [])),
    after: seq =>
      selectAfter
        .all(seq)
        .map(row => ({ seq: Number(row.seq), id: String(row.window_id), cluster: String(row.cluster) })),
    agreedAfter: seq => selectAgreed.all(seq).map(row => ({ seq: Number(row.seq), id: String(row.window_id) })),
    seqWhenOpened: newestOf(database, 'window_events'),
    idsBeginningWith: prefix => selectIds.all(likePrefix(prefix)).map(row => String(row.window_id)),
    runsOf: id => selectRuns.all(id).map(row => String(row.id)),
    windowOf: runId => {
      const found = selectWindow.get(runId)?.window_id
      return typeof found === 'string' ? found : null
    },
  }
}

export function windowEventFrom({ seq, window_id: windowId, at, body }: Record<string, unknown>): WindowEvent | null {
  const parsed = WindowEventBody.safeParse(jsonOf(String(body)))
  return parsed.success ? (WindowEvent.safeParse({ seq, windowId, at, body: parsed.data }).data ?? null) : null
}
