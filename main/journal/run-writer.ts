import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Failure } from '../../shared/domain/failure.ts'
import { jsonOf } from '../../shared/domain/json.ts'
import { must } from '../../shared/domain/must.ts'
import { nodeOfPlan, type Plan } from '../../shared/domain/plan.ts'
import type { Fence, ProcessOfDriver, RunDriver, RunEvent, RunEventBody } from '../../shared/domain/run.ts'
import { RunControl } from '../../shared/domain/run-control.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import { DriverReplaced, JournalRefused, type RunRow } from '../ports/journal.ts'
import { describeDatabaseError } from './database-trouble.ts'
import type { HeadKeeper } from './head-anchor.ts'

/** Writes runs and their events into a journal, and the requests of operators to the driver of a run. */
export interface RunWriter {
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
  heartbeat(runId: string, fence: Fence): void
  claim(runId: string, driver: ProcessOfDriver, seen: RunRow): number | null
  /** Throws {@link JournalRefused}. */
  requestControl(runId: string, control: RunControl): void
  takeControls(runId: string): readonly RunControl[]
}

interface Writing {
  readonly database: DatabaseSync
  readonly path: string
  readonly clock: Clock
  /** Why the journal is read-only; null: it is writable. */
  readonly readOnly: Failure | null
  readonly heads: HeadKeeper
  readonly insertEvent: StatementSync
  readonly insertRun: StatementSync
}

export function runWriter(journal: Omit<Writing, 'insertEvent' | 'insertRun'>): RunWriter {
  const { database, clock } = journal
  const writing: Writing = {
    ...journal,
    insertEvent: database.prepare(
      "INSERT INTO events (run_id, at, body) SELECT id, ?, ? FROM runs WHERE id = ? AND driver_id = ? AND epoch = ? AND driver_id <> '' RETURNING seq",
    ),
    insertRun: database.prepare(
      `INSERT INTO runs (id, cluster, node, kind, created_at, machine, pid, boot_id, driver_id, epoch, heartbeat_at, window_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
  }
  const beat = database.prepare('UPDATE runs SET heartbeat_at = ? WHERE id = ? AND driver_id = ? AND epoch = ?')
  const claimRow = database.prepare(
    `UPDATE runs SET machine = ?, pid = ?, boot_id = ?, driver_id = ?, epoch = epoch + 1, heartbeat_at = ?
     WHERE id = ? AND driver_id = ? AND epoch = ? AND pid = ? AND machine = ? AND heartbeat_at = ? RETURNING epoch`,
  )
  const insertControl = database.prepare('INSERT INTO controls (run_id, at, body) VALUES (?, ?, ?)')
  const controlWaits = database.prepare('SELECT 1 FROM controls WHERE run_id = ? AND taken_at IS NULL LIMIT 1')
  const takeWaiting = database.prepare(
    'UPDATE controls SET taken_at = ? WHERE run_id = ? AND taken_at IS NULL RETURNING id, body',
  )
  return {
    append: (runId, body, fence) => appendAt(writing, isoNow(clock), runId, body, fence),
    createRun: (runId, body) =>
      inTransaction(writing, () => {
        insertRunRow(writing, runId, isoNow(clock), body.plan, body.driver)
        return appendAt(writing, isoNow(clock), runId, body, fenceOf(body.driver))
      }),
    takeOverRun: (reported, body) => inTransaction(writing, () => storeHandedOver(writing, reported, body)),
    heartbeat: (runId, fence) => {
      beat.run(clock.now(), runId, fence.id, fence.epoch)
    },
    claim: (runId, driver, seen) => {
      const now = [driver.machine, driver.pid, driver.bootId, driver.id, clock.now()]
      const was = [seen.driverId, seen.epoch, seen.pid, seen.machine, seen.heartbeatAtMs]
      const [claimed] = orRefused(writing, () => claimRow.all(...now, runId, ...was))
      return claimed === undefined ? null : Number(claimed.epoch)
    },
    requestControl: (runId, control) => {
      orRefused(writing, () => insertControl.run(runId, isoNow(clock), JSON.stringify(control)))
    },
    takeControls: runId => {
      // Called twice a second, nearly always without result: only reading takes no lock from other writers.
      if (controlWaits.get(runId) === undefined) return []
      return takeWaiting
        .all(isoNow(clock), runId)
        .sort((a, b) => Number(a.id) - Number(b.id))
        .flatMap(row => RunControl.safeParse(jsonOf(String(row.body))).data ?? [])
    },
  }
}

function appendAt(writing: Writing, at: string, runId: string, body: RunEventBody, fence: Fence): RunEvent {
  const { database, insertEvent, heads } = writing
  // `all` steps to the end, where SQLite commits; `get` would stop at the first row and hide a full disk.
  const [inserted] = orRefused(writing, () => insertEvent.all(at, JSON.stringify(body), runId, fence.id, fence.epoch))
  if (inserted === undefined) throw new DriverReplaced(runId)
  // Within a transaction it is not written yet.
  if (!database.isTransaction) heads.wrote(body.kind === 'run-finished' || body.kind === 'driver-left')
  return { seq: Number(inserted.seq), runId, at, body }
}

function insertRunRow({ insertRun, clock }: Writing, runId: string, at: string, plan: Plan, driver: RunDriver): void {
  const windowId = plan.window?.kind === 'in' ? plan.window.id : null
  const { machine, pid, bootId = null } = driver
  const { id, epoch } = fenceOf(driver)
  const first = [runId, plan.cluster, nodeOfPlan(plan) ?? '', plan.kind, at]
  insertRun.run(...first, machine, pid, bootId, id, epoch, clock.now(), windowId)
}

function storeHandedOver(
  writing: Writing,
  reported: readonly RunEvent[],
  body: Extract<RunEventBody, { kind: 'run-taken-over' }>,
): readonly RunEvent[] {
  const { runId, at, body: first } = must(reported[0], 'a journal starts with an event')
  if (first.kind !== 'run-created') throw new Error('a handed-over journal must start with run-created')
  insertRunRow(writing, runId, at, first.plan, body.driver)
  const fence = fenceOf(body.driver)
  return [
    ...reported.map(event => appendAt(writing, event.at, runId, event.body, fence)),
    appendAt(writing, isoNow(writing.clock), runId, body, fence),
  ]
}

/** Writes everything that `write` writes, or nothing. */
function inTransaction<T>({ database, path, readOnly, heads }: Writing, write: () => T): T {
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

/** Turns an error of the database into a {@link JournalRefused} with a failure that an operator can act on. */
function orRefused<T>({ path, readOnly }: Writing, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new JournalRefused(readOnly ?? describeDatabaseError(error, path))
  }
}

function fenceOf({ id = '', epoch = 1 }: RunDriver): Fence {
  return { id, epoch }
}
