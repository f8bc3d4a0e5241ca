import type { CordonHolder } from './cordon-holders.ts'
import type { Json } from './json.ts'

/** Facts about Kubernetes. Times are ISO strings, identifiers are the server's own. */

/** `unknown`: the control plane lost contact (Ready condition Unknown or absent). */
export type NodeReadiness = 'ready' | 'not-ready' | 'unknown'

export interface ClusterNode {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly unschedulable: boolean
  readonly taints: readonly NodeTaint[]
  /** Field managers of its cordon; empty if not cordoned, or the server does not say. */
  readonly cordonedBy: readonly CordonHolder[]
  readonly readiness: NodeReadiness
  readonly readinessText: string
  /** When the Ready condition last changed; null if the node never reported. */
  readonly readinessSince: string | null
  readonly bootId: string
  readonly kubeletVersion: string
  readonly osImage: string
  readonly internalIp: string | null
  readonly createdAt: string
}

export interface NodeTaint {
  readonly key: string
  readonly value: string
  readonly effect: string
}

/** The ownerReference with `controller: true`. */
export interface ControllerRef {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
}

export interface Pod {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly nodeName: string | null
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  /** Null if no deletion was requested. */
  readonly deletionAt: string | null
  /** Each keeps the pod until its author removes it. */
  readonly finalizers: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  /** Required of its node when the pod was scheduled. */
  readonly nodeSelector: Readonly<Record<string, string>>
  readonly controller: ControllerRef | null
  /** The annotation `kubernetes.io/config.mirror` is present, with any value. */
  readonly mirror: boolean
  readonly emptyDirs: readonly string[]
  readonly claims: readonly string[]
  readonly ready: boolean
  readonly createdAt: string
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[]
    | undefined
}

/** On a node's labels or name (`metadata.name`), in Kubernetes' notation. */
export interface NodeRequirement {
  readonly key: string
  readonly operator: string
  readonly values: readonly string[]
}

/** The volume of a bound claim. `reach` null: every node reaches it; else a node must meet all of any one list. */
export interface BoundVolume {
  readonly name: string
  readonly namespace: string
  readonly claim: string
  readonly reach: readonly (readonly NodeRequirement[])[] | null
}

export interface DisruptionBudget {
  readonly apiVersion: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** Null selects nothing; an empty selector selects every pod of the namespace (docs/drain.md 5.5). */
  readonly selector: LabelSelector | null
  readonly minAvailable: string | number | null
  readonly maxUnavailable: string | number | null
  readonly unhealthyPodEvictionPolicy: string | null
  readonly generation: number
  readonly observedGeneration: number
  readonly disruptionsAllowed: number
  readonly currentHealthy: number
  readonly desiredHealthy: number
  readonly expectedPods: number
}

export interface Workload {
  readonly apiVersion: string
  readonly kind: 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet'
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly controller: ControllerRef | null
  readonly replicas: number
  readonly readyReplicas: number
}

export interface AccessQuestion {
  readonly verb: string
  /** Empty means the core group. */
  readonly group: string
  readonly resource: string
  readonly subresource?: string | undefined
  /** Absent means a cluster-scoped resource, or all namespaces. */
  readonly namespace?: string | undefined
}

export interface AccessAnswer {
  readonly question: AccessQuestion
  readonly allowed: boolean
  readonly reason: string
}

/** The API server's answer to one attempt (docs/drain.md 5.3, answers table). */
export type EvictionAnswer =
  /** 2xx: the pod now terminates. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'gone' }
  /** 429: a budget (named in `sentence`) or the API's throttling refuses for now. */
  | { readonly kind: 'refused'; readonly sentence: string; readonly retryAfterMs: number | null }
  /** 403 with cause NamespaceTerminating. */
  | { readonly kind: 'namespace-terminating' }
  /** 409: the UID differs, or the write conflicted. */
  | { readonly kind: 'conflict'; readonly sentence: string }
  | { readonly kind: 'failed'; readonly failure: import('./failure.ts').Failure }

type PodFate =
  /** Leaves by the Eviction API. */
  | 'evict'
  /** A plain DELETE, because the server has no eviction or the operator disabled it. */
  | 'delete'
  /** A DaemonSet or mirror pod, or one deleted long enough ago. */
  | 'keep'
  | 'block'

/** What a budget means for the eviction of one pod now (docs/drain.md 5.5). */
export type BudgetState =
  | 'allows'
  | 'refuses'
  /** Its controller has not processed its newest change, and refuses until then. */
  | 'behind'
  /** The pod is evicted whatever the budget says. */
  | 'passed'

export interface GuardingBudget {
  readonly name: string
  readonly disruptionsAllowed: number
  readonly currentHealthy: number
  readonly desiredHealthy: number
  readonly status: BudgetState
}

/** A drain rule that a pod fails (docs/drain.md 5.2), in kubectl's words. */
export interface PodObstacle {
  readonly rule: /** Its DaemonSet is gone: nothing brings it back. */
    | 'daemon-set-missing'
    | 'daemon-set-unknown'
    | 'daemon-set'
    /** Its emptyDir data would be lost. */
    | 'local-storage'
    /** No controller recreates it. */
    | 'no-controller'
  readonly reason: string
  readonly code: string
  readonly values: Values
}

