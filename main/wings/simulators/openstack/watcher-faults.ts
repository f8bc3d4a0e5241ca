import type { Action } from './watcher-records.ts'

/** What goes wrong with actions: `fail` ends them FAILED without doing anything, `hang` leaves them ONGOING until it is gone. */
type ActionFault = 'fail' | 'hang'

/** Faults of the embedded Watcher, to be changed at any moment; HTTP faults are the cloud's (service `infra-optim`). */
export interface WatcherFaults {
  /** By the action's resource (name or id) or its type. */
  readonly actions: Record<string, ActionFault>
  /** Every audit from now on fails, or never ends. */
  audits: 'fail' | 'hang' | null
}

/** No faults. */
export function createWatcherFaults(): WatcherFaults {
  return { actions: {}, audits: null }
}

/** The fault of one action, the resource's before the type's. */
export function faultOf(faults: WatcherFaults, { type, input }: Action): ActionFault | undefined {
  return faults.actions[input.resource_id] ?? faults.actions[input.resource_name ?? ''] ?? faults.actions[type]
}
