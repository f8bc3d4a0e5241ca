import { z } from 'zod'
import { jsonOf } from './json.ts'

/** API group and version of the node maintenance API (seed 001; domain.md A.1). */
export const MAINTENANCE_GROUP = 'lcm.mirantis.com'
export const MAINTENANCE_VERSION = 'v1alpha1'

/** Annotations by which a request says who asked for it; specs cannot hold them, the schemas prune what they do not know (domain.md A.1). */
export const REQUEST_RUN_ANNOTATION = 'lockkeeper.dev/run'
export const REQUEST_OPERATOR_ANNOTATION = 'lockkeeper.dev/operator'
export const REQUEST_REASON_ANNOTATION = 'lockkeeper.dev/reason'

/** On a lock: our own controllers made it. Other controllers give their locks the same names (Rockoon: `openstack-<node>`). */
export const MADE_BY_ANNOTATION = 'lockkeeper.dev/made-by'

/** On a lock: the controller has begun with this node, before the lock's state flips (domain.md A.2). */
export const INNER_STATE_ANNOTATION = 'inner_state'
/** On a node's lock: the node as it was when the lock was made, as JSON (domain.md A.2). */
export const ORIGINAL_NODE_ANNOTATION = 'openstack.lcm.mirantis.com/original-node'

/** The reason with which the OpenStack Controller disables services, and the only one it enables again by itself (domain.md A.2). */
export const ROCKOON_DISABLED_REASON = 'OSDPL: Node is under maintenance'

/** The six kinds of the node maintenance API; all are cluster-scoped. */
export const MaintenanceKind = z.enum([
  'ClusterMaintenanceRequest',
  'NodeMaintenanceRequest',
  'ClusterWorkloadLock',
  'NodeWorkloadLock',
  'NodeDisableNotification',
  'NodeDeletionRequest',
])
export type MaintenanceKind = z.infer<typeof MaintenanceKind>

/** The application controllers that Lockkeeper can stand in for. A cluster may have locks of others. */
export const ControllerName = z.enum(['openstack', 'ceph', 'tungstenfabric', 'stacklight'])
export type ControllerName = z.infer<typeof ControllerName>

/**
 * Who answers maintenance requests for a controller name: controllers in the `cluster`, Lockkeeper's own (`console`), or `none`:
 * the cluster has no such application.
 */
export const ControllerChoice = z.enum(['cluster', 'console', 'none'])
export type ControllerChoice = z.infer<typeof ControllerChoice>

/** How the node maintenance API is used on a cluster: settings of the operator. */
export const MaintenanceApiSettings = z.strictObject({
  controllers: z.strictObject({
    openstack: ControllerChoice,
    ceph: ControllerChoice,
    tungstenfabric: ControllerChoice,
    stacklight: ControllerChoice,
  }),
  /**
   * Compute nodes that may be inactive at once (Rockoon's nwl_parallel_max_compute). Null: not set, so {@link SEED_COMPUTE_MAX} where the node
   * maintenance API is used. Controllers: always one.
   */
  computeMax: z.number().int().min(1).max(500).nullable(),
  /** Gateway nodes that may be inactive at once (nwl_parallel_max_gateway). */
  gatewayMax: z.number().int().min(1).max(100),
  /** `any`: a role at its limit holds back every node, as Rockoon does (domain.md A.4). `own`: only nodes that have that role. */
  roleLimits: z.enum(['any', 'own']),
  /** A compute node of another availability zone waits until the first zone is done (respect_nova_az). */
  respectZone: z.boolean(),
  /** Release our own controllers announce on their locks; null: none, and every request's release is taken. */
  release: z.string().nullable(),
  /** A lock that does not move for so long becomes a question to the operator. */
  blockedAfterMs: z.number().int().positive(),
  /** Where Ceph's toolbox pod runs, and by which labels it is known (Rook). */
  cephNamespace: z.string().min(1),
  cephToolbox: z.string().min(1),
  /** Where Tungsten Fabric's vRouter pods run, and by which labels they are known. */
  tungstenFabricNamespace: z.string().min(1),
  vrouterPods: z.string().min(1),
  /** Where StackLight's pods run. */
  stacklightNamespace: z.string().min(1),
})
export type MaintenanceApiSettings = z.infer<typeof MaintenanceApiSettings>

/**
 * Compute nodes that may be inactive at once where nothing is set: with one controller, one gateway and `roleLimits: any`, only one
 * NodeWorkloadLock is inactive at a time (seed 000).
 */
export const SEED_COMPUTE_MAX = 1

