import type { NamedObject } from '../../shared/domain/application-update.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { ForeignMaintenance } from '../../shared/domain/foreign-maintenance.ts'
import type { Json } from '../../shared/domain/json.ts'
import type {
  AccessAnswer,
  AccessQuestion,
  BoundVolume,
  ClusterNode,
  DisruptionBudget,
  DrainFact,
  DrainOptions,
  DrainOutcome,
  DrainPlan,
  FeedState,
  LeaseHolder,
  NodeTaint,
  Pod,
  WatchState,
  Workload,
} from '../../shared/domain/kubernetes.ts'
import type { LeaseSeen } from '../../shared/domain/lease-state.ts'
import type { MaintenanceObjects } from '../../shared/domain/maintenance-api.ts'
import type { EventOfNode } from '../../shared/domain/node-detail.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { LeasePort } from './leases.ts'

/** How a drain that is only planned reads the cluster, where others read the same. */
export type DrainReads = Pick<KubernetesPort, 'getNode' | 'listPodsOnNode' | 'listBudgets' | 'listWorkloads'>

/** Who cordons a node or uncordons it, and when that is not done. */
export interface SetUnschedulable {
  /** The run, by which the server knows the cordon from those of others. */
  readonly by?: string
  /** Only while the node is at this version, else `conflict`. */
  readonly atVersion?: string
  readonly signal?: AbortSignal
  /** What the patch passes right before it is sent: how long the read before it takes is not the patch's. */
  readonly gate?: <T>(effect: () => Promise<Result<T>>, signal?: AbortSignal) => Promise<Result<T>>
}

/** Maintenance by other programs of the cluster. `unread`: why a kind that the cluster serves could not be read, so that more may be asked for. */
export interface ForeignMaintenances {
  readonly found: readonly ForeignMaintenance[]
  readonly unread: readonly Failure[]
}

/**
 * What the procedures need of Kubernetes. main/adapters/kubernetes implements it; every call asks the API server afresh.
 * All answers are Results: `not-found`, `not-permitted` (names verb and resource), `unreachable`, `timed-out` and so on.
 */
