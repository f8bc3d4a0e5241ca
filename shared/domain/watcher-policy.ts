import type { InstancePolicy } from './instance-policy.ts'
import { type MaintenanceAction, markedActions } from './instance-tags.ts'
import type { Instance, InstanceFlavor } from './openstack.ts'
import { instanceStatus, type StatusBlock } from './watcher-instance-status.ts'
import { isPossible, vmStateOf, watcherMove } from './watcher-moves.ts'

/** Its text is made by shared/words/watcher-policies.ts. */
export type WatcherReason =
  | StatusBlock
  | { readonly code: 'EphemeralDisk'; readonly gib: number; readonly flavor: string }
  | { readonly code: 'StaysOff' }
  | { readonly code: 'ColdMoveRefused'; readonly state: string }
  | { readonly code: 'MovesByPlan' }

/** Its state, or Watcher's plan decides, never tags or host modes. */
export interface WatcherPolicy extends Pick<InstancePolicy, 'action'> {
  readonly source: 'state' | 'watcher'
  readonly because: WatcherReason
  /** Watcher ignores what its owner's tags request. */
  readonly tagged: readonly MaintenanceAction[]
}

/** With default choices (seed 004; docs/domain.md B.2): ERROR, MIGRATING, SHUTOFF and ephemeral disks block, everything else moves. */
export function watcherPolicy(
  instance: Pick<Instance, 'status' | 'vmState' | 'taskState' | 'tags'> & {
    readonly flavor: Pick<InstanceFlavor, 'name' | 'ephemeralGib'> | null
  },
): WatcherPolicy {
  const tagged = markedActions(instance.tags)
  const by = { source: 'state' as const, tagged }
  const found = instanceStatus(instance, {
    strategy: 'watcher',
    disableMigration: 'none',
    coldMigration: false,
    excluded: false,
  })
  if (found.kind === 'blocks') return { ...by, action: 'blocked', because: found.because }
  const { flavor } = instance
  if (flavor !== null && flavor.ephemeralGib > 0) {
    const because = { code: 'EphemeralDisk', gib: flavor.ephemeralGib, flavor: flavor.name } as const
    return { ...by, action: 'blocked', because }
  }
  const move = watcherMove(instance, 'none')
  if (move === 'stays') return { ...by, action: 'ignore', because: { code: 'StaysOff' } }
  if (!isPossible(move, instance)) {
    return { ...by, action: 'blocked', because: { code: 'ColdMoveRefused', state: vmStateOf(instance) } }
  }
  return { action: 'live_migrate', source: 'watcher', because: { code: 'MovesByPlan' }, tagged }
}
