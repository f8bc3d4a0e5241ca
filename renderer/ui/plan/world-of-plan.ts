import type { ShownAction } from '../../../shared/domain/instance-policy.ts'
import type { InstanceEffect } from '../../../shared/domain/plan-effects.ts'
import { areInstancesRead, type LiveCluster } from '../../stores/views.ts'

/** The live facts that a node's plan depends on, as texts to compare. */
export interface World {
  readonly node: string
  /** Each instance with its status and fate. */
  readonly instances: string
}

/** These facts from the live picture; null without one. */
export function worldOf(live: LiveCluster | null, node: string): World | null {
  const view = live?.nodes.get(node)
  if (live === null || view === undefined || !areInstancesRead(live)) return null
  const { ready, schedulable, computeService, migrationMode, migrationAttempts, heldBy, roles } = view
  return {
    node: JSON.stringify([
      ready,
      schedulable,
      computeService?.status,
      computeService?.state,
      migrationMode,
      migrationAttempts,
      heldBy?.runId,
      roles,
    ]),
    instances: instancesText([...live.instances.values()].filter(instance => instance.node === node)),
  }
}

/**
 * Whether these facts differ from the plan's facts. The picture may lag behind a new plan: once it shows what the plan found,
 * nothing has changed.
 */
export function hasChanged(before: World | null, now: World | null, planned: readonly InstanceEffect[]): boolean {
  if (before === null || now === null) return false
  if (now.node !== before.node) return true
  return now.instances !== before.instances && now.instances !== instancesText(planned.map(asPictured))
}

/** The picture does not know capacity: it shows a move that the plan blocks because no host has room. */
function asPictured(effect: InstanceEffect): InstanceEffect {
  const isMarked = effect.source === 'tag' || effect.source === 'host-mode'
  return isMarked && effect.action === 'blocked' ? { ...effect, action: 'live_migrate' } : effect
}

/** A migrating instance blocks a plan: the picture says migrating, the plan blocked; both count as equal. */
function instancesText(
  instances: readonly (Pick<InstanceEffect, 'id' | 'status'> & {
    readonly action: InstanceEffect['action'] | ShownAction
  })[],
): string {
  return instances
    .map(({ id, status, action }) => `${id} ${status} ${action === 'migrating' ? 'blocked' : action}`)
    .sort()
    .join('\n')
}