export interface KubernetesPort {
  listNodes(signal?: AbortSignal): Promise<Result<readonly ClusterNode[]>>
  getNode(name: string, signal?: AbortSignal): Promise<Result<ClusterNode>>
  /** Cordon or uncordon (docs/drain.md 5.1): one strategic-merge patch of the difference; `changed` false when already so. */
  setUnschedulable(
    name: string,
    unschedulable: boolean,
    more?: SetUnschedulable,
  ): Promise<Result<{ readonly changed: boolean }>>
  /** Merge-patches annotations; null removes one. */
  annotateNode(
    name: string,
    annotations: Readonly<Record<string, string | null>>,
    signal?: AbortSignal,
  ): Promise<Result<void>>
  listTaints(name: string, signal?: AbortSignal): Promise<Result<readonly NodeTaint[]>>
  /** Puts a taint on a node, or takes it away; `changed` false when already so. The others stay as they are. */
  setTaint(
    name: string,
    taint: NodeTaint,
    wanted: boolean,
    signal?: AbortSignal,
  ): Promise<Result<{ readonly changed: boolean }>>
  /** Whether nobody holds the Lease of a node or machine. Of one that is held {@link KubernetesPort.leases} tells whether its holder lives. */
  isLeaseFree(node: string, signal?: AbortSignal): Promise<Result<boolean>>
  /** Annotations of the Lease of a node or machine; none when there is no such Lease. */
  getLeaseAnnotations(node: string, signal?: AbortSignal): Promise<Result<Readonly<Record<string, string>>>>
  /** The same for the Lease of a node or machine, which stays when it is released; `not-found` when there is none to write on. */
  annotateLease(
    node: string,
    annotations: Readonly<Record<string, string | null>>,
    signal?: AbortSignal,
  ): Promise<Result<void>>
  listPodsOnNode(node: string, signal?: AbortSignal): Promise<Result<readonly Pod[]>>
  listPods(namespace: string | null, signal?: AbortSignal): Promise<Result<readonly Pod[]>>
  getPod(namespace: string, name: string, signal?: AbortSignal): Promise<Result<Pod>>
  /** What Kubernetes reported about a node lately, newest first. */
  listNodeEvents(node: string, limit: number, signal?: AbortSignal): Promise<Result<readonly EventOfNode[]>>
  listBudgets(signal?: AbortSignal): Promise<Result<readonly DisruptionBudget[]>>
  /** Maintenance of nodes that other programs of the cluster are asked for: medik8s, Cluster API, Metal3, where the cluster serves their kinds. */
  listForeignMaintenances(signal?: AbortSignal): Promise<Result<ForeignMaintenances>>
  /** The volumes that claims are bound to, and which nodes reach them; `not-permitted` where nobody allowed to look. */
  listBoundVolumes(signal?: AbortSignal): Promise<Result<readonly BoundVolume[]>>
  listWorkloads(kinds: readonly Workload['kind'][], signal?: AbortSignal): Promise<Result<readonly Workload[]>>
  reviewAccess(questions: readonly AccessQuestion[], signal?: AbortSignal): Promise<Result<readonly AccessAnswer[]>>
  /** What a drain would do now; `dryRun` also sends one dry-run eviction per pod (V9). Only reads. */
  planDrain(
    node: string,
    options: DrainOptions,
    more: { readonly dryRun: boolean; readonly signal?: AbortSignal; readonly reads?: DrainReads },
  ): Promise<Result<DrainPlan>>
  /**
   * Drains (docs/drain.md 5.2-5.6). `onFact` is called synchronously, `pod.eviction-requested` before each request is sent.
   * `requestedBefore` tells the UIDs whose eviction an earlier process of this run announced: when such a pod already
   * terminates it is only waited for.
   */
  drain(
    node: string,
    options: DrainOptions,
    more: {
      readonly onFact: (fact: DrainFact) => void
      readonly requestedBefore: ReadonlySet<string>
      readonly signal: AbortSignal
      /** Each request that makes a pod leave is made by it; a failure: it was not sent, and the drain ends. */
      readonly gate?: <T>(effect: () => Promise<Result<T>>, signal?: AbortSignal) => Promise<Result<T>>
      /** Repeats what fails in a way that may pass by itself, with the patience of whoever drains. */
      readonly retryTransient?: <T>(what: string, attempt: () => Promise<Result<T>>) => Promise<Result<T>>
    },
  ): Promise<DrainOutcome>
  /** Creates a Job, or finds the one of this name: work on a node by a manifest the operator gave. `conflict` never: what is there is answered. */
  createJob(
    namespace: string,
    manifest: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<Result<JobState>>
  /** `not-found` when there is none. */
  getJob(namespace: string, name: string, signal?: AbortSignal): Promise<Result<JobState>>
  /** Group and resource of an object that an operator named, as a Role names them, whether there is one or not. */
  resourceOfObject(
    object: NamedObject,
    signal?: AbortSignal,
  ): Promise<Result<Pick<NamedObjectSeen, 'group' | 'resource'>>>
  /** An object that an operator named, of whatever kind the cluster serves; null: there is none of that name. */
  namedObject(object: NamedObject, signal?: AbortSignal): Promise<Result<NamedObjectSeen | null>>
  /** Merge-patches it as it was read: `conflict` when it is another one by now, or was written to since. */
  patchNamedObject(
    object: NamedObject,
    change: { readonly patch: Readonly<Record<string, Json>>; readonly uid: string; readonly resourceVersion: string },
    signal?: AbortSignal,
  ): Promise<Result<void>>
  readonly leases: LeasePort
}

/** An object that an operator named, as it was read. */
export interface NamedObjectSeen {
  readonly uid: string
  readonly resourceVersion: string
  readonly content: Json
  /** Group and resource as a Role names them. */
  readonly group: string
  readonly resource: string
}

/** Where a Job stands. */
export interface JobState {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly state: 'running' | 'complete' | 'failed'
  /** Why it failed, or what it does. */
  readonly message: string
}

/** Runs a command in a container and waits for its end; both streams whole (at most 8 MiB each). main/adapters/kubernetes implements it. */
export type ExecInPod = (request: PodCommand, signal?: AbortSignal) => Promise<Result<CommandOutput>>

/** A command to run in a pod; `container` null: the pod's first. */
export interface PodCommand {
  readonly namespace: string
  readonly pod: string
  readonly container: string | null
  readonly command: readonly string[]
  readonly timeoutMs: number
}

/** How a command in a pod ended. */
export interface CommandOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** What a watch tells: first everything there is, then changes; and how fresh it is. */
export interface FeedListener<T> {
  readonly onChange: (upserts: readonly T[], removedUids: readonly string[]) => void
  readonly onState: (state: FeedState) => void
}

/** Kubernetes' side of a live view: each runs until the signal aborts. main/adapters/kubernetes implements it. */
export interface KubernetesFeeds {
  nodes(listener: FeedListener<ClusterNode>, signal: AbortSignal): Promise<void>
  pods(listener: FeedListener<Pod>, signal: AbortSignal): Promise<void>
  leases(listener: FeedListener<NodeLease>, signal: AbortSignal): Promise<void>
  maintenance(listener: MaintenanceListener, signal: AbortSignal): Promise<void>
}

/** Hears all objects of the node maintenance API, as they are after each change. */
export interface MaintenanceListener {
  readonly onObjects: (objects: MaintenanceObjects) => void
  readonly onState: (state: FeedState) => void
}

/** Who holds a node, as its Lease says, and since when it was seen to say so; `uid` is the Lease's. Whether the holder is gone is the reader's question. */
export interface NodeLease {
  readonly uid: string
  readonly node: string
  readonly holder: LeaseHolder | null
  /** The run that keeps noout for a machine outside of Kubernetes; null: none does. */
  readonly nooutRun: string | null
  readonly seen: LeaseSeen
}

/** Watches the nodes: all of them at first, then all as they are after each change; runs until the signal aborts. */
export type WatchNodes = (
  listener: {
    readonly onNodes: (nodes: readonly ClusterNode[]) => void
    readonly onState: (state: WatchState) => void
  },
  signal: AbortSignal,
) => Promise<void>
