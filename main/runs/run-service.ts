import type { EventPayload, RunSummary } from '../../shared/contract/index.ts'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import type { InstanceChoice } from '../../shared/domain/instance-choice.ts'
import { type CheckedPlan, isNodeRun, nodeOfPlan, type Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { ProcessOfDriver, RunEvent, RunView } from '../../shared/domain/run.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import type { Clock } from '../clock/clock.ts'
import type { Journal, ListedRow, RunFilter } from '../journal/journal.ts'
import { JournalRefused, type RunRow } from '../ports/journal.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import type { DrivenRun } from './engine/drive-to-rest.ts'
import { isInterrupted, isOwnAndLeft, type LivenessFacts } from './engine/liveness.ts'
import type { RunEngine } from './engine/run-engine.ts'
import { summarizeRun } from './engine/run-summary.ts'
import { historyOf, type RunInHistory } from './run-in-history.ts'

/** A run that this process drives. */
interface ActiveRun {
  readonly runId: string
  pause(): void
  unpause(): void
  abort(reason: string, by: string): void
  detach(): void
  answer(gateId: string, choice: 'continue' | 'retry' | 'skip' | 'abort', reason: string, by: string): void
}

/** Runs: the engine over the journal, as the router uses them. */
export interface RunService {
  readonly driver: ProcessOfDriver
  check(plan: Plan, world: MaintenanceWorld): Promise<CheckedPlan>
  start(plan: Plan, world: MaintenanceWorld): Promise<Result<ActiveRun>>
  resume(runId: string, world: MaintenanceWorld): Promise<Result<ActiveRun>>
  active(runId: string): ActiveRun | null
  view(runId: string): Result<{
    readonly view: RunView
    readonly events: readonly RunEvent[]
    readonly interrupted: boolean
    readonly summary: RunSummary
  }>
  /** Newest first. */
  list(filter: RunFilter): Result<readonly RunSummary[]>
  /** The history's rows, newest first: read once, afterwards only new events. */
  history(filter: RunFilter): Promise<Result<readonly RunInHistory[]>>
  /** The runs of a cluster that are not over, newest first. */
  unfinished(cluster: string): Result<readonly { readonly view: RunView; readonly interrupted: boolean }[]>
  /** Ids of the runs on a cluster that this process drives. */
  drivenOn(cluster: string): readonly string[]
  /** Asks the process that drives the run, whichever it is. */
  request(
    runId: string,
    control:
      | { readonly kind: 'pause' | 'pause-after-node' | 'unpause' | 'detach' }
      | { readonly kind: 'skip-lane'; readonly lane: string; readonly reason: string }
      | { readonly kind: 'abort'; readonly reason: string }
      | {
          readonly kind: 'decide-instance'
          readonly instanceId: string
          readonly choice: InstanceChoice
          readonly reason: string
        }
      | {
          readonly kind: 'answer'
          readonly gateId: string
          readonly choice: 'continue' | 'retry' | 'skip' | 'abort'
          readonly reason: string
        },
  ): Result<void>
  /** Ends a run that nobody drives. */
  abortUndriven(runId: string, reason: string): Result<void>
}

/** What the runs of this process are built on. */
interface RunServiceParts {
  readonly engine: RunEngine<MaintenanceWorld>
  readonly journal: Journal
  readonly driver: ProcessOfDriver
  readonly liveness: LivenessFacts
  readonly clock: Clock
  readonly onRested: (payload: EventPayload<'run.rested'>) => void
}

/** Runs as the router uses them: those this process drives, and those the journal knows. */
interface RunsOfProcess extends RunService {
  /** Leaves every run of this process resumable and waits until they are left: for closing. */
  leaveAll(): Promise<void>
}

/** A run as it was after its event `lastSeq`. Of one that is over only what lists and the history say is kept: views are large. */
interface Folded {
  readonly lastSeq: number
  readonly summary: RunSummary
  readonly past: Omit<RunInHistory, 'summary'>
  readonly view: RunView | null
  /** The run that this one undid, and on which node; null: it undid none. */
  readonly undid: { readonly run: string; readonly node: string } | null
}

/** A run that undid another on a node. */
interface Undoer {
  readonly by: string
  readonly node: string
}

/** So long at most a reading of many runs keeps everybody else waiting. */
const READ_AT_ONCE_MS = 20

export function createRunService(parts: RunServiceParts): RunsOfProcess {
  const { engine, journal, driver, liveness, clock, onRested } = parts
  const driven = new Map<string, DrivenRun>()
  const folded = new Map<string, Folded>()
  /** Runs of this process that stopped because the journal took no more of them, and why. */
  const refused = new Map<string, string>()

  const keep = (run: DrivenRun): ActiveRun => {
    driven.set(run.runId, run)
    refused.delete(run.runId)
    run.finished.then(rest => {
      driven.delete(run.runId)
      if (rest.kind === 'left' && rest.why !== null) refused.set(run.runId, rest.why)
      onRested(
        rest.kind === 'finished'
          ? { runId: run.runId, state: rest.outcome, outcome: rest.outcome }
          : { runId: run.runId, state: 'interrupted', outcome: null },
      )
    })
    return activeRun(run, driver)
  }

  const idOf = (given: string): Result<string> => {
    const ids = journal.idsBeginningWith(given)
    const exact = ids.find(id => id === given)
    const only = exact ?? (ids.length === 1 ? ids[0] : undefined)
    if (only !== undefined && given !== '') return ok(only)
    return failed(
      ids.length > 1
        ? failure('bad-input', `"${given}" begins several runs: ${ids.join(', ')}. Give more of it.`)
        : failure('not-found', `There is no run "${given}". \`lockkeeper runs\` lists them.`, {
            target: `run/${given}`,
          }),
    )
  }

  const standing = (view: RunView, row: RunRow | null) =>
    driven.has(view.id) || view.state.kind === 'finished'
      ? false
      : row === null || isOwnAndLeft(row, driver) || isInterrupted(view, row, liveness)

  const foldedOf = (row: ListedRow): Result<Folded> => {
    const known = folded.get(row.id)
    if (known?.lastSeq === row.lastSeq) return ok(known)
    const events = journal.events(row.id)
    if (!events.ok) return events
    const view = foldRun(events.value)
    const summary = summarizeRun(view, false)
    const past = historyOf(view, events.value)
    const isOver = view.state.kind === 'finished'
    const undid =
      view.plan.kind === 'undo' && summary.state === 'done' ? { run: view.plan.undoes, node: view.plan.node } : null
    const fresh = { lastSeq: row.lastSeq, summary, past, view: isOver ? null : view, undid }
    folded.set(row.id, fresh)
    return ok(fresh)
  }
  const summaryOf = ({ view, summary }: Folded, row: ListedRow): RunSummary =>
    view !== null && standing(view, row) ? summarizeRun(view, true, refused.get(view.id)) : summary

  /** Which runs of a cluster are undone, on which node and by which; an undo that cannot be read says nothing. */
  const undoersOf = (rows: readonly ListedRow[]): ReadonlyMap<string, readonly Undoer[]> => {
    const undoers = new Map<string, readonly Undoer[]>()
    for (const row of rows.filter(({ kind }) => kind === 'undo')) {
      const known = foldedOf(row)
      if (!known.ok || known.value.undid === null) continue
      const { run, node } = known.value.undid
      undoers.set(run, [{ by: row.id, node }, ...(undoers.get(run) ?? [])])
    }
    return undoers
  }
  const undone = (summary: RunSummary, undoers: ReadonlyMap<string, readonly Undoer[]>): RunSummary => {
    const words = (undoers.get(summary.id) ?? []).map(({ by, node }) =>
      isNodeRun(summary.kind) ? `Undone by run ${by}.` : `On ${node} undone by run ${by}.`,
    )
    return words.length === 0 ? summary : { ...summary, summary: [summary.summary, ...words].join(' ') }
  }

  return {
    driver,
    check: (plan, world) => engine.check(plan, world),
    start: async (plan, world) => {
      const run = engine.start(plan, world)
      return run.ok ? ok(keep(run.value)) : run
    },
    resume: async (runId, world) => {
      const run = journaled(() => engine.resume(runId, world))
      return run.ok ? ok(keep(run.value)) : run
    },
    active: runId => {
      const run = driven.get(runId)
      return run === undefined ? null : activeRun(run, driver)
    },
    view: given => {
      const id = idOf(given)
      if (!id.ok) return id
      const events = journal.events(id.value)
      if (!events.ok) return events
      const view = foldRun(events.value)
      const interrupted = standing(view, journal.row(id.value))
      const summary = summarizeRun(view, interrupted, refused.get(view.id))
      const node = nodeOfPlan(view.plan)
      // A run of one node is undone by another of it.
      const rows = journal.rows({ cluster: view.plan.cluster, ...(node === null ? {} : { node }) })
      if (!rows.ok) return rows
      return ok({ view, events: events.value, interrupted, summary: undone(summary, undoersOf(rows.value)) })
    },
    list: filter => {
      const rows = journal.rows(filter)
      if (!rows.ok) return rows
      // An undo is newer than what it undid: it is in every list, newest first, that has that run.
      const undoers = undoersOf(rows.value)
      return ok(
        rows.value.map(row => {
          const known = foldedOf(row)
          return known.ok ? undone(summaryOf(known.value, row), undoers) : unreadable(row, known.failure)
        }),
      )
    },
    history: async filter => {
      const rows = journal.rows(filter)
      if (!rows.ok) return rows
      const listed: RunInHistory[] = []
      const undoers = undoersOf(rows.value)
      let since = clock.now()
      for (const row of rows.value) {
        const known = foldedOf(row)
        listed.push(
          known.ok
            ? { ...known.value.past, summary: undone(summaryOf(known.value, row), undoers) }
            : { ...UNREADABLE, summary: unreadable(row, known.failure), damage: known.failure.message },
        )
        if (clock.now() - since < READ_AT_ONCE_MS) continue
        await clock.sleep(0)
        since = clock.now()
      }
      return ok(listed)
    },
    unfinished: cluster => {
      const rows = journal.rows({ cluster })
      if (!rows.ok) return rows
      const listed: { view: RunView; interrupted: boolean }[] = []
      for (const row of rows.value.filter(({ finished }) => !finished)) {
        const known = foldedOf(row)
        const view = known.ok ? known.value.view : null
        if (view !== null) listed.push({ view, interrupted: standing(view, row) })
      }
      return ok(listed)
    },
    drivenOn: cluster => [...driven.keys()].filter(id => journal.row(id)?.cluster === cluster),
    request: (given, control) => {
      const id = idOf(given)
      if (!id.ok) return id
      const by = driver.operator
      const run = driven.get(id.value)
      if (run !== undefined) {
        return journaled(() => ok(run.control({ ...control, by })))
      }
      return journaled(() => {
        journal.requestControl(id.value, { ...control, by })
        return ok(undefined)
      })
    },
    abortUndriven: (given, reason) => {
      const id = idOf(given)
      return id.ok ? journaled(() => engine.abortUndriven(id.value, reason)) : id
    },
    leaveAll: async () => {
      const runs = [...driven.values()]
      for (const run of runs) run.control({ kind: 'detach', by: driver.operator })
      await Promise.all(runs.map(run => run.finished))
    },
  }
}

const UNREADABLE = { windowId: null, reasons: [], measured: [], blocked: [] }

/** An entry that the journal refuses (a full disk, a journal that is only read) becomes an answer with the reason. */
function journaled<T>(work: () => Result<T>): Result<T> {
  try {
    return work()
  } catch (error) {
    if (error instanceof JournalRefused) return failed(error.failure)
    throw error
  }
}

/** A run whose history is damaged is listed by the rest that is known of it; other runs are not affected. */
function unreadable(row: ListedRow, why: Failure): RunSummary {
  const { id, kind, cluster, node, machine, createdAt, heartbeatAtMs } = row
  const summary = why.message
  // Its driver is heard of by its sign of life too, which the damage does not reach.
  const since = new Date(Math.max(heartbeatAtMs, Date.parse(createdAt))).toISOString()
  return {
    id,
    kind,
    cluster,
    node,
    machine,
    createdAt,
    state: 'interrupted',
    condition: { kind: 'interrupted', since, at: null, why: summary, waits: [] },
    operator: '',
    endedAt: null,
    summary,
  }
}

function activeRun(run: DrivenRun, driver: ProcessOfDriver): ActiveRun {
  const by = driver.operator
  return {
    runId: run.runId,
    pause: () => run.control({ kind: 'pause', by }),
    unpause: () => run.control({ kind: 'unpause', by }),
    detach: () => run.control({ kind: 'detach', by }),
    abort: (reason, who) => run.control({ kind: 'abort', by: who, reason }),
    answer: (gateId, choice, reason, who) => run.control({ kind: 'answer', gateId, choice, reason, by: who }),
  }
}
