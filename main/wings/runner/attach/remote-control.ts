import { isNeverBegun, type MaintenanceRun } from '../../../../shared/domain/maintenance-run.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { AskedControl } from '../../../ports/other-drivers.ts'
import type { MaintenanceRunsPort } from '../ports/maintenance-runs.ts'
import { controlAnswer } from './control-answer.ts'

interface ControlParts {
  readonly objects: MaintenanceRunsPort
  readonly clock: Clock
  readonly newId: () => string
  /** The author of a request if the API server does not name one. */
  readonly ownWord: string
}

/** The author of a request, as the API server names them; before 1.28 it names no one, and the operator's own name counts. */
export async function askerOf({
  objects,
  ownWord,
}: Pick<ControlParts, 'objects' | 'ownWord'>): Promise<Result<string>> {
  const who = await objects.whoAmI()
  return who.ok ? ok(who.value ?? ownWord) : who
}

/** Asks the runner of a run by a MaintenanceRunControl, and waits for the result; a refusal has the runner's text. */
export async function askRunner(runId: string, control: AskedControl, parts: ControlParts): Promise<Result<void>> {
  const { objects, clock, newId } = parts
  const target = { target: `run/${runId}` }
  const [listed, by] = await Promise.all([objects.objects(), askerOf(parts)])
  if (!listed.ok) return listed
  if (!by.ok) return by
  const run = runOf(runId, listed.value.runs)
  if (run === undefined) {
    return failed(refusal('not-found', because('RunWithoutObject', { run: runId }), target))
  }
  const name = `${control.control}-${newId()}`
  const made = await objects.createControl({ name, spec: { ...control, run: run.name, by: by.value } })
  if (!made.ok) return made
  const answer = await controlAnswer(name, target.target, { objects, clock })
  return answer.ok ? ok(undefined) : answer
}

/**
 * The MaintenanceRun that became this run, as its status says. One that was handed over says so itself, before its runner's status does: where no other names
 * the same run, for anybody may write a name.
 */
function runOf(runId: string, runs: readonly MaintenanceRun[]): MaintenanceRun | undefined {
  const begun = runs.find(run => runIdOf(run) === runId)
  if (begun !== undefined) return begun
  const named = runs.filter(
    run => !('unreadable' in run.spec) && run.spec.handedOver?.run === runId && !isNeverBegun(run),
  )
  return named.length === 1 ? named[0] : undefined
}

/** The run in the runner's journal that a MaintenanceRun became; null if there is none yet. */
export function runIdOf({ status }: Pick<MaintenanceRun, 'status'>): string | null {
  return status === null || 'unreadable' in status ? null : status.runId
}
