import type { CephOkToStop, CephOsd, CephServices, CephStatus, NooutReach } from '../../shared/domain/ceph.ts'
import type { MeasuredClock } from '../../shared/domain/clock-skew.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import type { ChainHead } from '../../shared/domain/journal-chain.ts'
import type { Json } from '../../shared/domain/json.ts'
import type { JujuActionOutcome, JujuStatus } from '../../shared/domain/juju.ts'
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
  Pod,
  Workload,
} from '../../shared/domain/kubernetes.ts'
import type { LeaseStanding } from '../../shared/domain/lease-standing.ts'
import type {
  ClusterMaintenanceRequest,
  DefinitionStatus,
  DeploymentStatus,
  MaintenanceKind,
  MaintenanceObjects,
  NodeMaintenanceRequest,
} from '../../shared/domain/maintenance-api.ts'
import type { EventOfNode } from '../../shared/domain/node-detail.ts'
import type {
  AvailabilityZone,
  ComputeService,
  Instance,
  InstanceAction,
  Listing,
  Migration,
  NetworkAgent,
  Project,
  ResourceProvider,
  ServerGroup,
  VolumeService,
} from '../../shared/domain/openstack.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { WatcherAbout, WatcherPlan } from '../../shared/domain/watcher.ts'

/**
 * What the procedures need of Kubernetes. main/kubernetes implements it; every call asks the API server afresh.
 * All answers are Results: `not-found`, `not-permitted` (names verb and resource), `unreachable`, `timed-out` and so on.
 */
export interface KubernetesPort {
  listNodes(signal?: AbortSignal): Promise<Result<readonly ClusterNode[]>>
  getNode(name: string, signal?: AbortSignal): Promise<Result<ClusterNode>>
  /**
   * Cordon or uncordon (docs/drain.md 5.1): one strategic-merge patch of the difference; `changed` false when already so. The patch passes `gate`: how
   * long the read before it takes is not the patch's.
   */
  setUnschedulable(
    name: string,
    unschedulable: boolean,
    signal?: AbortSignal,
    gate?: <T>(effect: () => Promise<Result<T>>, signal?: AbortSignal) => Promise<Result<T>>,
  ): Promise<Result<{ readonly changed: boolean }>>
  /** Merge-patches annotations; null removes one. */
  annotateNode(
    name: string,
    annotations: Readonly<Record<string, string | null>>,
    signal?: AbortSignal,
  ): Promise<Result<void>>
  listPodsOnNode(node: string, signal?: AbortSignal): Promise<Result<readonly Pod[]>>
  listPods(namespace: string | null, signal?: AbortSignal): Promise<Result<readonly Pod[]>>
  getPod(namespace: string, name: string, signal?: AbortSignal): Promise<Result<Pod>>
  /** What Kubernetes reported about a node lately, newest first. */
  listNodeEvents(node: string, limit: number, signal?: AbortSignal): Promise<Result<readonly EventOfNode[]>>
  listBudgets(signal?: AbortSignal): Promise<Result<readonly DisruptionBudget[]>>
  /** The volumes that claims are bound to, and which nodes reach them; `not-permitted` where nobody allowed to look. */
  listBoundVolumes(signal?: AbortSignal): Promise<Result<readonly BoundVolume[]>>
  listWorkloads(kinds: readonly Workload['kind'][], signal?: AbortSignal): Promise<Result<readonly Workload[]>>
  reviewAccess(questions: readonly AccessQuestion[], signal?: AbortSignal): Promise<Result<readonly AccessAnswer[]>>
  /** What a drain would do now; `dryRun` also sends one dry-run eviction per pod (V9). Only reads. */
  planDrain(
    node: string,
    options: DrainOptions,
    more: { readonly dryRun: boolean; readonly signal?: AbortSignal },
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
      readonly outlast?: <T>(what: string, attempt: () => Promise<Result<T>>) => Promise<Result<T>>
    },
  ): Promise<DrainOutcome>
  /** Creates a Job, or finds the one of this name: work on a node by a manifest the operator gave. `conflict` never: what is there is answered. */
  createJob(
    namespace: string,
    manifest: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ): Promise<Result<JobStanding>>
  /** `not-found` when there is none. */
  getJob(namespace: string, name: string, signal?: AbortSignal): Promise<Result<JobStanding>>
  readonly leases: LeasePort
}

