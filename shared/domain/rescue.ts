import type { Instance } from './openstack.ts'

/** An annotation on a node: the run that forced its nova-compute down, so that its return clears the flag. */
export const FORCED_DOWN_ANNOTATION = 'lockkeeper.dev/forced-down'

/** An annotation on a node: the run that put {@link OUT_OF_SERVICE_TAINT} on it. */
export const OUT_OF_SERVICE_ANNOTATION = 'lockkeeper.dev/out-of-service'

/** Kubernetes removes pods by force and releases their volumes (non-graceful shutdown, GA in 1.28). */
export const OUT_OF_SERVICE_TAINT = {
  key: 'node.kubernetes.io/out-of-service',
  value: 'nodeshutdown',
  effect: 'NoExecute',
} as const

interface RescueChoices {
  /** How the operator knows that other hosts reach Nova's disks; empty if unknown. */
  readonly sharedDisks: string
  readonly acceptsDataLoss: boolean
}

export type RescuePolicy =
  /** `loses`: rebuilt from its image, without the data of its local disk. */
  | { readonly kind: 'evacuate'; readonly loses: boolean; readonly because: EvacuationReason }
  /** Off, on the dead host in Nova's records. */
  | { readonly kind: 'stays'; readonly because: LeftReason }

/** `unknown`: its flavor is unknown. */
export type LocalDisk = 'root' | 'ephemeral' | 'swap' | 'unknown'

/** Its text is made by shared/words/rescues.ts. */
type EvacuationReason =
  | { readonly code: 'DisksAreVolumes' }
  | { readonly code: 'DiskIsShared'; readonly shared: string }
  | { readonly code: 'DiskLossAccepted'; readonly disk: LocalDisk }

export type LeftReason =
  | { readonly code: 'StateNotTold' }
  /** A rebuild may still run, and Nova would build it twice; or its task may never end. */
  | { readonly code: 'RebuildMayGoOn' | 'TaskMayNotEnd'; readonly id: string; readonly task: string }
  | { readonly code: 'StatusNotEvacuated'; readonly status: string }
  | { readonly code: 'HasVtpm' }
  | { readonly code: 'DiskWouldBeLost'; readonly disk: LocalDisk }

export type RescueReason = EvacuationReason | LeftReason

/**
 * What a rescue does with an instance (nova/compute/api.py, evacuate). One with a task is never requested: newer Novas accept a second evacuation
 * during the first. Without volumes for all its disks it is rebuilt from its image, unless the destination reaches its files, which no API says.
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

/** The state of a rebuilding instance must not be reset while the destination is alive. */
export function isRebuild(taskState: string): boolean {
  return taskState.startsWith('rebuild')
}

/** The local part of an instance's disks; null if it has only volumes. */
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