/** What happens to one pod and why, with every warning in filter order (docs/drain.md V4). */
export interface PodDecision {
  readonly pod: Pod
  readonly fate: PodFate
  /** Why it stays, or the first reason why it blocks; empty if it leaves. */
  readonly reason: string
  readonly code?: string
  readonly values?: Values
  readonly warnings: readonly string[]
  readonly obstacles: readonly PodObstacle[]
  readonly budgets: readonly GuardingBudget[]
  /** The answer to the one dry-run eviction (docs/drain.md V9). */
  readonly dryRun: EvictionAnswer | null
}

/** Defaults are kubectl's, except that DaemonSets are ignored. */
export interface DrainOptions {
  /** Evict pods without a controller and pods of a vanished DaemonSet. */
  readonly force: boolean
  readonly ignoreDaemonSets: boolean
  readonly deleteEmptyDirData: boolean
  readonly disableEviction: boolean
  readonly gracePeriodSeconds: number
  /** A pod whose deletion was requested longer ago is skipped; 0 waits for all. */
  readonly skipWaitForDeleteSeconds: number
  /** The limit for evicting and waiting on one node; 0 means no limit. */
  readonly timeoutMs: number
}

/** docs/drain.md 5.4 rule 7. */
export const DRAIN_DEFAULTS: DrainOptions = {
  force: false,
  ignoreDaemonSets: true,
  deleteEmptyDirData: false,
  disableEviction: false,
  gracePeriodSeconds: -1,
  skipWaitForDeleteSeconds: 0,
  timeoutMs: 0,
}

export interface DrainPlan {
  readonly node: string
  readonly evictionVersion: 'policy/v1' | 'policy/v1beta1' | null
  readonly decisions: readonly PodDecision[]
  /** kubectl's grouped texts, such as `cannot delete Pods declare no controller (use force to override): ns/a, ns/b`. */
  readonly blockers: readonly string[]
  readonly readAt: string
}

/** A fact as the journal records it. `requested` is written before the request is sent. */
export type DrainFact =
  | {
      readonly kind: 'pod.eviction-requested'
      readonly pod: PodName
      readonly attempt: number
      readonly how: 'evict' | 'delete'
    }
  | { readonly kind: 'pod.eviction-accepted'; readonly pod: PodName }
  | {
      readonly kind: 'pod.eviction-refused'
      readonly pod: PodName
      readonly sentence: string
      readonly code: string
      readonly values: Values
      readonly retryAt: string
    }
  /** Its grace period has ended, and the finalizers in `by` keep it. */
  | { readonly kind: 'pod.held'; readonly pod: PodName; readonly by: string }
  | { readonly kind: 'pod.not-deleted'; readonly pod: PodName }
  | { readonly kind: 'pod.terminates'; readonly pod: PodName }
  | { readonly kind: 'pod.left'; readonly pod: PodName; readonly how: 'gone' | 'replaced' | 'moved' }
  | {
      readonly kind: 'pod.failed'
      readonly pod: PodName
      readonly message: string
      readonly code: string
      readonly values: Values
    }

/** A pod with its UID, so that a later pod of the same name is never mistaken for it. */
export interface PodName {
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

export interface StayingPod {
  readonly pod: PodName
  readonly why: string
  readonly code: string
  readonly values: Values
}

type Values = { readonly [name: string]: Json }

/** `left` and `pending` are pods that had to go. */
export type DrainOutcome =
  | { readonly kind: 'drained'; readonly left: readonly PodName[] }
  | { readonly kind: 'blocked'; readonly blockers: readonly string[] }
  | { readonly kind: 'timed-out'; readonly pending: readonly StayingPod[] }
  | {
      readonly kind: 'failed'
      readonly failures: readonly StayingPod[]
      readonly pending: readonly PodName[]
    }
  | { readonly kind: 'aborted'; readonly pending: readonly PodName[] }
  /** The API could not be read at all, or the node is not cordoned (V2). */
  | { readonly kind: 'refused'; readonly failure: import('./failure.ts').Failure }

export interface Silence {
  readonly why: string
  readonly reason?: string | undefined
  readonly values?: Readonly<Record<string, Json>> | undefined
}

export type WatchState =
  | { readonly kind: 'catching-up' }
  | { readonly kind: 'live'; readonly lastAnswerAt: string }
  | (Silence & { readonly kind: 'offline'; readonly since: string })
  | (Silence & { readonly kind: 'not-permitted' })

export type FeedState = WatchState | (Silence & { readonly kind: 'absent' })

/** The holder of a Lease, since when, on which machine (style G26). */
export interface LeaseHolder {
  readonly identity: string
  readonly runId: string | null
  readonly operator: string | null
  readonly machine: string | null
  readonly since: string | null
  readonly renewedAt: string | null
  readonly durationSeconds: number
}
