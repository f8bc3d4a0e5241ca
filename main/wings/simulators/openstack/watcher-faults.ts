import type { Action } from './watcher-records.ts'

/** `fail` ends an action FAILED without work; `hang` leaves it ONGOING until the fault is removed. */
type ActionFault = 'fail' | 'hang'

/** Faults of the embedded Watcher; a test can change them at any time. HTTP faults are the cloud's (service `infra-optim`). */
export interface WatcherFaults {
  /** Keyed by the action's resource (name or id), or by its type. */
  readonly actions: Record<string, ActionFault>
  /** Makes every later audit fail or never end. */
  audits: 'fail' | 'hang' | null
}

export function createWatcherFaults(): WatcherFaults {
  return { actions: {}, audits: null }
}

/** Returns the fault of one action; the resource's fault precedes the type's. */
export function faultOf(faults: WatcherFaults, { type, input }: Action): ActionFault | undefined {
  return faults.actions[input.resource_id] ?? faults.actions[input.resource_name ?? ''] ?? faults.actions[type]
}