export const DEFAULT_MAINTENANCE_API: MaintenanceApiSettings = {
  controllers: { openstack: 'cluster', ceph: 'cluster', tungstenfabric: 'none', stacklight: 'none' },
  computeMax: null,
  gatewayMax: 1,
  roleLimits: 'any',
  respectZone: true,
  release: null,
  blockedAfterMs: 10 * 60_000,
  cephNamespace: 'rook-ceph',
  cephToolbox: 'app=rook-ceph-tools',
  tungstenFabricNamespace: 'tf',
  vrouterPods: 'app=tf-vrouter-agent',
  stacklightNamespace: 'stacklight',
}

const Kept = z.looseObject({ controllers: z.looseObject({}) })

/** Settings as an earlier version kept them, with what could not be set then as it is by default: no StackLight. */
export function withLaterSettings(kept: unknown): unknown {
  if (kept === undefined) return DEFAULT_MAINTENANCE_API
  const known = Kept.safeParse(kept)
  if (!known.success) return kept
  const { controllers, stacklightNamespace } = DEFAULT_MAINTENANCE_API
  return {
    stacklightNamespace,
    ...known.data,
    controllers: { stacklight: controllers.stacklight, ...known.data.controllers },
  }
}

/** One who wrote an object: the manager's name as it gave it, and when it last changed something, by the API server's clock. */
export const ObjectWriter = z.strictObject({
  manager: z.string(),
  at: z.string(),
  /** The part it wrote, such as `status`; null: the object itself. */
  subresource: z.string().nullable(),
})
export type ObjectWriter = z.infer<typeof ObjectWriter>

const head = {
  uid: z.string(),
  name: z.string(),
  resourceVersion: z.string(),
  createdAt: z.string(),
  /** Terminating since; controllers hold it by finalizers until the node is back. */
  deletingSince: z.string().nullable(),
  finalizers: z.array(z.string()),
  annotations: z.record(z.string(), z.string()),
  /** Who wrote it and when last (its managedFields), the latest first; empty where the server keeps none. */
  writers: z.array(ObjectWriter),
  /** What is wrong with the object, in words (unknown state, missing spec); such an object is shown, never hidden. */
  faults: z.array(z.string()),
}

/** State of a workload lock; `unknown` where it says something else, or nothing. */
export const LockState = z.enum(['active', 'inactive', 'failed', 'unknown'])
export type LockState = z.infer<typeof LockState>

/** `drain`: services restart at most. `os`: the node may be rebooted. Null where a request says neither. */
const Scope = z.enum(['drain', 'os']).nullable()

const lock = {
  ...head,
  /** spec.controllerName: what a lock is known by, never its name. */
  controller: z.string(),
  state: LockState,
  /** False: its status was never written, and its state is the default; absent: it says its state itself. */
  stateGiven: z.boolean().optional(),
  release: z.string().nullable(),
  /** Status text, which carries progress, blockers and errors alike: see `parseLockMessage`. */
  errorMessage: z.string(),
  innerState: z.enum(['active', 'inactive']).nullable(),
  progress: z.strictObject({ percentage: z.number().nullable(), description: z.string() }).nullable(),
}

/** Holds the whole cluster for one controller (seed 001). */
export const ClusterWorkloadLock = z.strictObject(lock)
export type ClusterWorkloadLock = z.infer<typeof ClusterWorkloadLock>

/** Holds one node for one controller (seed 001). */
export const NodeWorkloadLock = z.strictObject({
  ...lock,
  /** As the object says it; may be an FQDN. */
  nodeName: z.string(),
  nodeDeletionRequestSupported: z.boolean(),
})
export type NodeWorkloadLock = z.infer<typeof NodeWorkloadLock>

/** Announces the maintenance of the whole cluster. */
export const ClusterMaintenanceRequest = z.strictObject({ ...head, scope: Scope, release: z.string().nullable() })
export type ClusterMaintenanceRequest = z.infer<typeof ClusterMaintenanceRequest>

/** Announces the maintenance of one node. */
export const NodeMaintenanceRequest = z.strictObject({
  ...head,
  nodeName: z.string(),
  scope: Scope,
  release: z.string().nullable(),
})
export type NodeMaintenanceRequest = z.infer<typeof NodeMaintenanceRequest>

/** Says that a node is disabled on purpose: while it exists, the node's deletion does not delete its locks (domain.md A.9). */
export const NodeDisableNotification = z.strictObject({ ...head, nodeName: z.string() })
export type NodeDisableNotification = z.infer<typeof NodeDisableNotification>

