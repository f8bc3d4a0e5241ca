import type { HostMode } from '../../../shared/domain/instance-policy.ts'
import { setHostMode } from '../../bridge/instances.ts'
import { tellOfEdit } from './set-marks.ts'

/** Changes a host's mode or attempts, and tells what came of it; a refusal stays beside the editor. */
export async function changeHostMode(
  cluster: string,
  node: string,
  change: { readonly mode?: HostMode | null; readonly attempts?: number | null },
): Promise<void> {
  const answer = await setHostMode(cluster, node, change)
  if (!answer.ok) return
  const what =
    change.mode === undefined
      ? `attempts ${change.attempts ?? 'default of the cluster'}`
      : `mode ${change.mode ?? 'not set'}`
  tellOfEdit(cluster, `${node} of ${cluster}: ${what}.`, { refused: [], undo: answer.value.undo })
}