/** Where a Job stands. */
export interface JobStanding {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly state: 'running' | 'complete' | 'failed'
  /** Why it failed, or what it does. */
  readonly message: string
}

/** Runs a command in a container and waits for its end; both streams whole (at most 8 MiB each). main/kubernetes implements it. */
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

/**
 * The node maintenance API as LCM and as onlookers use it (seed 001; domain.md A.1): read everything, create and remove requests. It never
 * writes a lock. Every call asks the API server afresh.
 */
export interface MaintenanceApiPort {
  /** Where the six definitions stand on this cluster, against ours. */
  definitions(signal?: AbortSignal): Promise<Result<readonly DefinitionStatus[]>>
  /** Installs those that are missing and waits until they are served; those that are there are never changed. */
  installDefinitions(signal?: AbortSignal): Promise<Result<readonly DefinitionStatus[]>>
  /** Every object of the six kinds. `not-found` when the cluster does not have the API at all. */
  objects(signal?: AbortSignal): Promise<Result<MaintenanceObjects>>
  /** The UID of the object of this name, asked for by itself; null: there is none. A list that does not show it proves nothing. */
  uidOf(
    object: { readonly kind: MaintenanceKind; readonly name: string },
    signal?: AbortSignal,
  ): Promise<Result<string | null>>
  /** `conflict` when one of this name is there. */
  createNodeRequest(
    request: {
      readonly name: string
      readonly nodeName: string
      readonly scope: 'drain' | 'os'
      readonly release: string | null
      readonly annotations: Readonly<Record<string, string>>
    },
    signal?: AbortSignal,
  ): Promise<Result<NodeMaintenanceRequest>>
  createClusterRequest(
    request: {
      readonly name: string
      readonly scope: 'drain' | 'os'
      readonly release: string | null
      readonly annotations: Readonly<Record<string, string>>
    },
    signal?: AbortSignal,
  ): Promise<Result<ClusterMaintenanceRequest>>
  /** Deletes exactly this object (UID as precondition); one that is gone already is fine. Controllers hold it by finalizers meanwhile. */
  deleteRequest(
    request: {
      readonly kind: 'NodeMaintenanceRequest' | 'ClusterMaintenanceRequest'
      readonly name: string
      readonly uid: string
    },
    signal?: AbortSignal,
  ): Promise<Result<void>>
  /** The OpenStackDeploymentStatus of the namespace; null when the cluster has none. */
  deploymentStatus(namespace: string, signal?: AbortSignal): Promise<Result<DeploymentStatus | null>>
}

/** What the procedures need of Ceph. main/ceph implements it over the toolbox pod, or over a MicroCeph unit by Juju. */
export interface CephPort {
  status(signal?: AbortSignal): Promise<Result<CephStatus>>
  osds(signal?: AbortSignal): Promise<Result<readonly CephOsd[]>>
  /** OSDs by the host that each reported when it started: another source than the CRUSH map that `osds` tells hosts by. */
  osdsReported(signal?: AbortSignal): Promise<Result<readonly Pick<CephOsd, 'id' | 'host'>[]>>
  /** Whether all these OSDs may be stopped together without making data unavailable. */
  okToStop(ids: readonly number[], signal?: AbortSignal): Promise<Result<CephOkToStop>>
  /** Sets or removes noout for a CRUSH host or the whole of Ceph. `bad-input` when this Ceph has no flags by host (before Nautilus). */
  setNoout(reach: NooutReach, noout: boolean, signal?: AbortSignal): Promise<Result<void>>
  /** The daemons that are no OSDs, and Ceph's release. */
  services(signal?: AbortSignal): Promise<Result<CephServices>>
}

/** How OSD daemons of a node are stopped and started: Rook's Deployments are scaled. main/kubernetes implements it. */
export interface OsdDaemonsPort {
  /** Which of these OSDs run (their daemon is wanted and there); those nobody knows are left out. */
  running(ids: readonly number[], signal?: AbortSignal): Promise<Result<readonly number[]>>
  /** Asks for them to be stopped and kept so, or started; fine when already so. `not-found` names those without a daemon. */
  setRunning(ids: readonly number[], running: boolean, signal?: AbortSignal): Promise<Result<void>>
}

