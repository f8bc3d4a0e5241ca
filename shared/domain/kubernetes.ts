import type { CordonHolder } from './cordon-holders.ts'
import type { Json } from './json.ts'

/**
 * The Kubernetes facts that rules are written over: plain values, read from the API by main/adapters/kubernetes.
 * Times are ISO strings, identifiers are the server's own.
 */

/** Whether the kubelet of a node reports. `unknown` means the control plane lost contact (Ready condition Unknown or absent). */
export type NodeReadiness = 'ready' | 'not-ready' | 'unknown'

/** A Kubernetes node. */
export interface ClusterNode {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly unschedulable: boolean
  readonly taints: readonly NodeTaint[]
  /** Who holds its cordon; empty where it is not cordoned, and where the server does not tell. */
  readonly cordonedBy: readonly CordonHolder[]
  readonly readiness: NodeReadiness
  /** The Ready condition's reason and message, for people. */
  readonly readinessText: string
  /** When the Ready condition last changed; null where the node never reported. */
  readonly readinessSince: string | null
  readonly bootId: string
  readonly kubeletVersion: string
  readonly osImage: string
  readonly internalIp: string | null
  readonly createdAt: string
}

/** A taint of a node. */
export interface NodeTaint {
  readonly key: string
  /** Empty where it has none. */
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
  /** When deletion was asked for (deletionTimestamp), else null. */
  readonly deletionAt: string | null
  /** Each keeps the pod from going until whoever set it takes it away. */
  readonly finalizers: readonly string[]
  readonly labels: Readonly<Record<string, string>>
  /** Labels that its node had to have when it was scheduled. */
  readonly nodeSelector: Readonly<Record<string, string>>
  readonly controller: ControllerRef | null
  /** The annotation `kubernetes.io/config.mirror` is present, with any value. */
  readonly mirror: boolean
  /** Names of its emptyDir volumes. */
  readonly emptyDirs: readonly string[]
  /** Names of the PersistentVolumeClaims it mounts. */
  readonly claims: readonly string[]
  /** Its Ready condition is True. */
  readonly ready: boolean
  readonly createdAt: string
}

/** A label selector as the API has it. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>> | undefined
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] | undefined }[]
    | undefined
}

/** One requirement of a node's labels, or of its name (`metadata.name`), as Kubernetes writes them. */
export interface NodeRequirement {
  readonly key: string
  readonly operator: string
  readonly values: readonly string[]
}

/** A PersistentVolume that a claim is bound to. `reach` null: every node reaches it; else a node has to meet all of any one list. */
export interface BoundVolume {
  readonly name: string
  readonly namespace: string
  readonly claim: string
  readonly reach: readonly (readonly NodeRequirement[])[] | null
}

/** A PodDisruptionBudget and what its controller last computed. */
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
  /** Absent for cluster-scoped resources and for "in every namespace". */
  readonly namespace?: string | undefined
}

/** The server's answer to an {@link AccessQuestion}. */
export interface AccessAnswer {
  readonly question: AccessQuestion
  readonly allowed: boolean
  /** The server's reason, often empty. */
  readonly reason: string
}

/** What one eviction attempt came to (docs/drain.md 5.3, answers table). */
export type EvictionAnswer =
  /** 2xx: the API accepted it; the pod now terminates. */
  | { readonly kind: 'accepted' }
  /** 404: the pod is no longer there. */
  | { readonly kind: 'gone' }
  /** 429: a budget (named in `sentence`) or the API's own throttling refuses for now. */
  | { readonly kind: 'refused'; readonly sentence: string; readonly retryAfterMs: number | null }
  /** 403 with cause NamespaceTerminating. */
  | { readonly kind: 'namespace-terminating' }
  /** 409: the precondition on the UID did not hold, or the write conflicted. */
  | { readonly kind: 'conflict'; readonly sentence: string }
  /** Anything else; this pod fails. */
  | { readonly kind: 'failed'; readonly failure: import('./failure.ts').Failure }

/** How a drain treats one pod. */
type PodFate =
  /** Leaves by the Eviction API. */
  | 'evict'
  /** Leaves by plain DELETE (server without eviction, or eviction disabled by the operator). */
  | 'delete'
  /** Stays: DaemonSet pod, mirror pod, or already deleted long enough. */
  | 'keep'
  /** Blocks the whole node until the operator decides. */
  | 'block'

/** What a budget means for the eviction of one pod now (docs/drain.md 5.5). */
export type BudgetState =
  /** It allows a disruption. */
  | 'allows'
  /** It allows none. */
  | 'refuses'
  /** Its newest change is not processed yet, and until then nothing goes. */
  | 'behind'
  /** The pod is evicted whatever it allows. */
  | 'passed'

/** A budget that guards a pod. */
export interface GuardingBudget {
  readonly name: string
  readonly disruptionsAllowed: number
  readonly currentHealthy: number
  readonly desiredHealthy: number
  /** What it means for this pod. */
  readonly status: BudgetState
}

