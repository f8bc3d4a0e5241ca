import type { RunSummary } from '../../shared/contract/index.ts'
import { failed, type Result } from '../../shared/domain/result.ts'
import type { RunEvent, RunView } from '../../shared/domain/run.ts'
import type { MaintenanceWorld } from '../ports/world.ts'
import type { ControlServices } from './control-services.ts'
import { askRunner, summaryOf } from './run-elsewhere.ts'
import { whyNotResumed } from './undo.ts'

/** Resumes a run: asks the runner that has it, else drives it from this console. A run that is driven here already stays as it is. */
export async function resumeRun(
  runId: string,
  services: Pick<ControlServices, 'others' | 'runs' | 'worlds'>,
): Promise<Result<RunSummary>> {
  const { others, runs, worlds } = services
  const asked = await askRunner(runId, { control: 'resume', reason: '' }, services)
  if (asked !== null) return asked.ok ? summaryOf(runId, runs) : asked
  const found = runs.view(runId)
  if (!found.ok) return found
  const { view } = found.value
  if (runs.active(view.id) !== null) return summaryOf(view.id, runs)
  const refused = whyNotResumed(view, runs) ?? (await others.whyNotTakenBack(view))
  if (refused !== null) return failed(refused)
  const connected = await worlds.open(view.plan.cluster)
  if (!connected.ok) return connected
  return view.handedTo === null
    ? resumeHere(view.id, connected.value.world, services)
    : takeBack(found.value, connected.value.world, services)
}

/** Resumes a run that was handed over and that no runner has. */
async function takeBack(
  { view: { id }, events }: { readonly view: RunView; readonly events: readonly RunEvent[] },
  world: MaintenanceWorld,
  { runs }: Pick<ControlServices, 'runs'>,
): Promise<Result<RunSummary>> {
  const resumed = await runs.resume(id, world, { takesBack: events.at(-1)?.seq ?? 0 })
  if (resumed.ok) return summaryOf(resumed.value.runId, runs)
  // The runner may have refused it meanwhile: then there is nothing to withdraw.
  const now = runs.view(id)
  return now.ok && now.value.view.handedTo === null ? resumeHere(id, world, { runs }) : resumed
}

async function resumeHere(
  id: string,
  world: MaintenanceWorld,
  { runs }: Pick<ControlServices, 'runs'>,
): Promise<Result<RunSummary>> {
  const resumed = await runs.resume(id, world)
  return resumed.ok ? summaryOf(resumed.value.runId, runs) : resumed
}
