import type { CordonHolder } from './cordon-holders.ts'
import type { Json } from './json.ts'

/** Facts about Kubernetes, read by main/adapters/kubernetes. Times are ISO strings, identifiers are the server's own. */

/** Whether the kubelet of a node reports. `unknown`: the control plane lost contact (Ready condition Unknown or absent). */
export type NodeReadiness = 'ready' | 'not-ready' | 'unknown'

export interface ClusterNode {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly unschedulable: boolean
  readonly taints: readonly NodeTaint[]
  /** Field managers that hold its cordon; empty: not cordoned, or the server does not say. */
  readonly cordonedBy: readonly CordonHolder[]
  readonly readiness: NodeReadiness
  /** The Ready condition's reason and message, for people. */
  readonly readinessText: string
  /** When the Ready condition last changed; null: the node never reported. */
  readonly readinessSince: string | null
  readonly bootId: string
  readonly kubeletVersion: string
  readonly osImage: string
  readonly internalIp: string | null
  readonly createdAt: string
}

export interface NodeTaint {
  readonly key: string
  /** Empty: no value. */
  readonly value: string
  readonly effect: string
}

/** The owner that controls a pod or a workload: the ownerReference with `controller: true`. */
export interface ControllerRef {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
}

/** A pod, with the fields that drain rules (docs/drain.md 5.2) and the plan need. */
export interface Pod {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly nodeName: string | null
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  /** When its deletion was requested (deletionTimestamp), else null. */
  readonly deletionAt: string | null
  /** Each keeps the pod until its author removes it. */
  readonly finalizers: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  /** Labels that its node needed when the pod was scheduled. */
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

/** One requirement on a node's labels or name (`metadata.name`), in Kubernetes' notation. */
export interface NodeRequirement {
  readonly key: string
  readonly operator: string
  readonly values: readonly string[]
}

/** A PersistentVolume of a bound claim. `reach` null: every node reaches it; else a node must meet all of any one list. */
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

/** A Deployment, ReplicaSet, StatefulSet or DaemonSet. */
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

/** One question of a SelfSubjectAccessReview: may I do this? */
export interface AccessQuestion {
  readonly verb: string
  /** API group; empty for the core group. */
  readonly group: string
  readonly resource: string
  readonly subresource?: string | undefined
  /** Absent for cluster-scoped resources and for all namespaces. */
  readonly namespace?: string | undefined
}

export interface AccessAnswer {
  readonly question: AccessQuestion
  readonly allowed: boolean
  /** The server's reason, often empty. */
  readonly reason: string
}

/** The result of one eviction attempt (docs/drain.md 5.3, answers table). */
export type EvictionAnswer =
  /** 2xx: the API accepted it; the pod now terminates. */
  | { readonly kind: 'accepted' }
  /** 404: the pod no longer exists. */
  | { readonly kind: 'gone' }
  /** 429: a budget (named in `sentence`) or the API's own throttling refuses for now. */
  | { readonly kind: 'refused'; readonly sentence: string; readonly retryAfterMs: number | null }
  /** 403 with cause NamespaceTerminating. */
  | { readonly kind: 'namespace-terminating' }
  /** 409: the precondition on the UID failed, or the write conflicted. */
  | { readonly kind: 'conflict'; readonly sentence: string }
  /** Any other answer; this pod fails. */
  | { readonly kind: 'failed'; readonly failure: import('./failure.ts').Failure }

type PodFate =
  /** Leaves by the Eviction API. */
  | 'evict'
  /** Leaves by plain DELETE (server without eviction, or eviction disabled by the operator). */
  | 'delete'
  /** Stays: DaemonSet pod, mirror pod, or deleted long enough ago. */
  | 'keep'
  /** Blocks the whole node until the operator decides. */
  | 'block'

/** What a budget means for the eviction of one pod now (docs/drain.md 5.5). */
export type BudgetState =
  | 'allows'
  | 'refuses'
  /** Its controller has not processed its newest change, and refuses until then. */
  | 'behind'
  /** The pod is evicted regardless of the budget. */
  | 'passed'

export interface GuardingBudget {
  readonly name: string
  readonly disruptionsAllowed: number
  readonly currentHealthy: number
  readonly desiredHealthy: number
  readonly status: BudgetState
}

/** A drain rule that a pod fails (docs/drain.md 5.2), in kubectl's words. Some rules can be overridden, each by its own choice. */
export interface PodObstacle {
  readonly rule: /** Its DaemonSet is gone: nothing brings it back. */
    | 'daemon-set-missing'
    | 'daemon-set-unknown'
    | 'daemon-set'
    /** Its emptyDir data would be lost. */
    | 'local-storage'
    /** No controller owns it: nothing recreates it. */
    | 'no-controller'
  readonly reason: string
  readonly code: string
  readonly values: Values
}

/** One pod of a drain plan: what happens to it and why, with every warning in filter order (docs/drain.md V4). */
export interface PodDecision {
  readonly pod: Pod
  readonly fate: PodFate
  /** Why it is kept, or the first reason why it blocks; empty if it leaves. */
  readonly reason: string
  /** Code of the reason; absent: there is none. */
  readonly code?: string
  readonly values?: Values
  readonly warnings: readonly string[]
  /** Every rule by which it blocks; empty unless its fate is `block`. */
  readonly obstacles: readonly PodObstacle[]
  readonly budgets: readonly GuardingBudget[]
  /** The answer of the one dry-run eviction (docs/drain.md V9), if it was made. */
  readonly dryRun: EvictionAnswer | null
}

/** The operator's choices for a drain; defaults are kubectl's (all false), except that DaemonSets are ignored. */
export interface DrainOptions {
  /** Evict pods without a controller and pods of a vanished DaemonSet. */
  readonly force: boolean
  readonly ignoreDaemonSets: boolean
  /** Data in emptyDir volumes is lost with the pod. */
  readonly deleteEmptyDirData: boolean
  /** DELETE instead of evict: budgets are ignored. */
  readonly disableEviction: boolean
  /** -1: each pod's own. */
  readonly gracePeriodSeconds: number
  /** A pod whose deletion was requested longer ago is skipped; 0 waits for all. */
  readonly skipWaitForDeleteSeconds: number
  /** Covers evicting and waiting for one node; 0: no limit. */
  readonly timeoutMs: number
}

/** kubectl's defaults (docs/drain.md 5.4 rule 7), with DaemonSets ignored. */
export const DRAIN_DEFAULTS: DrainOptions = {
  force: false,
  ignoreDaemonSets: true,
  deleteEmptyDirData: false,
  disableEviction: false,
  gracePeriodSeconds: -1,
  skipWaitForDeleteSeconds: 0,
  timeoutMs: 0,
}

/** What a drain of a node would do now; making it changes nothing. */
export interface DrainPlan {
  readonly node: string
  readonly evictionVersion: 'policy/v1' | 'policy/v1beta1' | null
  readonly decisions: readonly PodDecision[]
  /** kubectl's grouped texts, such as `cannot delete Pods declare no controller (use force to override): ns/a, ns/b`. */
  readonly blockers: readonly string[]
  readonly readAt: string
}

/** An event of a pod during a drain, as the journal records it. `requested` is written before the request is sent. */
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
  /** Its eviction was accepted, but it was not deleted within seconds. */
  | { readonly kind: 'pod.not-deleted'; readonly pod: PodName }
  /** It was reported as not deleted, and now has a deletion time. */
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

/** A remaining pod and the reason, as a text with its code and values. */
export interface StayingPod {
  readonly pod: PodName
  readonly why: string
  readonly code: string
  readonly values: Values
}

type Values = { readonly [name: string]: Json }

/** How a drain ended. `left` and `pending` are pods that had to go. */
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
  /** The API could not be read at all (listing pods, discovery), or the node is not cordoned (V2). */
  | { readonly kind: 'refused'; readonly failure: import('./failure.ts').Failure }

/** Why a source is silent; `reason` with `values`: our code. */
export interface Silence {
  readonly why: string
  readonly reason?: string | undefined
  readonly values?: Readonly<Record<string, Json>> | undefined
}

/** How fresh the data is (style G29). */
export type WatchState =
  | { readonly kind: 'catching-up' }
  | { readonly kind: 'live'; readonly lastAnswerAt: string }
  | (Silence & { readonly kind: 'offline'; readonly since: string })
  | (Silence & { readonly kind: 'not-permitted' })

/** The same for a source that a cluster may lack. */
export type FeedState = WatchState | (Silence & { readonly kind: 'absent' })

/** A held Lease: its holder, since when, on which machine (style G26). */
export interface LeaseHolder {
  readonly identity: string
  readonly runId: string | null
  readonly operator: string | null
  readonly machine: string | null
  readonly since: string | null
  readonly renewedAt: string | null
  readonly durationSeconds: number
}
