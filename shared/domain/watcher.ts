/** What Watcher recommends and does (docs/domain.md B.2): plain values, read by main/adapters/openstack/watcher. */

/** States of an action (WA watcher/objects/action.py). */
export type WatcherActionState =
  | 'PENDING'
  | 'ONGOING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'SKIPPED'
  | 'CANCELLING'
  | 'CANCELLED'
  | 'DELETED'
  | 'UNKNOWN'

/** States of an action plan. Its actions tell what became of it, never its state (docs/domain.md B.2, LP 2106407). */
export type WatcherPlanState =
  | 'RECOMMENDED'
  | 'PENDING'
  | 'ONGOING'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'CANCELLING'
  | 'CANCELLED'
  | 'SUPERSEDED'
  | 'DELETED'
  | 'UNKNOWN'

/** One action of a plan. `resourceId` of a migrate or stop is the instance's id, of a service change the hypervisor's. */
export interface WatcherAction {
  readonly uuid: string
  readonly state: WatcherActionState
  /** What it does; `other` for types this version does not know, `type` then says which. */
  readonly kind: 'disable-service' | 'enable-service' | 'live-migrate' | 'cold-migrate' | 'stop' | 'other'
  readonly type: string
  readonly resourceId: string
  readonly resourceName: string
  /** Where an instance goes; null when nova-scheduler decides. */
  readonly destination: string | null
  readonly parents: readonly string[]
  /** Why it was skipped or failed, where this Watcher says so (microversion 1.5). */
  readonly statusMessage: string | null
}

/** An action plan with all its actions, in the order in which they can run (parents first). */
export interface WatcherPlan {
  readonly uuid: string
  readonly auditUuid: string
  readonly state: WatcherPlanState
  readonly createdAt: string | null
  readonly actions: readonly WatcherAction[]
}

/** Whether Watcher has figures of the load that a strategy judges by; without them it recommends nothing, whatever the load is. */
export interface WatcherFigures {
  readonly available: boolean
  /** In Watcher's own words: `prometheus: available`. */
  readonly reported: string
}

/** What a Watcher service offers. */
export interface WatcherAbout {
  /** Highest microversion, such as `1.4`. */
  readonly version: string
  /** Parameters that strategy host_maintenance knows here; older Watchers lack the two `disable_…_migration`. */
  readonly maintenanceParameters: readonly string[]
  /** Whether one action can be skipped before the plan starts (microversion 1.5). */
  readonly canSkip: boolean
}
