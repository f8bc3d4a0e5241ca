import { failed, type Result } from '../../shared/domain/result.ts'
import type { RemoteRun } from '../wings/runner/attach/attached.ts'
import { type AskedControl, askRunner } from '../wings/runner/attach/remote-control.ts'
import type { ApiServices } from './services.ts'

/** Sends a control to the runner of a run, as an object of the cluster: the API server authenticates its author. */
export async function askRemote(
  { runId, pod }: Pick<RemoteRun, 'runId' | 'pod'>,
  control: AskedControl,
  { attached, runs, clock, newId }: Pick<ApiServices, 'attached' | 'clock' | 'newId' | 'runs'>,
): Promise<Result<void>> {
  const world = await attached.worldOf(pod)
  if (!world.ok) return failed(world.failure)
  const objects = world.value.maintenanceRuns(pod.namespace)
  const ownWord = `${runs.driver.operator}@${runs.driver.machine}`
  return askRunner(runId, control, { objects, clock, newId, ownWord })
}
