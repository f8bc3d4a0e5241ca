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
  | { readonly kind: 'evacuate'; readonly loses: boolean; readonly because: EvacuationReason }
  /** It stays in Nova's books on the dead host, off. */
  | { readonly kind: 'stays'; readonly because: LeftReason }

/** What of an instance's disks is no volume; `unknown`: its flavor is not known, so what that gives it is neither. */
export type LocalDisk = 'root' | 'ephemeral' | 'swap' | 'unknown'

/** Why an instance is rebuilt elsewhere, with what the words of it name (shared/words/rescues.ts). */
type EvacuationReason =
  | { readonly code: 'DisksAreVolumes' }
  /** `shared`: how the operator knows. */
  | { readonly code: 'DiskIsShared'; readonly shared: string }
  | { readonly code: 'DiskLossAccepted'; readonly disk: LocalDisk }

/** Why an instance is not rescued. */
export type LeftReason =
  | { readonly code: 'StateNotTold' }
  /** A rebuild of it may go on, and Nova would build it twice; or its task may never end. */
  | { readonly code: 'RebuildMayGoOn' | 'TaskMayNotEnd'; readonly id: string; readonly task: string }
  | { readonly code: 'StatusNotEvacuated'; readonly status: string }
  | { readonly code: 'HasVtpm' }
  | { readonly code: 'DiskWouldBeLost'; readonly disk: LocalDisk }

/** Why a rescue does with an instance what it does. */
export type RescueReason = EvacuationReason | LeftReason

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
  if (instance.partial) return stays({ code: 'StateNotTold' })
  if (taskState !== null) {
    return stays({ code: isRebuild(taskState) ? 'RebuildMayGoOn' : 'TaskMayNotEnd', id, task: taskState })
  }
  if (!EVACUATED.has(vmState ?? '')) return stays({ code: 'StatusNotEvacuated', status })
  if (flavor?.extraSpecs['hw:tpm_version'] !== undefined) return stays({ code: 'HasVtpm' })
  const disk = localDisk(instance)
  if (disk === null) return evacuate(false, { code: 'DisksAreVolumes' })
  const shared = sharedDisks.trim()
  if (shared !== '') return evacuate(false, { code: 'DiskIsShared', shared })
  if (acceptsDataLoss) return evacuate(true, { code: 'DiskLossAccepted', disk })
  return stays({ code: 'DiskWouldBeLost', disk })
}

/** Whether a task is that of an evacuation: its state is not reset while its destination lives. */
export function isRebuild(taskState: string): boolean {
  return taskState.startsWith('rebuild')
}

/** What of its disks is no volume; null: nothing. */
function localDisk({ flavor, bootsFromVolume }: Pick<Instance, 'flavor' | 'bootsFromVolume'>): LocalDisk | null {
  if (bootsFromVolume !== true) return 'root'
  if (flavor === null) return 'unknown'
  if (flavor.ephemeralGib > 0) return 'ephemeral'
  return flavor.swapMib > 0 ? 'swap' : null
}

function evacuate(loses: boolean, because: EvacuationReason): RescuePolicy {
  return { kind: 'evacuate', loses, because }
}

function stays(because: LeftReason): RescuePolicy {
  return { kind: 'stays', because }
}

const EVACUATED: ReadonlySet<string> = new Set(['active', 'stopped', 'error'])
