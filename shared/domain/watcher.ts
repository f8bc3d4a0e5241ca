/** WA watcher/objects/action.py. */
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

/** A plan's actions show its result, never its state (docs/domain.md B.2, LP 2106407). */
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

/** `resourceId`: the instance's id for a migrate or stop, the hypervisor's for a service change. */
export interface WatcherAction {
  readonly uuid: string
  readonly state: WatcherActionState
  /** `other`: a type that this version does not know, named by `type`. */
  readonly kind: 'disable-service' | 'enable-service' | 'live-migrate' | 'cold-migrate' | 'stop' | 'other'
  readonly type: string
  readonly resourceId: string
  readonly resourceName: string
  /** Null if nova-scheduler decides. */
  readonly destination: string | null
  readonly parents: readonly string[]
  /** Why it was skipped or failed, if this Watcher says so (microversion 1.5). */
  readonly statusMessage: string | null
}

/** A plan with its actions in execution order (parents first). */
export interface WatcherPlan {
  readonly uuid: string
  readonly auditUuid: string
  readonly state: WatcherPlanState
  readonly createdAt: string | null
  readonly actions: readonly WatcherAction[]
}

/** Without the load metrics of a strategy Watcher recommends nothing, whatever the load. */
export interface WatcherFigures {
  readonly available: boolean
  /** Watcher's own words: `prometheus: available`. */
  readonly reported: string
}

export interface WatcherAbout {
  /** Highest microversion, such as `1.4`. */
  readonly version: string
  /** The parameters of its strategy host_maintenance; older Watchers lack the two `disable_…_migration`. */
  readonly maintenanceParameters: readonly string[]
  /** One action can be skipped before the plan starts (microversion 1.5). */
  readonly canSkip: boolean
}
