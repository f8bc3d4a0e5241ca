import type { InstancePolicy } from './instance-policy.ts'
import { markedActions } from './instance-tags.ts'
import type { Instance, InstanceFlavor } from './openstack.ts'
import { instanceStatus } from './watcher-instance-status.ts'
import { isPossible, vmStateOf, watcherMove } from './watcher-moves.ts'

/** What decides about an instance where Watcher empties hosts: its state, or what Watcher makes of it. Never tags or host modes. */
interface WatcherPolicy extends Pick<InstancePolicy, 'action'> {
  readonly source: 'state' | 'watcher'
  readonly reason: string
  readonly remedy: string | null
  readonly warnings: readonly string[]
}

/**
 * What a maintenance with its default choices does to an instance where Watcher empties the host (seed 004, compute role; docs/domain.md B.2).
 * ERROR, MIGRATING and SHUTOFF stand in the way, so do ephemeral disks; everything else moves by Watcher's plan, which reads no tag and no
 * host mode: those are MOSK's (docs/domain.md A.5, A.6).
 */
export function watcherPolicy(
  instance: Pick<Instance, 'status' | 'vmState' | 'taskState' | 'tags'> & {
    readonly flavor: Pick<InstanceFlavor, 'name' | 'ephemeralGib'> | null
  },
): WatcherPolicy {
  const tagged = markedActions(instance.tags)
  const warnings = tagged.length === 0 ? [] : [`it is tagged ${tagged.join(', ')}: Watcher reads no tags`]
  const by = { source: 'state' as const, warnings }
  const found = instanceStatus(instance, {
    strategy: 'watcher',
    disableMigration: 'none',
    coldMigration: false,
    excluded: false,
  })
  if (found.kind === 'blocks') return { ...by, action: 'blocked', reason: `it ${found.reason}`, remedy: found.remedy }
  const state = vmStateOf(instance)
  const ephemeral = instance.flavor?.ephemeralGib ?? 0
  if (ephemeral > 0) {
    return {
      ...by,
      action: 'blocked',
      reason: `it has an ephemeral disk of ${ephemeral} GiB (flavor ${instance.flavor?.name}), which cannot be migrated`,
      remedy:
        'Ask its owner to save what is on it and to delete or rebuild the instance; or leave the instance out (--exclude-instance).',
    }
  }
  const move = watcherMove(instance, 'none')
  if (move === 'stays') return { ...by, action: 'ignore', reason: 'stays: nothing of it runs', remedy: null }
  if (!isPossible(move, instance)) {
    return {
      ...by,
      action: 'blocked',
      reason: `Watcher plans a cold migration of it, which Nova refuses while it is ${state}`,
      remedy: 'Move it through Nova (--nova-for-rest), leave it out (--exclude-instance), or have its owner resume it.',
    }
  }
  return {
    action: 'live_migrate',
    source: 'watcher',
    reason: "moves to another host by Watcher's plan: live migration",
    remedy: null,
    warnings,
  }
}
