/** The Kubernetes releases whose answers the simulator can give. */
export type ReleaseName = '1.36' | '1.20'

/** The differences between the API servers of two releases (docs/drain.md 5.7). */
export interface Release {
  readonly version: string
  /** The served version of the policy API, for budgets and evictions in discovery. */
  readonly policy: 'v1' | 'v1beta1'
  /** Accepted versions of the Eviction object. */
  readonly evictions: readonly string[]
  /** Whether budgets have `unhealthyPodEvictionPolicy`. */
  readonly unhealthyPods: boolean
  /** Whether budgets have the condition `DisruptionAllowed`, and refusals count only missing pods as needed. */
  readonly budgetConditions: boolean
  /** Whether an empty selector selects every pod of the namespace, or no pod. */
  readonly emptySelectorSelects: boolean
  /** Seconds until a client may retry a pod whose budget is still being processed; 0 if the server sends no time. */
  readonly processedAfterSeconds: number
  readonly marksEvicted: boolean
  /** Whether a watch may start with the existing objects (`sendInitialEvents`). */
  readonly initialEvents: boolean
  /** Whether answers carry the Audit-ID of their request. */
  readonly auditIds: boolean
  readonly selfReviews: boolean
  /** Whether opening a WebSocket to a pod, which is a GET, also needs the right to `create` (since 1.35). */
  readonly socketsNeedCreate: boolean
  /** Whether definitions may have CEL rules (`x-kubernetes-validations`). */
  readonly schemaRules: boolean
}

const RELEASES: Readonly<Record<ReleaseName, Release>> = {
  '1.36': {
    version: 'v1.36.2',
    policy: 'v1',
    evictions: ['policy/v1', 'policy/v1beta1'],
    unhealthyPods: true,
    budgetConditions: true,
    emptySelectorSelects: true,
    processedAfterSeconds: 10,
    marksEvicted: true,
    initialEvents: true,
    auditIds: true,
    selfReviews: true,
    socketsNeedCreate: true,
    schemaRules: true,
  },
  '1.20': {
    version: 'v1.20.2',
    policy: 'v1beta1',
    evictions: ['policy/v1beta1'],
    unhealthyPods: false,
    budgetConditions: false,
    emptySelectorSelects: false,
    processedAfterSeconds: 0,
    marksEvicted: false,
    initialEvents: false,
    auditIds: false,
    selfReviews: false,
    socketsNeedCreate: false,
    schemaRules: false,
  },
}

export function releaseOf(name: ReleaseName): Release {
  return RELEASES[name]
}
