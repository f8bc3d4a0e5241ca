import type { RunSummary } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { RunView } from '../../shared/domain/run.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { AskedControl } from '../ports/other-drivers.ts'
import type { RunService } from '../runs/run-service.ts'
import type { ControlServices } from './control-services.ts'

type Services = Pick<ControlServices, 'others' | 'runs'>

export function summaryOf(runId: string, runs: Pick<RunService, 'view'>): Result<RunSummary> {
  const found = runs.view(runId)
  return found.ok ? ok(found.value.summary) : found
}

/** A run's current state; for one handed over, checks first whether the runner refused it. */
export async function viewSettled(given: string, { others, runs }: Services): Promise<ReturnType<RunService['view']>> {
  const found = runs.view(given)
  if (!found.ok || found.value.view.handedTo === null) return found
  await others.settle(found.value.view.id)
  return runs.view(given)
}

/** The answer of the runner that drives a run; null if no runner drives it. */
export async function askRunner(
  given: string,
  control: AskedControl,
  { others, runs }: Services,
): Promise<Result<void> | null> {
  const own = runs.view(given)
  // A runner may use any run id: this console's own runs take precedence.
  if (own.ok && own.value.summary.runner === undefined) {
    const elsewhere = control.control === 'resume' ? null : whyNotHere(own.value.view)
    return elsewhere === null ? null : failed(elsewhere)
  }
  const run = others.find(given)
  return run === null ? null : others.askDriver(run, control, `${runs.driver.operator}@${runs.driver.machine}`)
}

/** Why this console controls no run that it handed over, while no runner reports it; null if it was not handed over. */
function whyNotHere({ id, handedTo }: RunView): Failure | null {
  if (handedTo === null) return null
  const { object, namespace, by } = handedTo
  const why = because('NoRunnerTellsYet', { run: id, object, namespace, by })
  return refusal('conflict', why, { target: `run/${id}` })
}
