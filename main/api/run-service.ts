import type { EventPayload } from '../../shared/contract/index.ts'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { RunDriver, RunView } from '../../shared/domain/run.ts'
import { foldRun } from '../../shared/domain/run-fold.ts'
import type { Clock } from '../clock/clock.ts'
import type { DrivenRun } from '../engine/drive-to-rest.ts'
import type { RunRow } from '../engine/journal-port.ts'
import { isInterrupted, type Surroundings } from '../engine/liveness.ts'
import type { RunEngine } from '../engine/run-engine.ts'
import type { Journal } from '../journal/journal.ts'
import type { MaintenanceWorld } from '../maintenance/ports.ts'
import type { ActiveRun, RunService } from './services.ts'

/** What the runs of this process are built on. */
export interface RunServiceParts {
  readonly engine: RunEngine<MaintenanceWorld>
  readonly journal: Journal
  readonly driver: RunDriver
  readonly surroundings: Surroundings
  readonly clock: Clock
  readonly onRested: (payload: EventPayload<'run.rested'>) => void
}

/** Runs as the router uses them: those this process drives, and those the journal knows. */
export interface RunsOfProcess extends RunService {
  /** Leaves every run of this process resumable and waits until they are left: for closing. */
  leaveAll(): Promise<void>
}

export function createRunService(parts: RunServiceParts): RunsOfProcess {
  const { engine, journal, driver, surroundings, onRested } = parts
  const driven = new Map<string, DrivenRun>()

  const keep = (run: DrivenRun): ActiveRun => {
    driven.set(run.runId, run)
    run.finished.then(rest => {
      driven.delete(run.runId)
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
    driven.has(view.id) ? false : row === null || isInterrupted(view, row, surroundings)

  return {
    driver,
    check: (plan, world) => engine.check(plan, world),
    start: async (plan, world) => {
      const run = engine.start(plan, world)
      return run.ok ? ok(keep(run.value)) : run
    },
    resume: async (runId, world) => {
      const run = engine.resume(runId, world)
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
      return ok({ view, events: events.value, interrupted: standing(view, journal.row(id.value)) })
    },
    list: cluster => {
      const rows = journal.rows(cluster)
      if (!rows.ok) return rows
      const listed: { view: RunView; interrupted: boolean }[] = []
      for (const row of rows.value) {
        const events = journal.events(row.id)
        if (!events.ok) return events
        const view = foldRun(events.value)
        listed.push({ view, interrupted: standing(view, row) })
      }
      return ok(listed)
    },
    request: (given, control) => {
      const id = idOf(given)
      if (!id.ok) return id
      const by = driver.operator
      const run = driven.get(id.value)
      if (run !== undefined) run.control({ ...control, by })
      else journal.requestControl(id.value, { ...control, by })
      return ok(undefined)
    },
    abortUndriven: (given, reason) => {
      const id = idOf(given)
      return id.ok ? engine.abortUndriven(id.value, reason) : id
    },
    leaveAll: async () => {
      const runs = [...driven.values()]
      for (const run of runs) run.control({ kind: 'detach', by: driver.operator })
      await Promise.all(runs.map(run => run.finished))
    },
  }
}

function activeRun(run: DrivenRun, driver: RunDriver): ActiveRun {
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
