import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { messagesOf } from '../../shared/words/steps/coded.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import { JournalRefused } from '../ports/journal.ts'
import { type ImportRecord, type JournalOperator, storeCareRecord } from './care-records.ts'
import { type ForeignCopy, openVetted, type Vetted } from './copy-foreign.ts'
import { columnsOf } from './database-check.ts'
import { describeDatabaseError } from './database-trouble.ts'
import { newestOf } from './entry-reader.ts'
import { openToRead } from './open-read-only.ts'

export interface ImportedJournal {
  readonly runs: number
  readonly windows: number
  /** Runs and windows that already existed here. */
  readonly known: number
  readonly words: string
}

/** What to import, and who requests it; `copy`: a checked copy by another process. */
interface ImportWish {
  readonly file: string
  readonly by: JournalOperator
  readonly copy?: ForeignCopy
}

/**
 * Imports ended runs and windows of another journal that do not exist here, with edits and observations; times stay, numbers are new, and the chain
 * here covers them. The file is only read, and only if its own chain is intact. All or nothing; a second import finds nothing new.
 */
export function importJournal(
  database: DatabaseSync,
  path: string,
  clock: Clock,
  { file, by, copy }: ImportWish,
): Result<ImportedJournal> {
  const self = itself(path, file)
  if (self !== null) return failed(self)
  const opened = copy === undefined ? openVetted(file) : openCopy(copy)
  if (!opened.ok) return opened
  const { database: other, close, head } = opened.value
  try {
    return ok(takeIn(database, other, clock, { file, by, head }))
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  } finally {
    close()
  }
}

function itself(path: string, file: string): Failure | null {
  const [ours, theirs] = [path, file].map(each => statSync(each, { throwIfNoEntry: false }))
  if (ours === undefined || theirs === undefined || ours.ino !== theirs.ino || ours.dev !== theirs.dev) return null
  return refusal('bad-input', because('ImportOfItself', { file }), { target: file })
}

function openCopy({ path, head }: ForeignCopy): Result<Vetted> {
  try {
    return ok({ ...openToRead(path), head })
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  }
}

