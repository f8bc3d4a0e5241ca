import { z } from 'zod'
import type { Failure } from '../../shared/domain/failure.ts'
import type { ChainHead } from '../../shared/domain/journal-chain.ts'
import { jsonOf } from '../../shared/domain/json.ts'
import { must } from '../../shared/domain/must.ts'
import { nodeOfPlan, type Plan, RunKind } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import {
  type Fence,
  type ProcessOfDriver,
  type RunDriver,
  type RunEvent,
  RunEventBody,
} from '../../shared/domain/run.ts'
import { RunControl } from '../../shared/domain/run-control.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import type { HeadAnchor } from '../ports/head-anchor.ts'
import type { ReportSource } from '../ports/journal.ts'
import { DriverReplaced, JournalRefused, type RunRow } from '../ports/journal.ts'
import { databaseTrouble, describeDatabaseError } from './database-trouble.ts'
import { type EditJournal, editsOver } from './edits.ts'
import { linkReader, newestOf } from './entry-reader.ts'
import { reportSourceOver } from './extract.ts'
import { type AnchoredDatabase, headKeeper, openAnchored, openAnchoredToLook } from './head-anchor.ts'
import { careOver, type JournalCare } from './journal-care.ts'
import { type ObservationJournal, observationsOver } from './observations.ts'
import { type SignalJournal, signalsOver } from './signals.ts'
import { type StretchSource, stretchesOver } from './stretch.ts'
import { type WindowJournal, windowsOver } from './windows.ts'

/** The record of what happened: append-only events of every run (style G21). Several processes may have it open. */
export interface Journal {
  readonly path: string
  /** Why it is read-only; null: it is writable. */
  readonly readOnly: Failure | null
  /** The link of a run's newest event; null: no such run. */
  headOf(runId: string): ChainHead | null
  holds(head: ChainHead): boolean
  /** Creates a run together with its first event; throws {@link JournalRefused}. */
  createRun(runId: string, body: Extract<RunEventBody, { kind: 'run-created' }>): RunEvent
  /**
   * Stores a run that a console handed over, with its reported events and times, and the takeover: all or nothing. The driver of `body` then owns
   * it, but does not drive it yet. Throws {@link JournalRefused}, also if a run with this id exists.
   */
  takeOverRun(
    reported: readonly RunEvent[],
    body: Extract<RunEventBody, { kind: 'run-taken-over' }>,
  ): readonly RunEvent[]
  /** Throws {@link DriverReplaced} if another process drives the run now, {@link JournalRefused} if the journal cannot be written. */
  append(runId: string, body: RunEventBody, fence: Fence): RunEvent
  /** Events of a run in order; `damaged` names the first unreadable one. */
  events(runId: string): Result<readonly RunEvent[]>
  row(runId: string): RunRow | null
  /** Events of all runs after this number that were written here, at most `limit`; an unreadable one is null. */
  eventsAfter(seq: number, limit: number): readonly { readonly seq: number; readonly event: RunEvent | null }[]
  /** A number that changes only when another process writes to the journal; cheap to read. */
  writesOfOthers(): number
  /** The number of the newest event of any run when the journal was opened; 0: none. */
  readonly seqWhenOpened: number
  /** Runs, newest first. */
  rows(filter: RunFilter): Result<readonly ListedRow[]>
  runOfPlan(planId: string): string | null
  /** Runs whose last event is a hand-over, newest first; `lastSeq`: the number of that event. */
  handedOver(): Result<readonly { readonly id: string; readonly lastSeq: number }[]>
  idsBeginningWith(prefix: string): readonly string[]
  heartbeat(runId: string, fence: Fence): void
  claim(runId: string, driver: ProcessOfDriver, seen: RunRow): number | null
  /** Throws {@link JournalRefused}. */
  requestControl(runId: string, control: RunControl): void
  takeControls(runId: string): readonly RunControl[]
  readonly edits: EditJournal
  readonly observations: ObservationJournal
  readonly windows: WindowJournal
  readonly signals: SignalJournal
  readonly report: ReportSource
  readonly stretches: StretchSource
  /** Care of it as a whole: checks, copies, retention. */
  readonly care: JournalCare
  close(): void
}