/** A rule of the drain that a pod does not pass (docs/drain.md 5.2), with kubectl's own words. Each is lifted by a choice of its own, or by none. */
export interface PodObstacle {
  readonly rule: /** Its DaemonSet is gone: nothing brings it back. */
    | 'daemon-set-missing'
    /** Its DaemonSet could not be read. */
    | 'daemon-set-unknown'
    /** Its DaemonSet is there, and DaemonSets are not ignored. */
    | 'daemon-set'
    /** Its emptyDir data would be lost. */
    | 'local-storage'
    /** No controller owns it: nothing brings it back. */
    | 'no-controller'
  readonly reason: string
  /** What the reason is made of. */
  readonly code: string
  readonly values: Values
}

/** One pod of a drain plan: what happens to it and why, with every warning kept in filter order (docs/drain.md V4). */
export interface PodDecision {
  readonly pod: Pod
  readonly fate: PodFate
  /** Why it is kept, or the first reason why it blocks; empty when it simply leaves. */
  readonly reason: string
  /** What the reason is made of; absent: there is none. */
  readonly code?: string
  readonly values?: Values
  readonly warnings: readonly string[]
  /** Every rule that it blocks by; empty unless its fate is `block`. */
  readonly obstacles: readonly PodObstacle[]
  readonly budgets: readonly GuardingBudget[]
  /** The answer of the one dry-run eviction (docs/drain.md V9), where it was made. */
  readonly dryRun: EvictionAnswer | null
}

/** The operator's choices for a drain; defaults are kubectl's, all false, but for ignoring DaemonSets. */
export interface DrainOptions {
  /** Evict pods without a controller and pods of a vanished DaemonSet. */
  readonly force: boolean
  readonly ignoreDaemonSets: boolean
  /** Data in emptyDir volumes is lost with the pod. */
  readonly deleteEmptyDirData: boolean
  /** DELETE instead of evicting: budgets are ignored. */
  readonly disableEviction: boolean
  /** -1: each pod's own. */
  readonly gracePeriodSeconds: number
  /** A pod whose deletion was asked for longer ago than this is skipped; 0 waits for all. */
  readonly skipWaitForDeleteSeconds: number
  /** Covers evicting and waiting for one node; 0 is no limit. */
  readonly timeoutMs: number
}

/** kubectl's own choices (docs/drain.md 5.4 rule 7), with the pods of DaemonSets left where they are. */
export const DRAIN_DEFAULTS: DrainOptions = {
  force: false,
  ignoreDaemonSets: true,
  deleteEmptyDirData: false,
  disableEviction: false,
  gracePeriodSeconds: -1,
  skipWaitForDeleteSeconds: 0,
  timeoutMs: 0,
}

/** What a drain of a node would do now; nothing was touched. */
export interface DrainPlan {
  readonly node: string
  readonly evictionVersion: 'policy/v1' | 'policy/v1beta1' | null
  readonly decisions: readonly PodDecision[]
  /** kubectl's grouped texts, such as `cannot delete Pods declare no controller (use force to override): ns/a, ns/b`. */
  readonly blockers: readonly string[]
  readonly readAt: string
}

/** Something that happened to a pod during a drain: the journal's facts. `requested` is written before the request is sent. */
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
  /** Its time to end is over, and finalizers keep it; `by` names them. */
  | { readonly kind: 'pod.held'; readonly pod: PodName; readonly by: string }
  /** Its eviction was accepted, and seconds later nothing deletes it. */
  | { readonly kind: 'pod.not-deleted'; readonly pod: PodName }
  /** It was told that nothing deletes it, and now it has a time to end. */
  | { readonly kind: 'pod.terminates'; readonly pod: PodName }
  | { readonly kind: 'pod.left'; readonly pod: PodName; readonly how: 'gone' | 'replaced' | 'moved' }
  | {
      readonly kind: 'pod.failed'
      readonly pod: PodName
      readonly message: string
      readonly code: string
      readonly values: Values
    }

/** A pod named so that a namesake is never mistaken for it. */
export interface PodName {
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

/** A pod that is still there, and why: a text, and the code and values that it is made of. */
export interface StayingPod {
  readonly pod: PodName
  readonly why: string
  readonly code: string
  readonly values: Values
}

type Values = { readonly [name: string]: Json }

/** How a drain ended. `left` and `pending` are the pods that had to go. */
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
  /** The API could not be asked at all (listing pods, discovery), or the node is not cordoned (V2). */
  | { readonly kind: 'refused'; readonly failure: import('./failure.ts').Failure }

/** Why something is not heard; `reason`, with `values`: by a code of our own. */
export interface Silence {
  readonly why: string
  readonly reason?: string | undefined
  readonly values?: Readonly<Record<string, Json>> | undefined
}

/** How fresh what we know is (style G29). */
export type WatchState =
  | { readonly kind: 'catching-up' }
  | { readonly kind: 'live'; readonly lastAnswerAt: string }
  | (Silence & { readonly kind: 'offline'; readonly since: string })
  | (Silence & { readonly kind: 'not-permitted' })

/** The same of what a cluster may not have at all. */
export type FeedState = WatchState | (Silence & { readonly kind: 'absent' })

/** A held Lease, as people must be told about it: who, since when, from which machine (style G26). */
export interface LeaseHolder {
  readonly identity: string
  readonly runId: string | null
  readonly operator: string | null
  readonly machine: string | null
  readonly since: string | null
  readonly renewedAt: string | null
  readonly durationSeconds: number
}
