import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { EntrySource } from '../../shared/domain/journal-chain.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { foldWindow } from '../../shared/domain/window.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import { type JournalOperator, type RetentionRecord, storeCareRecord, stretchesOf } from './care-records.ts'
import { checkChain } from './chain-check.ts'
import { describeDatabaseError } from './database-trouble.ts'
import { ENTRY_TABLES, linkReader, tableOf } from './entry-reader.ts'
import { exportJournal } from './export-journal.ts'
import { windowEventFrom } from './window-journal.ts'

export interface Pruned {
  readonly before: string
  readonly runs: number
  readonly windows: number
  readonly entries: number
  /** The earlier copy of the removed part; null if nothing was removed. */
  readonly archive: string | null
}

/** Removes what ended before a time (docs/decisions/0022), after a verified copy beside the journal. Links of the chain stay. */
export function pruneJournal(
  database: DatabaseSync,
  path: string,
  clock: Clock,
  wish: { readonly before: string; readonly dryRun: boolean; readonly by: JournalOperator },
): Result<Pruned> {
  const { before, dryRun, by } = wish
  try {
    const verdict = checkChain(database)
    if (verdict.kind === 'broken') {
      return failed(refusal('damaged', because('NotPruned', { path, cause: verdict.words }), { target: path }))
    }
    const plan = planRetention(database, before)
    if (dryRun || entriesIn(plan) === 0) return ok(pruned(before, plan, null))
    const archive = join(dirname(path), `journal-${isoNow(clock).replaceAll(/[:.]/g, '-')}.db`)
    const exported = exportJournal(database, archive)
    if (!exported.ok) return exported
    const sound = verified(archive)
    if (!sound.ok) {
      rmSync(archive, { force: true })
      return sound
    }
    const removed = remove(database, before, sound.value, archive, by, isoNow(clock))
    giveBackRoom(database)
    return ok(pruned(before, removed, archive))
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  }
}

function verified(archive: string): Result<number> {
  const copy = new DatabaseSync(archive, { readOnly: true })
  try {
    const verdict = checkChain(copy)
    if (verdict.kind === 'holds') return ok(verdict.links)
    return failed(
      refusal('damaged', because('ArchiveNotVerified', { path: archive, cause: verdict.words }), { target: archive }),
    )
  } finally {
    copy.close()
  }
}

function remove(
  database: DatabaseSync,
  before: string,
  archived: number,
  archive: string,
  { operator, machine }: JournalOperator,
  at: string,
): RetentionPlan {
  database.exec('BEGIN IMMEDIATE')
  try {
    const plan = planRetention(database, before)
    const links = linkReader(database)
    const removed = [...plan.entries].map(([source, seqs]) => {
      const late = seqs.find(seq => (links.of(source, seq)?.seq ?? Number.POSITIVE_INFINITY) > archived)
      if (late !== undefined) throw new Error(`${source} ${late} was written after the copy was made; try again`)
      return { source, ranges: stretchesOf(seqs) }
    })
    const record: RetentionRecord = {
      kind: 'retention',
      operator,
      machine,
      before,
      archive,
      runs: [...plan.runs],
      windows: [...plan.windows],
      removed: removed.filter(({ ranges }) => ranges.length > 0),
    }
    storeCareRecord(database, at, record)
    withoutDeleteRules(database, () => {
      const ofRun = [
        'DELETE FROM controls WHERE run_id = ?',
        'DELETE FROM events WHERE run_id = ?',
        'DELETE FROM runs WHERE id = ?',
      ]
      for (const sql of ofRun) {
        const statement = database.prepare(sql)
        for (const id of plan.runs) statement.run(id)
      }
      for (const source of ['window-event', 'edit', 'observation', 'signal'] as const) {
        const statement = database.prepare(`DELETE FROM ${tableOf(source).table} WHERE seq = ?`)
        for (const seq of plan.entries.get(source) ?? []) statement.run(seq)
      }
    })
    database.exec('COMMIT')
    return plan
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Suspends the rules against deletion within the work's transaction: no other process ever sees the journal without them. */
function withoutDeleteRules(database: DatabaseSync, work: () => void): void {
  const rules = ENTRY_TABLES.flatMap(({ table }) =>
    database
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?")
      .all(`${table}_are_never_deleted`),
  )
  for (const { name } of rules) database.exec(`DROP TRIGGER ${String(name)}`)
  work()
  for (const { sql } of rules) database.exec(String(sql))
}

/** Removed content also leaves the file; while others read or write, its space is reused instead. */
function giveBackRoom(database: DatabaseSync): void {
  try {
    database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Not now: the record and the removal are complete.
  }
}

function pruned(before: string, plan: RetentionPlan, archive: string | null): Pruned {
  return {
    before,
    runs: plan.runs.length,
    windows: plan.windows.length,
    entries: entriesIn(plan),
    archive,
  }
}

interface RetentionPlan {
  readonly runs: readonly string[]
  readonly windows: readonly string[]
  readonly entries: ReadonlyMap<EntrySource, readonly number[]>
}

/** Ended runs and windows, and edits and observations from before everything that stays on their cluster, so that no remaining report loses a line. */
function planRetention(database: DatabaseSync, before: string): RetentionPlan {
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
  const staysOf = new Set(runs.flatMap(({ id }) => (removed.has(id) ? [] : [id])))
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
        // The journal's own care records belong to no cluster and stay.
        database
          .prepare("SELECT seq, cluster, at FROM edits WHERE cluster <> '' ORDER BY seq")
          .all()
          .filter(({ cluster, at }) => String(at) < cutOf(String(cluster)))
          .map(({ seq }) => Number(seq)),
      ],
      ['observation', observationsOf(database, cutOf)],
      [
        'signal',
        // Tests belong to no run. Signals of a missing run are also removed by time.
        database
          .prepare('SELECT seq, run_id, cluster, at FROM signals ORDER BY seq')
          .all()
          .filter(({ run_id: run, cluster, at }) =>
            staysOf.has(String(run))
              ? false
              : removed.has(String(run)) || gone.has(String(run)) || String(at) < cutOf(String(cluster)),
          )
          .map(({ seq }) => Number(seq)),
      ],
    ]),
  }
}

function entriesIn(plan: RetentionPlan): number {
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

/** Windows by their end: the last event, or the planned end if not closed; null if unreadable. */
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

function observationsOf(database: DatabaseSync, cutOf: (cluster: string) => string): readonly number[] {
  const rows = database.prepare('SELECT seq, cluster, update_id, at FROM observations ORDER BY seq').all()
  return [...Map.groupBy(rows, ({ cluster, update_id }) => JSON.stringify([cluster, update_id])).values()]
    .filter(observed => observed.every(({ cluster, at }) => String(at) < cutOf(String(cluster))))
    .flatMap(observed => observed.map(({ seq }) => Number(seq)))
    .sort((a, b) => a - b)
}
