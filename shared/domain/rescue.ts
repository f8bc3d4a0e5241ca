import type { Instance } from './openstack.ts'

/** On a node: the run that forced its nova-compute down, so that whoever brings it back knows that it may be forced down no longer. */
export const FORCED_DOWN_ANNOTATION = 'lockkeeper.dev/forced-down'

/** On a node: the run that put {@link OUT_OF_SERVICE_TAINT} on it. */
export const OUT_OF_SERVICE_ANNOTATION = 'lockkeeper.dev/out-of-service'

/** Tells Kubernetes that a machine is off: its pods are removed by force and their volumes are let go of (non-graceful node shutdown, GA in 1.28). */
export const OUT_OF_SERVICE_TAINT = {
  key: 'node.kubernetes.io/out-of-service',
  value: 'nodeshutdown',
  effect: 'NoExecute',
} as const

/** What an operator said of a rescue that decides about instances. */
interface RescueChoices {
  /** How they know that other hosts reach the disks that Nova keeps; empty: they do not. */
  readonly sharedDisks: string
  readonly acceptsDataLoss: boolean
}

/** What a rescue does with an instance of a machine that is off. */
export type RescuePolicy =
  /** It is rebuilt elsewhere; `loses`: from its image, without what was on its local disk. */
  | { readonly kind: 'evacuate'; readonly loses: boolean; readonly reason: string }
  /** It stays in Nova's books on the dead host, off. */
  | { readonly kind: 'stays'; readonly code: StayCode; readonly reason: string }

/** Why an instance is not rescued. */
type StayCode = 'partial' | 'busy' | 'state' | 'vtpm' | 'local-disk'

/**
 * What a rescue does with an instance (nova/compute/api.py, evacuate: ACTIVE, stopped or in ERROR, no vTPM; older Novas refuse one with a task, newer
 * accept it, also while a first evacuation goes on: so one with a task is never asked for). Where its disk is, Nova decides on
 * the destination: what boots from a volume and has no ephemeral or swap disk loses nothing; any other is rebuilt from its image unless the
 * destination reaches its files, which no API tells.
 */
export function rescuePolicy(
  instance: Pick<Instance, 'id' | 'status' | 'vmState' | 'taskState' | 'partial' | 'flavor' | 'bootsFromVolume'>,
  { sharedDisks, acceptsDataLoss }: RescueChoices,
): RescuePolicy {
  const { id, status, vmState, taskState, flavor } = instance
  if (instance.partial) return stays('partial', 'Nova cannot tell how it is: its cell does not answer.')
  if (taskState !== null) {
    return stays(
      'busy',
      isRebuild(taskState)
        ? `its task is ${taskState}: a rebuild of it may go on, and Nova would build it twice on the same volumes. Wait for its end (\`openstack server migration list --server ${id}\`).`
        : `its task is ${taskState}, which may never end now, and older Novas refuse it with 409: \`openstack server set --state error ${id}\` ends it, then retry.`,
    )
  }
  if (!EVACUATED.has(vmState ?? '')) {
    return stays('state', `it is ${status}, and Nova evacuates only what is ACTIVE, SHUTOFF or in ERROR.`)
  }
  if (flavor?.extraSpecs['hw:tpm_version'] !== undefined) {
    return stays('vtpm', 'it has a vTPM, and Nova evacuates no such instance.')
  }
  const local = localDisk(instance)
  if (local === null) return evacuate(false, 'its disks are volumes')
  if (sharedDisks.trim() !== '') return evacuate(false, `other hosts reach its disk: ${sharedDisks.trim()}`)
  if (acceptsDataLoss) return evacuate(true, `${local} is lost: it is rebuilt from its image`)
  return stays(
    'local-disk',
    `${local} would be lost: Nova rebuilds it from its image. Say that other hosts reach it (\`--shared-disks\`), or accept the loss (\`--allow-data-loss\`).`,
  )
}

/** Whether a task is that of an evacuation: its state is not reset while its destination lives. */
export function isRebuild(taskState: string): boolean {
  return taskState.startsWith('rebuild')
}

/** What of its disks is no volume, in words; null: nothing. */
function localDisk({ flavor, bootsFromVolume }: Pick<Instance, 'flavor' | 'bootsFromVolume'>): string | null {
  if (bootsFromVolume !== true) return 'its root disk'
  if (flavor === null) return 'what its flavor, which is not known, gives it beside its volumes'
  if (flavor.ephemeralGib > 0) return 'its ephemeral disk'
  return flavor.swapMib > 0 ? 'its swap disk' : null
}

function evacuate(loses: boolean, reason: string): RescuePolicy {
  return { kind: 'evacuate', loses, reason }
}

function stays(code: StayCode, reason: string): RescuePolicy {
  return { kind: 'stays', code, reason }
}

const EVACUATED: ReadonlySet<string> = new Set(['active', 'stopped', 'error'])