/** MicroCeph's charm actions (docs/domain.md C.2), on the unit of one node. main/ceph implements it over Juju. */
export interface MicroCephPort {
  /** `enter-maintenance`; `not-found` when the node has no unit. */
  enterMaintenance(
    node: string,
    choices: {
      readonly setNoout: boolean
      readonly stopOsds: boolean
      readonly checkOnly: boolean
      readonly dryRun: boolean
      readonly ignoreCheck: boolean
      readonly force: boolean
    },
    signal?: AbortSignal,
  ): Promise<Result<MicroCephOutcome>>
  exitMaintenance(
    node: string,
    choices: { readonly checkOnly: boolean; readonly dryRun: boolean; readonly ignoreCheck: boolean },
    signal?: AbortSignal,
  ): Promise<Result<MicroCephOutcome>>
}

/** What MicroCeph answered: its operations in order, each with its error, empty when it went well. */
export interface MicroCephOutcome {
  readonly succeeded: boolean
  readonly steps: readonly { readonly id: string; readonly description: string; readonly error: string }[]
  readonly message: string
}

/**
 * What the procedures need of Juju. main/juju implements it; the connection is made at the first call and again after it broke.
 * Failures: `unreachable`, `unauthenticated`, `not-permitted`, `not-found`, `timed-out`.
 */