export interface RunFilter {
  readonly cluster: string | null
  readonly node?: string | undefined
  readonly limit?: number | undefined
}

/** A run of a list; folds of it stay valid while `lastSeq` is the same. */
export interface ListedRow extends RunRow {
  readonly kind: RunKind
  readonly createdAt: string
  readonly lastSeq: number
  /** Whether its last event is its end. */
  readonly finished: boolean
}

/** Opens the journal of a data directory. `anchor`: its head recorded elsewhere; absent: none. */
export function openJournal(options: {
  readonly path: string
  readonly clock: Clock
  readonly anchor?: HeadAnchor
}): Result<Journal> {
  const anchor = options.anchor ?? null
  const opened = openAnchored(options.path, anchor)
  if (!opened.ok) return opened
  try {
    return ok(journalOver(opened.value, options.path, options.clock, anchor))
  } catch (error) {
    // A damaged page may show only when its table is first read.
    opened.value.close()
    return failed(describeDatabaseError(error, options.path))
  }
}

export type LookedAtJournal = Pick<Journal, 'path' | 'rows' | 'events' | 'row' | 'care' | 'close'>

/** Opens the journal of a data directory for inspection, and changes nothing. Null: there never was one. */
export function lookAtJournal(options: {
  readonly path: string
  readonly clock: Clock
  readonly anchor: HeadAnchor
}): Result<LookedAtJournal | null> {
  const { path, clock, anchor } = options
  const opened = openAnchoredToLook(path, anchor)
  if (!opened.ok) return opened
  if (opened.value === null) return ok(null)
  try {
    return ok(journalOver(opened.value, path, clock, anchor))
  } catch (error) {
    opened.value.close()
    return failed(describeDatabaseError(error, path))
  }
}

const DRIVEN = 'id, cluster, node, machine, pid, boot_id, driver_id, epoch, heartbeat_at'

const Row = z.object({
  id: z.string(),
  cluster: z.string(),
  node: z.string(),
  machine: z.string(),
  pid: z.number(),
  boot_id: z.string().nullable(),
  driver_id: z.string(),
  epoch: z.number(),
  heartbeat_at: z.number(),
})
const Listed = Row.extend({ kind: RunKind, created_at: z.string(), last_seq: z.number(), finished: z.number() })

