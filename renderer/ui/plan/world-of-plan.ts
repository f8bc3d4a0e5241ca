import type { ShownAction } from '../../../shared/domain/instance-policy.ts'
import type { InstanceEffect } from '../../../shared/domain/plan-effects.ts'
import type { LiveCluster } from '../../stores/views.ts'

/** What a node's plan leans on, as texts that are compared. */
export interface World {
  readonly node: string
  /** Each instance on it with its status and what happens to it. */
  readonly instances: string
}

/** That part of the live picture; null while there is none. */
export function worldOf(live: LiveCluster | null, node: string): World | null {
  const view = live?.nodes.get(node)
  if (live === null || view === undefined) return null
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
 * Whether the world is another one than that of the plan. The picture may lag behind a plan that was just made: when it comes to what
 * the plan found, nothing has changed.
 */
export function hasChanged(before: World | null, now: World | null, planned: readonly InstanceEffect[]): boolean {
  if (before === null || now === null) return false
  if (now.node !== before.node) return true
  return now.instances !== before.instances && now.instances !== instancesText(planned.map(asPictured))
}

/** The picture weighs no places: what a plan blocks because no host takes it, though a mark moves it, moves there. */
function asPictured(effect: InstanceEffect): InstanceEffect {
  const isMarked = effect.source === 'tag' || effect.source === 'host-mode'
  return isMarked && effect.action === 'blocked' ? { ...effect, action: 'live_migrate' } : effect
}

/** One that migrates blocks a plan: the picture calls it migrating, the plan blocked, and both say the same. */
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
