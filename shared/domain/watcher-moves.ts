import type { Instance } from './openstack.ts'
import type { DisabledMigration } from './plan.ts'
import type { WatcherAction } from './watcher.ts'

export type MovableInstance = Pick<Instance, 'status' | 'vmState' | 'taskState'>

export type WatcherMove = 'live' | 'cold' | 'stop' | 'stays'

/** Of Watcher's strategy host_maintenance (docs/domain.md B.2): it tells only active from not active. */
export function watcherMove(instance: MovableInstance, disabled: DisabledMigration): WatcherMove {
  const active = vmStateOf(instance) === 'active'
  switch (disabled) {
    case 'none':
      return active ? 'live' : 'cold'
    case 'live':
      return 'cold'
    case 'cold':
      return active ? 'live' : 'stays'
    case 'both':
      return active ? 'stop' : 'stays'
  }
}

/** Nova accepts Watcher's request in these states (docs/domain.md C.4; nova/compute/api.py). */
const POSSIBLE: Readonly<Record<'live' | 'cold' | 'stop', ReadonlySet<string>>> = {
  live: new Set(['active']),
  cold: new Set(['active', 'stopped']),
  stop: new Set(['active', 'stopped']),
}

/** Watcher's action can succeed for an instance in this state. */
export function isPossible(move: 'live' | 'cold' | 'stop', instance: MovableInstance): boolean {
  return POSSIBLE[move].has(vmStateOf(instance))
}

/** Nova itself moves active and paused instances live (docs/domain.md C.4). */
export function novaMovesLive(instance: MovableInstance): boolean {
  const state = vmStateOf(instance)
  return state === 'active' || state === 'paused'
}

export function moveOf(action: Pick<WatcherAction, 'kind'>): 'live' | 'cold' | 'stop' | null {
  switch (action.kind) {
    case 'live-migrate':
      return 'live'
    case 'cold-migrate':
      return 'cold'
    case 'stop':
      return 'stop'
    case 'disable-service':
    case 'enable-service':
    case 'other':
      return null
  }
}

/** If the cloud does not report it, the API's status is nearly the same. */
export function vmStateOf({ vmState, status }: MovableInstance): string {
  if (vmState !== null) return vmState
  return status === 'SHUTOFF' ? 'stopped' : status.toLowerCase()
}
