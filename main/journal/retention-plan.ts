import type { DatabaseSync } from 'node:sqlite'
import type { EntrySource } from '../../shared/domain/journal-chain.ts'
import { foldWindow } from '../../shared/domain/window.ts'
import { windowEventFrom } from './windows.ts'

/** What retention takes away. */
export interface RetentionPlan {
  readonly runs: readonly string[]
  readonly windows: readonly string[]
  /** Numbers in their own tables, ascending. */
  readonly entries: ReadonlyMap<EntrySource, readonly number[]>
}

/**
 * What ended before a time: runs that are over, windows that are over with all their runs, and what was noted by hand or observed before
 * anything that stays on its cluster began, so that no report of what stays loses a line. A run of a window goes with its window.
 */
export function planRetention(database: DatabaseSync, before: string): RetentionPlan {
  const runs = runsOf(database)
  const endedRuns = new Set(runs.flatMap(({ id, endedAt }) => (endedAt !== null && endedAt < before ? [id] : [])))
  const windows = windowsOf(database)
  const removedWindows = windows.filter(
    ({ id, endedAt }) =>
      endedAt !== null &&
      endedAt < before &&
      runs.every(({ windowId, id: runId }) => windowId !== id || endedRuns.has(runId)),
  )
  const gone = new Set(removedWindows.map(({ id }) => id))
  const known = new Set(windows.map(({ id }) => id))
  const removedRuns = runs.filter(
    ({ id, windowId }) => endedRuns.has(id) && (windowId === null || gone.has(windowId) || !known.has(windowId)),
  )
  const removed = new Set(removedRuns.map(({ id }) => id))
  const staying = [...runs.filter(({ id }) => !removed.has(id)), ...windows.filter(({ id }) => !gone.has(id))]
  const cutOf = (cluster: string) =>
    staying.reduce((cut, kept) => (kept.cluster === cluster && kept.beganAt < cut ? kept.beganAt : cut), before)

  return {
    runs: [...removed],
    windows: [...gone],
    entries: new Map<EntrySource, readonly number[]>([
      ['run-event', numbers(database, 'SELECT seq, run_id AS owner FROM events ORDER BY seq', removed)],
      ['window-event', numbers(database, 'SELECT seq, window_id AS owner FROM window_events ORDER BY seq', gone)],
      [
        'edit',
        // The journal's own records of care are of no cluster, and stay.
        database
          .prepare("SELECT seq, cluster, at FROM edits WHERE cluster <> '' ORDER BY seq")
          .all()
          .filter(({ cluster, at }) => String(at) < cutOf(String(cluster)))
          .map(({ seq }) => Number(seq)),
      ],
      ['observation', observationsOf(database, cutOf)],
    ]),
  }
}

/** How many entries that is. */
export function entriesIn(plan: RetentionPlan): number {
  return [...plan.entries.values()].reduce((sum, seqs) => sum + seqs.length, 0)
}

function runsOf(database: DatabaseSync) {
  return database
    .prepare(
      `SELECT runs.id, cluster, window_id, created_at, last.at AS last_at,
         CASE WHEN json_valid(last.body) THEN json_extract(last.body, '$.kind') = 'run-finished' ELSE 0 END AS finished
       FROM runs JOIN events AS last ON last.seq = (SELECT MAX(seq) FROM events WHERE run_id = runs.id)`,
    )
    .all()
    .map(row => ({
      id: String(row.id),
      cluster: String(row.cluster),
      windowId: row.window_id === null ? null : String(row.window_id),
      beganAt: String(row.created_at),
      endedAt: row.finished === 1 ? String(row.last_at) : null,
    }))
}

/** Windows by when they ended: the last word on them, or their end when nobody closed them; null: they cannot be read. */
function windowsOf(database: DatabaseSync) {
  const rows = database.prepare('SELECT seq, window_id, cluster, at, body FROM window_events ORDER BY seq').all()
  return [...Map.groupBy(rows, row => String(row.window_id))].map(([id, events]) => {
    const window = foldWindow(events.flatMap(row => windowEventFrom(row) ?? []))
    const lastAt = String(events.at(-1)?.at)
    const cancelled = window?.cancelled !== null
    return {
      id,
      cluster: String(events[0]?.cluster),
      beganAt: [window?.startsAt ?? '', String(events[0]?.at)].reduce((a, b) => (a < b ? a : b)),
      endedAt: window === null ? null : cancelled || window.endsAt < lastAt ? lastAt : window.endsAt,
    }
  })
}

function numbers(database: DatabaseSync, sql: string, owners: ReadonlySet<string>): readonly number[] {
  return database
    .prepare(sql)
    .all()
    .flatMap(({ seq, owner }) => (owners.has(String(owner)) ? [Number(seq)] : []))
}

/** Of an update all that was observed, or nothing. */
function observationsOf(database: DatabaseSync, cutOf: (cluster: string) => string): readonly number[] {
  const rows = database.prepare('SELECT seq, cluster, update_id, at FROM observations ORDER BY seq').all()
  return [...Map.groupBy(rows, ({ cluster, update_id }) => JSON.stringify([cluster, update_id])).values()]
    .filter(observed => observed.every(({ cluster, at }) => String(at) < cutOf(String(cluster))))
    .flatMap(observed => observed.map(({ seq }) => Number(seq)))
    .sort((a, b) => a - b)
}
