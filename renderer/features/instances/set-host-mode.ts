import type { HostMode } from '../../../shared/domain/instance-policy.ts'
import { setHostMode } from '../../bridge/instances.ts'
import { tellOfEdits } from './told.ts'

/** Changes a host's mode or attempts, and tells what came of it; a refusal stays beside the editor. */
export async function changeHostMode(
  cluster: string,
  node: string,
  change: { readonly mode?: HostMode | null; readonly attempts?: number | null },
): Promise<void> {
  tellOfEdits(cluster, null)
  const answer = await setHostMode(cluster, node, change)
  if (!answer.ok) return
  const what =
    change.mode === undefined
      ? `attempts ${change.attempts ?? 'default of the cluster'}`
      : `mode ${change.mode ?? 'not set'}`
  tellOfEdits(cluster, { words: `${node} of ${cluster}: ${what}.`, undo: answer.value.undo })
}