/** Asks the controllers to give a node up for good (domain.md A.9). */
export const NodeDeletionRequest = z.strictObject({ ...head, nodeName: z.string() })
export type NodeDeletionRequest = z.infer<typeof NodeDeletionRequest>

/** Every object of the node maintenance API in a cluster, at one moment. */
export const MaintenanceObjects = z.strictObject({
  clusterLocks: z.array(ClusterWorkloadLock),
  nodeLocks: z.array(NodeWorkloadLock),
  clusterRequests: z.array(ClusterMaintenanceRequest),
  nodeRequests: z.array(NodeMaintenanceRequest),
  disableNotifications: z.array(NodeDisableNotification),
  deletionRequests: z.array(NodeDeletionRequest),
})
export type MaintenanceObjects = z.infer<typeof MaintenanceObjects>

export const NO_MAINTENANCE_OBJECTS: MaintenanceObjects = {
  clusterLocks: [],
  nodeLocks: [],
  clusterRequests: [],
  nodeRequests: [],
  disableNotifications: [],
  deletionRequests: [],
}

/** Where one of the six definitions (CRDs) stands on a cluster. */
export const DefinitionStatus = z.strictObject({
  /** Name of the CRD, such as `nodeworkloadlocks.lcm.mirantis.com`. */
  name: z.string(),
  kind: MaintenanceKind,
  /** `same`: as ours. `differs`: the cluster's own, which is used as it is. */
  state: z.enum(['missing', 'same', 'differs']),
  /** What differs, one line a place; empty unless `differs`. */
  differences: z.array(z.string()),
})
export type DefinitionStatus = z.infer<typeof DefinitionStatus>

/** The OpenStackDeploymentStatus of Rockoon as far as the gate of a cluster maintenance reads it (domain.md A.3). */
export const DeploymentStatus = z.strictObject({
  name: z.string(),
  /** `APPLIED` when nothing is under way. */
  state: z.string(),
  /** The MOSK release that it is of; null: it does not say. */
  release: z.string().nullable(),
  /** The services that it is to have, by the controller's names, such as `compute`. */
  services: z.array(z.string()),
  /** Components and their health, such as `nova/compute: Ready`. */
  components: z.array(z.strictObject({ name: z.string(), status: z.string() })),
})
export type DeploymentStatus = z.infer<typeof DeploymentStatus>

/** The run of Lockkeeper that made a request; null: somebody else did. */
export function runOf({ annotations }: { readonly annotations: Readonly<Record<string, string>> }): string | null {
  return annotations[REQUEST_RUN_ANNOTATION] ?? null
}

/** Who made an object of the API: a run of Lockkeeper and its operator, whoever wrote it first (such as `kubectl-create`), or nobody who says so. */
export type Maker =
  | { readonly code: 'OwnRun'; readonly run: string; readonly operator: string | null }
  | { readonly code: 'FirstWriter'; readonly manager: string }
  | { readonly code: 'MakerNotTold' }

/** Who made a request, as far as it says. */
export function makerOf(request: Pick<ClusterMaintenanceRequest, 'annotations' | 'writers'>): Maker {
  const run = runOf(request)
  const operator = request.annotations[REQUEST_OPERATOR_ANNOTATION] ?? null
  if (run !== null) return { code: 'OwnRun', run, operator }
  const first = request.writers.findLast(({ subresource }) => subresource === null)
  return first === undefined ? { code: 'MakerNotTold' } : { code: 'FirstWriter', manager: first.manager }
}

/**
 * The node of the cluster that a `nodeName` of a maintenance object means: the exact name, else the node whose name or first label equals
 * the text before its first dot (domain.md A.1). Null when the cluster has no such node.
 */
export function nodeMeant(nodeName: string, nodes: readonly string[]): string | null {
  if (nodes.includes(nodeName)) return nodeName
  const first = nodeName.split('.')[0] ?? ''
  if (nodes.includes(first)) return first
  const short = nodes.filter(node => node.split('.')[0] === first)
  return short.length === 1 ? (short[0] ?? null) : null
}

/** The node as a controller copied it onto its lock; whatever else it holds is not read. */
const OriginalNode = z.looseObject({ metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }) })

/** The labels that a node had when its lock was made; none where the lock does not say. */
export function originalLabels({
  annotations,
}: Pick<NodeWorkloadLock, 'annotations'>): Readonly<Record<string, string>> {
  return OriginalNode.safeParse(jsonOf(annotations[ORIGINAL_NODE_ANNOTATION] ?? '')).data?.metadata.labels ?? {}
}
