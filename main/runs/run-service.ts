import type { EventPayload } from '../../shared/contract/index.ts'
import type { InstanceChoice } from '../../shared/domain/instance-choice.ts'
import type { CheckedPlan, Plan } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { ProcessOfDriver, RunView } from '../../shared/domain/run.ts'
import type { Journal } from '../journal/journal.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { JournalRefused, type RunRow } from '../ports/journal.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import type { DrivenRun } from './engine/drive-to-rest.ts'
import { hasNoDriver, type LivenessFacts } from './engine/liveness.ts'
import type { ResumedAs, RunEngine, StartedAs } from './engine/run-engine.ts'
import type { EndedAs } from './engine/undriven-run.ts'
import { createRunReading, idIn, type RunReading } from './run-reading.ts'

interface ActiveRun {
  readonly runId: string
  pause(): void
  unpause(): void
  abort(reason: string, by: string): void
  detach(): void
  answer(gateId: string, choice: 'continue' | 'retry' | 'skip' | 'abort', reason: string, by: string): void
}

export type RunRequest =
  | { readonly kind: 'pause' | 'pause-after-node' | 'unpause' }
  | { readonly kind: 'detach'; readonly handsOver?: true }
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
    }

/** Runs as the router uses them: the engine over the journal. */
export interface RunService extends RunReading {
  readonly driver: ProcessOfDriver
  check(plan: Plan, world: MaintenanceWorld): Promise<CheckedPlan>
  start(plan: Plan, world: MaintenanceWorld, as?: StartedAs): Promise<Result<ActiveRun>>
  resume(runId: string, world: MaintenanceWorld, as?: ResumedAs): Promise<Result<ActiveRun>>
  active(runId: string): ActiveRun | null
  drivenOn(cluster: string): readonly string[]
  /** Sends a request to the process that drives the run, whichever it is. */
  request(
    runId: string,
    request: RunRequest,
    /** The person who asks; by default the operator of this process. */
    by?: string,
  ): Result<void>
  abortUndriven(runId: string, reason: string, how?: EndedAs): Result<void>
  /** From the engine: what is recorded before and after a hand-over. */
  readonly receiveLate: RunEngine<MaintenanceWorld>['receiveLate']
  readonly announceHandOver: RunEngine<MaintenanceWorld>['announceHandOver']
  readonly endHandOver: RunEngine<MaintenanceWorld>['endHandOver']
}

/** The runs on behalf of another person than the operator of this process: the journal records that person's name. */
export function runsAs(runs: RunService, as: StartedAs): RunService {
  const { operator } = as
  return {
    ...runs,
    driver: { ...runs.driver, operator },
    start: (plan, world) => runs.start(plan, world, as),
    resume: (runId, world, how) => runs.resume(runId, world, { ...how, operator }),
    request: (runId, control) => runs.request(runId, control, operator),
    abortUndriven: (runId, reason, how) => runs.abortUndriven(runId, reason, { ...how, by: operator }),
  }
}

interface RunServiceParts {
  readonly engine: RunEngine<MaintenanceWorld>
  readonly journal: Journal
  readonly driver: ProcessOfDriver
  readonly liveness: LivenessFacts
  readonly clock: Clock
  readonly onRested: (payload: EventPayload<'run.rested'>) => void
}

/** Every run that the journal knows, and the end of those that this process drives. */
export interface RunsOfProcess extends RunService {
  /** Leaves every run of this process resumable and waits until they are left: for closing. */
  leaveAll(): Promise<void>
  /** The same for these runs; ignores a run that this process does not drive. */
  leave(runIds: readonly string[]): Promise<void>
}

export function createRunService(parts: RunServiceParts): RunsOfProcess {
  const { engine, journal, driver, liveness, clock, onRested } = parts
  const driven = new Map<string, DrivenRun>()
  /** Runs of this process that stopped because the journal rejected their events, and why. */
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

  const leave = async (runs: readonly DrivenRun[]): Promise<void> => {
    for (const run of runs) run.control({ kind: 'detach', by: driver.operator })
    await Promise.all(runs.map(run => run.finished))
  }

  const hasLostDriver = (view: Pick<RunView, 'id' | 'state'>, row: RunRow | null) =>
    !driven.has(view.id) && hasNoDriver(view, row, liveness)

  const reading = createRunReading({ journal, hasLostDriver, whyRefused: id => refused.get(id), clock })
  const idOf = (given: string) => idIn(journal, given)

  return {
    driver,
    check: (plan, world) => engine.check(plan, world),
    start: async (plan, world, as) => {
      const run = engine.start(plan, world, as)
      return run.ok ? ok(keep(run.value)) : run
    },
    resume: async (runId, world, as) => {
      const run = journaled(() => engine.resume(runId, world, as))
      return run.ok ? ok(keep(run.value)) : run
    },
    active: runId => {
      const run = driven.get(runId)
      return run === undefined ? null : activeRun(run, driver)
    },
    view: reading.view,
    readAhead: reading.readAhead,
    list: reading.list,
    history: reading.history,
    unfinished: reading.unfinished,
    takenOut: reading.takenOut,
    drivenOn: cluster => [...driven.keys()].filter(id => journal.row(id)?.cluster === cluster),
    request: (given, control, by = driver.operator) => {
      const id = idOf(given)
      if (!id.ok) return id
      const run = driven.get(id.value)
      if (run !== undefined) {
        return journaled(() => ok(run.control({ ...control, by })))
      }
      return journaled(() => {
        journal.requestControl(id.value, { ...control, by })
        return ok(undefined)
      })
    },
    abortUndriven: (given, reason, how) => {
      const id = idOf(given)
      return id.ok ? journaled(() => engine.abortUndriven(id.value, reason, how)) : id
    },
    receiveLate: runId => journaled(() => engine.receiveLate(runId)),
    announceHandOver: (...announced) => journaled(() => engine.announceHandOver(...announced)),
    endHandOver: (...ended) => journaled(() => engine.endHandOver(...ended)),
    leaveAll: () => leave([...driven.values()]),
    leave: runIds => leave(runIds.flatMap(id => driven.get(id) ?? [])),
  }
}

/** Turns a write that the journal refuses (a full disk, a read-only journal) into an answer with the reason. */
function journaled<T>(work: () => Result<T>): Result<T> {
  try {
    return work()
  } catch (error) {
    if (error instanceof JournalRefused) return failed(error.failure)
    throw error
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