export function journalOver(opened: AnchoredDatabase, path: string, clock: Clock, anchor: HeadAnchor | null): Journal {
  const { database, readOnly, close } = opened
  const links = linkReader(database)
  const heads = headKeeper(opened, anchor, clock)
  heads.keep()
  const insertEvent = database.prepare(
    "INSERT INTO events (run_id, at, body) SELECT id, ?, ? FROM runs WHERE id = ? AND driver_id = ? AND epoch = ? AND driver_id <> '' RETURNING seq",
  )
  const insertRun = database.prepare(
    `INSERT INTO runs (id, cluster, node, kind, created_at, machine, pid, boot_id, driver_id, epoch, heartbeat_at, window_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const selectEvents = database.prepare('SELECT seq, at, body FROM events WHERE run_id = ? ORDER BY seq')
  const selectRow = database.prepare(`SELECT ${DRIVEN} FROM runs WHERE id = ?`)
  // Runs of one journal follow each other in the order of writing, regardless of the clock; imported runs are placed by their times.
  // A future time is wrong: such a run takes the place of the previous or the next one.
  const selectRows = database.prepare(
    `WITH imports AS MATERIALIZED (
       SELECT seq, json_extract(body, '$.events[0]') AS first, json_extract(body, '$.events[1]') AS last FROM edits
       WHERE cluster = '' AND CASE WHEN json_valid(body) THEN json_extract(body, '$.kind') = 'import' END
     ), begun AS (
       SELECT id AS of_run, CASE WHEN created_at <= :now THEN created_at END AS at, (SELECT MIN(seq) FROM events WHERE run_id = runs.id) AS number FROM runs
       WHERE (:cluster IS NULL OR cluster = :cluster) AND (:node IS NULL OR node = :node)
     ), placed AS (
       SELECT of_run, number, at, (SELECT imports.seq FROM imports WHERE number BETWEEN imports.first AND imports.last) AS part FROM begun
     ), since_begun AS (
       SELECT of_run, number, COALESCE(
         MAX(at) OVER (PARTITION BY part ORDER BY number),
         MIN(at) OVER (PARTITION BY part ORDER BY number ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING),
         :now
       ) AS since FROM placed
     )
     SELECT ${DRIVEN}, kind, created_at, last.seq AS last_seq,
       CASE WHEN json_valid(last.body) THEN json_extract(last.body, '$.kind') = 'run-finished' ELSE 0 END AS finished
     FROM since_begun JOIN runs ON id = of_run JOIN events AS last ON last.seq = (SELECT MAX(seq) FROM events WHERE run_id = of_run)
     ORDER BY since DESC, number DESC LIMIT :limit`,
  )
  // For a journal with damaged pages: a run without its events.
  const selectBare = database.prepare(
    `SELECT ${DRIVEN}, kind, created_at, 0 AS last_seq, 0 AS finished FROM runs
     WHERE (:cluster IS NULL OR cluster = :cluster) AND (:node IS NULL OR node = :node)
     ORDER BY MIN(created_at, :now) DESC, runs.rowid DESC LIMIT :limit`,
  )
  const selectLast = database.prepare(
    `SELECT seq AS last_seq, CASE WHEN json_valid(body) THEN json_extract(body, '$.kind') = 'run-finished' ELSE 0 END AS finished
     FROM events WHERE run_id = ? ORDER BY seq DESC LIMIT 1`,
  )
  const nowText = () => new Date(clock.now()).toISOString()
  /** Run by run, so that damage to one does not hide the others. */
  const oneByOne = (filter: {
    readonly cluster: string | null
    readonly node: string | null
    readonly limit: number
  }) => {
    try {
      const rows = selectBare.all({ ...filter, now: nowText() })
      return ok(rows.flatMap(row => listedFrom({ ...row, ...lastOf(String(row.id)) }) ?? []))
    } catch (error) {
      return failed(describeDatabaseError(error, path))
    }
  }
  const lastOf = (runId: string) => {
    try {
      return selectLast.get(runId) ?? {}
    } catch {
      return {}
    }
  }
  const selectVersion = database.prepare('PRAGMA data_version')
  // Imported entries are history, not news.
  const selectAfter = database.prepare(
    `SELECT seq, run_id, at, body FROM events WHERE seq > ? AND NOT EXISTS (
       SELECT 1 FROM edits WHERE cluster = '' AND json_valid(edits.body) AND json_extract(edits.body, '$.kind') = 'import'
         AND events.seq BETWEEN json_extract(edits.body, '$.events[0]') AND json_extract(edits.body, '$.events[1]')
     ) ORDER BY seq LIMIT ?`,
  )
  const selectIds = database.prepare("SELECT id FROM runs WHERE id LIKE ? ESCAPE '\\' LIMIT 20")
  // Reads only the first event of each run.
  const selectOfPlan = database.prepare(
    `SELECT runs.id FROM runs JOIN events AS first ON first.seq = (SELECT MIN(seq) FROM events WHERE run_id = runs.id)
     WHERE CASE WHEN json_valid(first.body) THEN json_extract(first.body, '$.plan.id') END = ? ORDER BY first.seq LIMIT 1`,
  )
  const selectHandedOver = database.prepare(
    `SELECT runs.id, last.seq AS last_seq FROM runs JOIN events AS last ON last.seq = (SELECT MAX(seq) FROM events WHERE run_id = runs.id)
     WHERE CASE WHEN json_valid(last.body) THEN json_extract(last.body, '$.kind') = 'hand-over-announced'
       OR (json_extract(last.body, '$.kind') = 'run-finished' AND json_extract(last.body, '$.outcome') = 'handed-over') END
     ORDER BY last.seq DESC`,
  )
  const beat = database.prepare('UPDATE runs SET heartbeat_at = ? WHERE id = ? AND driver_id = ? AND epoch = ?')
  const claimRow = database.prepare(
    `UPDATE runs SET machine = ?, pid = ?, boot_id = ?, driver_id = ?, epoch = epoch + 1, heartbeat_at = ?
     WHERE id = ? AND driver_id = ? AND epoch = ? AND pid = ? AND machine = ? AND heartbeat_at = ? RETURNING epoch`,
  )
  const insertControl = database.prepare('INSERT INTO controls (run_id, at, body) VALUES (?, ?, ?)')
  const selectWaiting = database.prepare('SELECT 1 FROM controls WHERE run_id = ? AND taken_at IS NULL LIMIT 1')
  const takeWaiting = database.prepare(
    'UPDATE controls SET taken_at = ? WHERE run_id = ? AND taken_at IS NULL RETURNING id, body',
  )

  /** An error of the database becomes a failure an operator can act on. */
  const written = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw new JournalRefused(readOnly ?? describeDatabaseError(error, path))
    }
  }

  const append: Journal['append'] = (runId, body, fence) => appendAt(isoNow(clock), runId, body, fence)
  const appendAt = (at: string, runId: string, body: RunEventBody, fence: Fence): RunEvent => {
    // `all` steps to the end, where SQLite commits; `get` would stop at the first row and hide a full disk.
    const [inserted] = written(() => insertEvent.all(at, JSON.stringify(body), runId, fence.id, fence.epoch))
    if (inserted === undefined) throw new DriverReplaced(runId)
    // Within a transaction it is not written yet.
    if (!database.isTransaction) heads.wrote(body.kind === 'run-finished' || body.kind === 'driver-left')
    return { seq: Number(inserted.seq), runId, at, body }
  }
  const insertOf = (runId: string, at: string, plan: Plan, driver: RunDriver): void => {
    const windowId = plan.window?.kind === 'in' ? plan.window.id : null
    const { machine, pid, bootId = null } = driver
    const { id, epoch } = fenceOf(driver)
    const first = [runId, plan.cluster, nodeOfPlan(plan) ?? '', plan.kind, at]
    insertRun.run(...first, machine, pid, bootId, id, epoch, clock.now(), windowId)
  }
  /** All writes, or none. */
  const atOnce = <T>(write: () => T): T => {
    if (readOnly !== null) throw new JournalRefused(readOnly)
    try {
      database.exec('BEGIN IMMEDIATE')
      const events = write()
      database.exec('COMMIT')
      heads.wrote(true)
      return events
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error instanceof JournalRefused ? error : new JournalRefused(describeDatabaseError(error, path))
    }
  }
  return {
    path,
    readOnly,
    headOf: runId => {
      const last = selectLast.get(runId)?.last_seq
      return last === undefined ? null : links.of('run-event', Number(last))
    },
    holds: ({ seq, hash }) => links.at(seq)?.hash === hash,
    append,
    createRun: (runId, body) =>
      atOnce(() => {
        insertOf(runId, isoNow(clock), body.plan, body.driver)
        return append(runId, body, fenceOf(body.driver))
      }),
    takeOverRun: (reported, body) =>
      atOnce(() => {
        const { runId, at, body: first } = must(reported[0], 'a journal starts with an event')
        if (first.kind !== 'run-created') throw new Error('a handed-over journal must start with run-created')
        insertOf(runId, at, first.plan, body.driver)
        const fence = fenceOf(body.driver)
        return [...reported.map(event => appendAt(event.at, runId, event.body, fence)), append(runId, body, fence)]
      }),
    events: runId => {
      try {
        return parseEvents(runId, selectEvents.all(runId), path)
      } catch (error) {
        return failed(describeDatabaseError(error, path))
      }
    },
    row: runId => rowFrom(selectRow.get(runId)),
    eventsAfter: (seq, limit) =>
      selectAfter.all(seq, limit).map(row => ({ seq: Number(row.seq), event: eventFrom(String(row.run_id), row) })),
    writesOfOthers: () => Number(selectVersion.get()?.data_version),
    seqWhenOpened: newestOf(database, 'events'),
    rows: ({ cluster, node = null, limit = -1 }) => {
      try {
        return ok(selectRows.all({ cluster, node, limit, now: nowText() }).flatMap(row => listedFrom(row) ?? []))
      } catch (error) {
        if (databaseTrouble(error) === 'damaged') return oneByOne({ cluster, node, limit })
        return failed(describeDatabaseError(error, path))
      }
    },
    runOfPlan: planId => {
      const found = selectOfPlan.get(planId)
      return found === undefined ? null : String(found.id)
    },
    handedOver: () => {
      try {
        return ok(selectHandedOver.all().map(row => ({ id: String(row.id), lastSeq: Number(row.last_seq) })))
      } catch (error) {
        return failed(describeDatabaseError(error, path))
      }
    },
    idsBeginningWith: prefix => selectIds.all(`${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`).map(row => String(row.id)),
    heartbeat: (runId, fence) => {
      beat.run(clock.now(), runId, fence.id, fence.epoch)
    },
    claim: (runId, driver, seen) => {
      const now = [driver.machine, driver.pid, driver.bootId, driver.id, clock.now()]
      const was = [seen.driverId, seen.epoch, seen.pid, seen.machine, seen.heartbeatAtMs]
      const [claimed] = written(() => claimRow.all(...now, runId, ...was))
      return claimed === undefined ? null : Number(claimed.epoch)
    },
    requestControl: (runId, control) => {
      written(() => insertControl.run(runId, isoNow(clock), JSON.stringify(control)))
    },
    takeControls: runId => {
      // Called twice a second, nearly always without result: only reading takes no lock from other writers.
      if (selectWaiting.get(runId) === undefined) return []
      return takeWaiting
        .all(isoNow(clock), runId)
        .sort((a, b) => Number(a.id) - Number(b.id))
        .flatMap(row => {
          const parsed = RunControl.safeParse(jsonOf(String(row.body)))
          return parsed.success ? [parsed.data] : []
        })
    },
    edits: editsOver(database, path, clock),
    observations: observationsOver(database, path, clock),
    windows: windowsOver(database, path, clock),
    signals: signalsOver(database, path, clock),
    report: reportSourceOver(database, path),
    stretches: stretchesOver(database, path),
    care: careOver(opened, path, clock, anchor),
    close: () => {
      heads.keep()
      close()
    },
  }
}

function fenceOf({ id = '', epoch = 1 }: RunDriver): Fence {
  return { id, epoch }
}

function rowFrom(row: unknown): RunRow | null {
  const parsed = Row.safeParse(row)
  if (!parsed.success) return null
  return drivenFrom(parsed.data)
}

function listedFrom(row: unknown): ListedRow | null {
  const parsed = Listed.safeParse(row)
  if (!parsed.success) return null
  const { kind, created_at: createdAt, last_seq: lastSeq, finished, ...driven } = parsed.data
  return { ...drivenFrom(driven), kind, createdAt, lastSeq, finished: finished === 1 }
}

function drivenFrom({
  heartbeat_at: heartbeatAtMs,
  boot_id: bootId,
  driver_id: driverId,
  ...rest
}: z.infer<typeof Row>) {
  return { ...rest, bootId, driverId, heartbeatAtMs }
}

function eventFrom(runId: string, row: Record<string, unknown>): RunEvent | null {
  const body = RunEventBody.safeParse(jsonOf(String(row.body)))
  return body.success ? { seq: Number(row.seq), runId, at: String(row.at), body: body.data } : null
}

function parseEvents(
  runId: string,
  rows: readonly Record<string, unknown>[],
  path: string,
): Result<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for (const row of rows) {
    const body = RunEventBody.safeParse(jsonOf(String(row.body)))
    if (!body.success) {
      return failed(
        refusal('damaged', because('RunEventUnreadable', { path, run: runId, seq: Number(row.seq) }), {
          target: `run/${runId}`,
          detail: body.error.issues
            .map(issue => `${issue.path.join('.')}: ${issue.message}`)
            .slice(0, 3)
            .join('; '),
        }),
      )
    }
    events.push({ seq: Number(row.seq), runId, at: String(row.at), body: body.data })
  }
  return ok(events)
}