function takeIn(
  database: DatabaseSync,
  other: DatabaseSync,
  clock: Clock,
  { file, by, head }: { readonly file: string; readonly by: JournalOperator; readonly head: string | null },
): ImportedJournal {
  const runs = other
    .prepare(
      `SELECT runs.*, CASE WHEN json_valid(last.body) THEN json_extract(last.body, '$.kind') = 'run-finished' ELSE 0 END AS finished
       FROM runs JOIN events AS last ON last.seq = (SELECT MAX(seq) FROM events WHERE run_id = runs.id) ORDER BY runs.rowid`,
    )
    .all()
  const windows = other
    .prepare(
      `SELECT window_id AS id, MAX(json_extract(body, '$.draft.endsAt')) AS ends_at,
         MAX(json_extract(body, '$.kind') IN ('closed', 'cancelled')) AS ended
       FROM window_events WHERE json_valid(body) GROUP BY window_id ORDER BY MIN(seq)`,
    )
    .all()
  database.exec('BEGIN IMMEDIATE')
  try {
    const hasRun = database.prepare('SELECT 1 FROM runs WHERE id = ?')
    const hasWindow = database.prepare('SELECT 1 FROM window_events WHERE window_id = ? LIMIT 1')
    const missingRuns = runs.filter(({ id }) => hasRun.get(String(id)) === undefined)
    const takenRuns = missingRuns.filter(({ finished }) => finished === 1)
    const ofTaken = new Set(takenRuns.map(run => run.window_id))
    const missingWindows = windows.filter(({ id }) => hasWindow.get(String(id)) === undefined)
    const takenWindows = missingWindows.filter(
      window => window.ended === 1 || String(window.ends_at) < isoNow(clock) || ofTaken.has(String(window.id)),
    )
    const insertRun = database.prepare(
      `INSERT INTO runs (id, cluster, node, kind, created_at, machine, pid, boot_id, driver_id, epoch, heartbeat_at, window_id)
       VALUES (:id, :cluster, :node, :kind, :created_at, :machine, :pid, :boot_id, :driver_id, :epoch, :heartbeat_at, :window_id)`,
    )
    for (const { finished: _, ...run } of takenRuns) insertRun.run(run)
    const before = newestOf(database, 'events')
    copyEntries(database, other, {
      runs: new Set(takenRuns.map(({ id }) => String(id))),
      windows: new Set(takenWindows.map(({ id }) => String(id))),
    })
    const noted = copyNoted(database, other)
    const record: ImportRecord = {
      kind: 'import',
      ...by,
      file,
      head,
      runs: takenRuns.map(({ id }) => String(id)),
      events: takenRuns.length === 0 ? null : [before + 1, newestOf(database, 'events')],
      windows: takenWindows.map(({ id }) => String(id)),
    }
    const [amiss] = columnsOf(database, record)
    if (amiss !== undefined) {
      const why = because('ImportDoesNotFit', { file, cause: amiss.message })
      throw new JournalRefused(refusal('damaged', why, { target: file }))
    }
    if (record.runs.length + record.windows.length + noted > 0) storeCareRecord(database, isoNow(clock), record)
    database.exec('COMMIT')
    const left = [
      ...missingRuns.filter(run => !takenRuns.includes(run)).map(({ id }) => `run ${id}`),
      ...missingWindows.filter(window => !takenWindows.includes(window)).map(({ id }) => `window ${id}`),
    ]
    return {
      runs: takenRuns.length,
      windows: takenWindows.length,
      known: runs.length - missingRuns.length + windows.length - missingWindows.length,
      words: wordsFor(file, head, noted, left),
    }
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Events of runs and windows together, in their original order. */
function copyEntries(
  database: DatabaseSync,
  other: DatabaseSync,
  taken: { readonly runs: ReadonlySet<string>; readonly windows: ReadonlySet<string> },
): void {
  const insertEvent = database.prepare('INSERT INTO events (run_id, at, body) VALUES (?, ?, ?)')
  const insertWindow = database.prepare('INSERT INTO window_events (window_id, cluster, at, body) VALUES (?, ?, ?, ?)')
  // Without a claim: it is history here, and no process sends it.
  const insertSignal = database.prepare('INSERT INTO signals (run_id, cluster, at, body) VALUES (?, ?, ?, ?)')
  const rows = other.prepare(
    `SELECT chain.source, COALESCE(events.run_id, window_events.window_id, signals.run_id) AS owner,
       COALESCE(window_events.cluster, signals.cluster) AS cluster,
       COALESCE(events.at, window_events.at, signals.at) AS at, COALESCE(events.body, window_events.body, signals.body) AS body
     FROM chain
     LEFT JOIN events ON chain.source = 'run-event' AND events.seq = chain.source_seq
     LEFT JOIN window_events ON chain.source = 'window-event' AND window_events.seq = chain.source_seq
     LEFT JOIN signals ON chain.source = 'signal' AND signals.seq = chain.source_seq
     WHERE chain.source IN ('run-event', 'window-event', 'signal') ORDER BY chain.seq`,
  )
  for (const { source, owner, cluster, at, body } of rows.iterate()) {
    if (source === 'run-event' && taken.runs.has(String(owner)))
      insertEvent.run(String(owner), String(at), String(body))
    if (source === 'signal' && (taken.runs.has(String(owner)) || taken.windows.has(String(owner))))
      insertSignal.run(String(owner), String(cluster), String(at), String(body))
    if (source === 'window-event' && taken.windows.has(String(owner))) {
      insertWindow.run(String(owner), String(cluster), String(at), String(body))
    }
  }
}

/** Edits by hand and observations that do not exist here exactly; the other journal's own care records concern only that file. */
function copyNoted(database: DatabaseSync, other: DatabaseSync): number {
  let taken = 0
  for (const { table, columns, where } of NOTED) {
    const names = columns.join(', ')
    const insert = database.prepare(
      `INSERT INTO ${table} (${names}) SELECT ${columns.map(name => `:${name}`).join(', ')}
       WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${columns.map(name => `${name} IS :${name}`).join(' AND ')})`,
    )
    for (const row of other.prepare(`SELECT ${names} FROM ${table} ${where} ORDER BY seq`).iterate()) {
      taken += Number(insert.run(row).changes)
    }
  }
  return taken
}

const NOTED = [
  { table: 'edits', columns: ['cluster', 'at', 'node', 'body'], where: "WHERE cluster <> ''" },
  { table: 'observations', columns: ['cluster', 'at', 'update_id', 'body'], where: '' },
] as const

function wordsFor(file: string, head: string | null, noted: number, left: readonly string[]): string {
  return messagesOf([
    because(head === null ? 'ImportWithoutChain' : 'ImportChainHolds', { file }),
    ...(noted === 0 ? [] : [because('ImportNoted', { entries: noted })]),
    ...(left.length === 0 ? [] : [because('ImportLeft', { left })]),
  ])
}
