/** The releases of Kubernetes whose API servers the simulator answers like. */
export type ReleaseName = '1.36' | '1.20'

/** What an API server of a release answers where releases differ (docs/drain.md 5.7). */
export interface Release {
  readonly version: string
  /** The one version of the policy API that is served: budgets are of it, and discovery names it for evictions. */
  readonly policy: 'v1' | 'v1beta1'
  /** Evictions are understood in these versions. */
  readonly evictions: readonly string[]
  /** Whether a budget may say what is to happen to pods that are not ready (`unhealthyPodEvictionPolicy`). */
  readonly unhealthyPods: boolean
  /** Whether budgets have the condition `DisruptionAllowed`, and a refusal never says that pods are needed which are there. */
  readonly budgetConditions: boolean
  /** Whether an empty selector selects every pod of the namespace, or none. */
  readonly emptySelectorSelects: boolean
  /** After how many seconds a pod may be tried again whose budget is still being processed; 0: the server does not say. */
  readonly processedAfterSeconds: number
  /** Whether an evicted pod is marked with the condition `DisruptionTarget`. */
  readonly marksEvicted: boolean
  /** Whether a watch may begin with what exists and say where that ends (`sendInitialEvents`). */
  readonly initialEvents: boolean
  /** Whether every answer bears the Audit-ID of its request. */
  readonly auditIds: boolean
  /** Whether it tells who asks (`SelfSubjectReview`). */
  readonly selfReviews: boolean
  /** Whether `create` is asked for too where a WebSocket to a pod is opened, which is a GET (from 1.35 on). */
  readonly socketsNeedCreate: boolean
  /** Whether definitions may have rules in CEL (`x-kubernetes-validations`). */
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

/** The answers of a release. */
export function releaseOf(name: ReleaseName): Release {
  return RELEASES[name]
}
