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

export type DrainReads = Pick<KubernetesPort, 'getNode' | 'listPodsOnNode' | 'listBudgets' | 'listWorkloads'>

/** The author and conditions of a cordon or uncordon. */
export interface SetUnschedulable {
  /** The run, as the field manager by which the server distinguishes its cordon. */
  readonly by?: string
  /** Only at this version of the node, else `conflict`. */
  readonly atVersion?: string
  readonly signal?: AbortSignal
  /** Wraps the patch directly before it is sent, without the read before it. */
  readonly gate?: <T>(effect: () => Promise<Result<T>>, signal?: AbortSignal) => Promise<Result<T>>
}

/** Maintenance by other programs. `unread`: why a served kind could not be read, so that there may be more. */
export interface ForeignMaintenances {
  readonly found: readonly ForeignMaintenance[]
  readonly unread: readonly Failure[]
}

/** Kubernetes; every call asks the API server again. */
export interface KubernetesPort {
  listNodes(signal?: AbortSignal): Promise<Result<readonly ClusterNode[]>>
  getNode(name: string, signal?: AbortSignal): Promise<Result<ClusterNode>>
  /** Cordon or uncordon (docs/drain.md 5.1): one strategic-merge patch of the difference; `changed` false if already so. */
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
  /** Sets or removes a taint; `changed` false if already so. Others stay. */
  setTaint(
    name: string,
    taint: NodeTaint,
    wanted: boolean,
    signal?: AbortSignal,
  ): Promise<Result<{ readonly changed: boolean }>>
  /** Whether nobody holds the Lease of a node or machine. {@link KubernetesPort.leases} shows whether a holder is alive. */
  isLeaseFree(node: string, signal?: AbortSignal): Promise<Result<boolean>>
  getLeaseAnnotations(node: string, signal?: AbortSignal): Promise<Result<Readonly<Record<string, string>>>>
  /** The same for the Lease of a node or machine, which remains after its release; `not-found` without one. */
  annotateLease(
    node: string,
    annotations: Readonly<Record<string, string | null>>,
    signal?: AbortSignal,
  ): Promise<Result<void>>
  listPodsOnNode(node: string, signal?: AbortSignal): Promise<Result<readonly Pod[]>>
  listPods(namespace: string | null, signal?: AbortSignal): Promise<Result<readonly Pod[]>>
  getPod(namespace: string, name: string, signal?: AbortSignal): Promise<Result<Pod>>
  listNodeEvents(node: string, limit: number, signal?: AbortSignal): Promise<Result<readonly EventOfNode[]>>
  listBudgets(signal?: AbortSignal): Promise<Result<readonly DisruptionBudget[]>>
  /** Node maintenance requested from other programs: medik8s, Cluster API, Metal3, where the cluster serves their kinds. */
  listForeignMaintenances(signal?: AbortSignal): Promise<Result<ForeignMaintenances>>
  /** Volumes bound to claims, and the nodes that reach them; `not-permitted` without the permission. */
  listBoundVolumes(signal?: AbortSignal): Promise<Result<readonly BoundVolume[]>>
  listWorkloads(kinds: readonly Workload['kind'][], signal?: AbortSignal): Promise<Result<readonly Workload[]>>
  reviewAccess(questions: readonly AccessQuestion[], signal?: AbortSignal): Promise<Result<readonly AccessAnswer[]>>
  /** What a drain would do now; `dryRun` also sends one dry-run eviction per pod (V9). Read-only. */
  planDrain(
    node: string,
    options: DrainOptions,
    more: { readonly dryRun: boolean; readonly signal?: AbortSignal; readonly reads?: DrainReads },
  ): Promise<Result<DrainPlan>>
  /** Drains (docs/drain.md 5.2-5.6). Only waits for a terminating pod of `requestedBefore`: this run announced its eviction earlier. */
  drain(
    node: string,
    options: DrainOptions,
    more: {
      readonly onFact: (fact: DrainFact) => void
      readonly requestedBefore: ReadonlySet<string>
      readonly signal: AbortSignal
      /** Wraps each request that removes a pod; a failure: it was not sent, and the drain ends. */
      readonly gate?: <T>(effect: () => Promise<Result<T>>, signal?: AbortSignal) => Promise<Result<T>>
      /** Retries failures that may pass, within the caller's patience. */
      readonly retryTransient?: <T>(what: string, attempt: () => Promise<Result<T>>) => Promise<Result<T>>
    },
  ): Promise<DrainOutcome>
  /** Creates a Job from the operator's manifest, or returns the existing one of this name; never `conflict`. */
  createJob(
    namespace: string,
    manifest: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<Result<JobState>>
  getJob(namespace: string, name: string, signal?: AbortSignal): Promise<Result<JobState>>
  /** Group and resource of a named object's kind, as Roles name them, whether it exists or not. */
  resourceOfObject(
    object: NamedObject,
    signal?: AbortSignal,
  ): Promise<Result<Pick<NamedObjectSeen, 'group' | 'resource'>>>
  /** An object that an operator named, of any served kind; null if it does not exist. */
  namedObject(object: NamedObject, signal?: AbortSignal): Promise<Result<NamedObjectSeen | null>>
  /** Merge-patches it as it was read: `conflict` if it was recreated or changed. */
  patchNamedObject(
    object: NamedObject,
    change: { readonly patch: Readonly<Record<string, Json>>; readonly uid: string; readonly resourceVersion: string },
    signal?: AbortSignal,
  ): Promise<Result<void>>
  readonly leases: LeasePort
}

export interface NamedObjectSeen {
  readonly uid: string
  readonly resourceVersion: string
  readonly content: Json
  readonly group: string
  readonly resource: string
}

export interface JobState {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly state: 'running' | 'complete' | 'failed'
  readonly message: string
}

/** Runs a command in a container and waits for its end; both streams complete (at most 8 MiB each). main/adapters/kubernetes implements it. */
export type ExecInPod = (request: PodCommand, signal?: AbortSignal) => Promise<Result<CommandOutput>>

/** A command for a pod; `container` null: the pod's first. */
export interface PodCommand {
  readonly namespace: string
  readonly pod: string
  readonly container: string | null
  readonly command: readonly string[]
  readonly timeoutMs: number
}

export interface CommandOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Receives all objects first, then changes, and the state of the watch. */
export interface FeedListener<T> {
  readonly onChange: (upserts: readonly T[], removedUids: readonly string[]) => void
  readonly onState: (state: FeedState) => void
}

/** Kubernetes' feeds for a live view: each runs until the signal aborts. main/adapters/kubernetes implements it. */
export interface KubernetesFeeds {
  nodes(listener: FeedListener<ClusterNode>, signal: AbortSignal): Promise<void>
  pods(listener: FeedListener<Pod>, signal: AbortSignal): Promise<void>
  leases(listener: FeedListener<NodeLease>, signal: AbortSignal): Promise<void>
  maintenance(listener: MaintenanceListener, signal: AbortSignal): Promise<void>
}

/** Receives all objects of the node maintenance API after each change. */
export interface MaintenanceListener {
  readonly onObjects: (objects: MaintenanceObjects) => void
  readonly onState: (state: FeedState) => void
}

/** The holder of a node's Lease, and since when it was seen; `uid` is the Lease's. The reader judges whether the holder is gone. */
export interface NodeLease {
  readonly uid: string
  readonly node: string
  readonly holder: LeaseHolder | null
  /** The run that keeps noout for a machine outside Kubernetes; null if there is none. */
  readonly nooutRun: string | null
  readonly seen: LeaseSeen
}

/** Watches the nodes: all at first, then all after each change; runs until the signal aborts. */
export type WatchNodes = (
  listener: {
    readonly onNodes: (nodes: readonly ClusterNode[]) => void
    readonly onState: (state: WatchState) => void
  },
  signal: AbortSignal,
) => Promise<void>
