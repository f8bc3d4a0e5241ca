/** Facts about Watcher's recommendations (docs/domain.md B.2); main/adapters/openstack/watcher reads them. */

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

/** States of an action plan. Its actions show its result, never its state (docs/domain.md B.2, LP 2106407). */
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

/** One action of a plan. `resourceId` is the instance's id for a migrate or stop, the hypervisor's for a service change. */
export interface WatcherAction {
  readonly uuid: string
  readonly state: WatcherActionState
  /** What it does; `other`: a type that this version does not know, named by `type`. */
  readonly kind: 'disable-service' | 'enable-service' | 'live-migrate' | 'cold-migrate' | 'stop' | 'other'
  readonly type: string
  readonly resourceId: string
  readonly resourceName: string
  /** The destination of an instance; null: nova-scheduler decides. */
  readonly destination: string | null
  readonly parents: readonly string[]
  /** Why it was skipped or failed, if this Watcher says so (microversion 1.5). */
  readonly statusMessage: string | null
}

/** An action plan with all its actions, in execution order (parents first). */
export interface WatcherPlan {
  readonly uuid: string
  readonly auditUuid: string
  readonly state: WatcherPlanState
  readonly createdAt: string | null
  readonly actions: readonly WatcherAction[]
}

/** Whether Watcher has the load metrics of a strategy; without them it recommends nothing, regardless of the load. */
export interface WatcherFigures {
  readonly available: boolean
  /** Watcher's own words: `prometheus: available`. */
  readonly reported: string
}

export interface WatcherAbout {
  /** Highest microversion, such as `1.4`. */
  readonly version: string
  /** Parameters of its strategy host_maintenance; older Watchers lack the two `disable_…_migration`. */
  readonly maintenanceParameters: readonly string[]
  /** Whether one action can be skipped before the plan starts (microversion 1.5). */
  readonly canSkip: boolean
}