export interface JujuPort {
  /** The machines' model, with every unit. */
  status(signal?: AbortSignal): Promise<Result<JujuStatus>>
  /** Settings of an application, such as `bootstrap-datastore` of k8s; `not-found` when the model has none of that name. */
  applicationConfig(application: string, signal?: AbortSignal): Promise<Result<Readonly<Record<string, unknown>>>>
  /** Runs an action of the charm on a unit and waits for its end. */
  runAction(
    unit: string,
    action: string,
    parameters: Readonly<Record<string, boolean | number | string>>,
    more: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Result<JujuActionOutcome>>
  /** Runs a command on a unit's machine (`juju exec`) and waits for its end; both streams whole. */
  exec(
    unit: string,
    command: string,
    more: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<Result<CommandOutput>>
}

/** What the procedures need of Watcher (docs/domain.md B.2). main/openstack/watcher implements it. */
export interface WatcherPort {
  /** `not-found` when the catalogue has no such service. */
  about(signal?: AbortSignal): Promise<Result<WatcherAbout>>
  /**
   * Asks for a recommendation: finds or creates the audit template of goal and strategy, makes a ONESHOT audit and waits until it is over.
   * Writes nothing but Watcher's own records; nothing of the cloud is touched. A plan without actions is an answer too.
   * `bad-input` names a parameter that the strategy does not know; `failed` when the audit failed (an unknown host, a stale model).
   */
  recommend(
    request: {
      readonly goal: string
      readonly strategy: string
      readonly parameters: Readonly<Record<string, boolean | number | string>>
      /** Name of the audit, such as `lockkeeper-cmp-1-…`. */
      readonly name: string
    },
    signal?: AbortSignal,
  ): Promise<Result<WatcherPlan>>
  /** Plans that wait to be started (RECOMMENDED), whosever, each with the name and parameters of its audit. */
  recommended(signal?: AbortSignal): Promise<Result<readonly WaitingRecommendation[]>>
  /** The plan and all its actions as they are now. */
  plan(uuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>>
  /** Skips an action of a plan that has not started; `bad-input` where the microversion does not have it. */
  skip(actionUuid: string, reason: string, signal?: AbortSignal): Promise<Result<void>>
  /** `conflict` when it is not RECOMMENDED any more. */
  start(planUuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>>
  /** RECOMMENDED or PENDING: CANCELLED; ONGOING: CANCELLING, actions under way still finish. `conflict` when it is over. */
  cancel(planUuid: string, signal?: AbortSignal): Promise<Result<WatcherPlan>>
}

/** A plan nobody started yet, and the audit it comes from. */
export interface WaitingRecommendation {
  readonly planUuid: string
  readonly auditUuid: string
  readonly auditName: string
  readonly parameters: Readonly<Record<string, Json>>
}

/** Lease subjects that are no node (a node's name never holds a colon): the driver of a cluster's update, and who runs our controllers. */
export const UPDATE_LEASE = 'cluster:update'
export const CONTROLLERS_LEASE = 'cluster:controllers'

/**
 * Leases (style G26) in the cluster's lease namespace: `lockkeeper-node-<node>` of a node, `lockkeeper-update` and
 * `lockkeeper-controllers` of the cluster, given as {@link UPDATE_LEASE} and {@link CONTROLLERS_LEASE} where a node is asked for.
 */
export interface LeasePort {
  /** Who holds the node, gone or not; null when nobody does (no Lease, or released). */
  holder(node: string, signal?: AbortSignal): Promise<Result<LeaseStanding | null>>
  /**
   * Takes the Lease when nobody holds it, it is ours already (`identity` equal), or its holder is gone: this process saw its record unchanged
   * for as long as it lasts. `held` names the holder, and when it may be taken. Uses optimistic concurrency, so two consoles never both win.
   */
  acquire(request: LeaseRequest, signal?: AbortSignal): Promise<Result<LeaseAcquired>>
  /** Renews what is ours and writes nothing else. */
  renew(request: LeaseRequest, signal?: AbortSignal): Promise<Result<LeaseRenewed>>
  /** Reads it afresh: whether it still says that we hold it. */
  confirm(request: LeaseRequest, signal?: AbortSignal): Promise<Result<LeaseConfirmed>>
  /** Gives it back; a Lease that is no longer ours is left alone. */
  release(request: LeaseRequest, signal?: AbortSignal): Promise<Result<void>>
}

/** What asking for a Lease came to. */
export type LeaseAcquired =
  | { readonly kind: 'acquired' }
  | { readonly kind: 'held'; readonly by: LeaseStanding }
  /** The driver before us wrote more of this run than our journal holds: going on would do again what was done. */
  | { readonly kind: 'journal-lacks'; readonly head: ChainHead }
/** `free`: nobody holds it, somebody took it off us or deleted it; `lost`: somebody else holds it now. */
export type LeaseRenewed =
  | { readonly kind: 'renewed' }
  | { readonly kind: 'free' }
  | { readonly kind: 'lost'; readonly by: LeaseStanding }
export type LeaseConfirmed =
  | { readonly kind: 'ours' }
  | { readonly kind: 'free' }
  | { readonly kind: 'lost'; readonly by: LeaseStanding }

/** Who asks for the Lease of a node. `identity` is unique per claim of a run by a process: what another one wrote is never taken for ours. */
export interface LeaseRequest {
  readonly node: string
  readonly identity: string
  readonly runId: string
  readonly operator: string
  readonly machine: string
  readonly durationSeconds: number
  /** Whether an identity is of an earlier driver of the same run that is provably no more: its Lease need not run out first. */
  readonly isPredecessor?: (identity: string) => boolean
  /** The journal that tells of the run: how far it goes is written into the Lease, and what a Lease tells has to be in it. Absent: none does. */
  readonly journal?: RunHeads
}

/** What a Lease needs of the journal. */
export interface RunHeads {
  headOf(runId: string): ChainHead | null
  holds(head: ChainHead): boolean
}

/** What the procedures need of OpenStack. main/openstack implements it; every call asks the services afresh. */
export interface OpenStackPort {
  /** Every nova-compute service (2.53+). */
  computeServices(signal?: AbortSignal): Promise<Result<readonly ComputeService[]>>
  /** The nova-compute service of one host; null when there is none. */
  computeService(host: string, signal?: AbortSignal): Promise<Result<ComputeService | null>>
  disableComputeService(id: string, reason: string, signal?: AbortSignal): Promise<Result<ComputeService>>
  enableComputeService(id: string, signal?: AbortSignal): Promise<Result<ComputeService>>
  /** Servers of a host, all projects, all pages, tags included. */
  instancesOnHost(host: string, signal?: AbortSignal): Promise<Result<Listing<Instance>>>
  listInstances(signal?: AbortSignal): Promise<Result<Listing<Instance>>>
  /** Those that Nova says changed since a time of its own clock, and the ids of those that were deleted. Tags are no change to Nova. */
  instancesChangedSince(
    since: string,
    signal?: AbortSignal,
  ): Promise<Result<Listing<Instance> & { readonly deletedIds: readonly string[] }>>
  getInstance(id: string, signal?: AbortSignal): Promise<Result<Instance>>
  /** Adds one tag; the others stay. `conflict` in states in which Nova takes no tags. */
  addInstanceTag(id: string, tag: string, signal?: AbortSignal): Promise<Result<void>>
  /** Removes one tag; `not-found` when it is not there, or the instance is gone. */
  removeInstanceTag(id: string, tag: string, signal?: AbortSignal): Promise<Result<void>>
  instanceActions(id: string, signal?: AbortSignal): Promise<Result<readonly InstanceAction[]>>
  /** os-migrateLive with block_migration auto; host null lets the scheduler choose. 202 means asked, not done. */
  liveMigrate(id: string, host: string | null, signal?: AbortSignal): Promise<Result<void>>
  /** migrate (cold); ends in VERIFY_RESIZE and must be confirmed. */
  coldMigrate(id: string, host: string | null, signal?: AbortSignal): Promise<Result<void>>
  confirmResize(id: string, signal?: AbortSignal): Promise<Result<void>>
  /** os-stop; 202 means asked: the guest gets a minute to shut down, then it is off. `conflict` unless it is ACTIVE or in ERROR. */
  stopInstance(id: string, signal?: AbortSignal): Promise<Result<void>>
  /** os-start; 202 means asked. `conflict` unless it is stopped. */
  startInstance(id: string, signal?: AbortSignal): Promise<Result<void>>
  abortMigration(instanceId: string, migrationId: number, signal?: AbortSignal): Promise<Result<void>>
  forceCompleteMigration(instanceId: string, migrationId: number, signal?: AbortSignal): Promise<Result<void>>
  /** Migration records, newest first. `host` matches source or destination; `since` is an ISO time (2.59 changes-since). */
  migrations(
    filter: { readonly instanceId?: string; readonly host?: string; readonly since?: string },
    signal?: AbortSignal,
  ): Promise<Result<readonly Migration[]>>
  /** The running migration of a server with its progress; null when none runs. */
  runningMigration(instanceId: string, signal?: AbortSignal): Promise<Result<Migration | null>>
  serverGroups(signal?: AbortSignal): Promise<Result<readonly ServerGroup[]>>
  availabilityZones(signal?: AbortSignal): Promise<Result<readonly AvailabilityZone[]>>
  /** Agents of one host, or of all when null. */
  networkAgents(host: string | null, signal?: AbortSignal): Promise<Result<readonly NetworkAgent[]>>
  resourceProviders(signal?: AbortSignal): Promise<Result<readonly ResourceProvider[]>>
  /** Ids of servers and migrations that hold room on the resource provider of one of these names; null when Placement has none. */
  consumersOn(names: readonly string[], signal?: AbortSignal): Promise<Result<readonly string[] | null>>
  /** Every project with its name; `not-permitted` where Keystone lets these credentials see only their own. */
  projects(signal?: AbortSignal): Promise<Result<readonly Project[]>>
  /** Every cinder-volume service; empty where the cloud has no block storage service. */
  volumeServices(signal?: AbortSignal): Promise<Result<readonly VolumeService[]>>
  disableVolumeService(host: string, reason: string, signal?: AbortSignal): Promise<Result<void>>
  enableVolumeService(host: string, signal?: AbortSignal): Promise<Result<void>>
}

/** The world of one cluster, as its session gives it to steps. `openstack` is null for a Kubernetes-only cluster. */
export interface MaintenanceWorld {
  readonly cluster: Cluster
  readonly kubernetes: KubernetesPort
  readonly openstack: OpenStackPort | null
  readonly maintenanceApi: MaintenanceApiPort
  /** Asks Ceph by the way the cluster's settings name; a cluster without one answers `not-found`. */
  readonly ceph: CephPort
  /** Null for a cluster without a cloud; a cloud without Watcher answers `not-found`. */
  readonly watcher: WatcherPort | null
  /** Null when the cluster's settings name no controller. */
  readonly juju: JujuPort | null
  /** Null unless Ceph is MicroCeph by Juju. */
  readonly microceph: MicroCephPort | null
  /** Null where nobody but a person can stop OSDs. */
  readonly osds: OsdDaemonsPort | null
  /** What answers there, by name, such as `Kubernetes`: `v1.31.4`. What could not be asked is left out. */
  readonly versions: (signal?: AbortSignal) => Promise<Readonly<Record<string, string>>>
  /** The clocks of the API server, Keystone and Nova against this machine's; who was not heard lately is asked. Who tells no time is left out. */
  readonly clocks: (signal?: AbortSignal) => Promise<readonly MeasuredClock[]>
  /** The clock of the API server alone, as {@link MaintenanceWorld.clocks}: neither Keystone nor Nova is asked. Null: it tells no time. */
  readonly apiServerClock: (signal?: AbortSignal) => Promise<MeasuredClock | null>
}
