import { z } from 'zod'
import { jsonOf } from './json.ts'

/** The node maintenance API (seed 001; domain.md A.1). */
export const MAINTENANCE_GROUP = 'lcm.mirantis.com'
export const MAINTENANCE_VERSION = 'v1alpha1'

/** They name the author of a request: the schemas prune unknown fields of specs (domain.md A.1). */
export const REQUEST_RUN_ANNOTATION = 'lockkeeper.dev/run'
export const REQUEST_OPERATOR_ANNOTATION = 'lockkeeper.dev/operator'
export const REQUEST_REASON_ANNOTATION = 'lockkeeper.dev/reason'

/** On a lock that our own controllers made. Other controllers use the same lock names (Rockoon: `openstack-<node>`). */
export const MADE_BY_ANNOTATION = 'lockkeeper.dev/made-by'

/** An annotation on a lock: the controller has started with this node, before the lock's state changes (domain.md A.2). */
export const INNER_STATE_ANNOTATION = 'inner_state'
/** An annotation on a node's lock: the earlier node as JSON (domain.md A.2). */
export const ORIGINAL_NODE_ANNOTATION = 'openstack.lcm.mirantis.com/original-node'

/** The only reason that the OpenStack Controller enables again (domain.md A.2). */
export const ROCKOON_DISABLED_REASON = 'OSDPL: Node is under maintenance'

/** All are cluster-scoped. */
export const MaintenanceKind = z.enum([
  'ClusterMaintenanceRequest',
  'NodeMaintenanceRequest',
  'ClusterWorkloadLock',
  'NodeWorkloadLock',
  'NodeDisableNotification',
  'NodeDeletionRequest',
])
export type MaintenanceKind = z.infer<typeof MaintenanceKind>

/** Lockkeeper can replace these controllers. A cluster may have locks of others. */
export const ControllerName = z.enum(['openstack', 'ceph', 'tungstenfabric', 'stacklight'])
export type ControllerName = z.infer<typeof ControllerName>

/** The `cluster` answers requests for a controller name, or Lockkeeper's own controllers do (`console`), or nobody. */
export const ControllerChoice = z.enum(['cluster', 'console', 'none'])
export type ControllerChoice = z.infer<typeof ControllerChoice>

export const MaintenanceApiSettings = z.strictObject({
  controllers: z.strictObject({
    openstack: ControllerChoice,
    ceph: ControllerChoice,
    tungstenfabric: ControllerChoice,
    stacklight: ControllerChoice,
  }),
  /** Compute nodes inactive at a time (Rockoon's nwl_parallel_max_compute). Null means {@link SEED_COMPUTE_MAX}. */
  computeMax: z.number().int().min(1).max(500).nullable(),
  /** Gateway nodes inactive at a time (nwl_parallel_max_gateway). */
  gatewayMax: z.number().int().min(1).max(100),
  /** `any`: a role at its limit holds back every node, as in Rockoon (domain.md A.4). `own`: only nodes of that role. */
  roleLimits: z.enum(['any', 'own']),
  /** A compute node of another zone waits until the first zone is done (respect_nova_az). */
  respectZone: z.boolean(),
  /** That our own controllers announce on their locks; null if any release is accepted. */
  release: z.string().nullable(),
  /** After this time without change, a lock becomes a question to the operator. */
  blockedAfterMs: z.number().int().positive(),
  cephNamespace: z.string().min(1),
  cephToolbox: z.string().min(1),
  tungstenFabricNamespace: z.string().min(1),
  vrouterPods: z.string().min(1),
  stacklightNamespace: z.string().min(1),
})
export type MaintenanceApiSettings = z.infer<typeof MaintenanceApiSettings>

/** With one controller, one gateway and `roleLimits: any`: one inactive NodeWorkloadLock at a time (seed 000). */
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

/** Settings of an earlier version lack StackLight. */
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

/** A field manager, and its last change by the API server's clock. */
export const ObjectWriter = z.strictObject({
  manager: z.string(),
  at: z.string(),
  /** For example, `status`; null means the object itself. */
  subresource: z.string().nullable(),
})
export type ObjectWriter = z.infer<typeof ObjectWriter>

const head = {
  uid: z.string(),
  name: z.string(),
  resourceVersion: z.string(),
  createdAt: z.string(),
  /** Controllers' finalizers keep it until the node is back. */
  deletingSince: z.string().nullable(),
  finalizers: z.array(z.string()),
  annotations: z.record(z.string(), z.string()),
  /** managedFields, the latest first; empty if the server keeps none. */
  writers: z.array(ObjectWriter),
  /** Unknown state, missing spec: such an object is shown, never hidden. */
  faults: z.array(z.string()),
}

/** `unknown`: any other state, or none. */
export const LockState = z.enum(['active', 'inactive', 'failed', 'unknown'])
export type LockState = z.infer<typeof LockState>

/** `drain`: services restart at most. `os`: the node may be rebooted. Null if the request says neither. */
const Scope = z.enum(['drain', 'os']).nullable()

const lock = {
  ...head,
  /** It identifies a lock, whose name never does. */
  controller: z.string(),
  state: LockState,
  /** False if its status was never written; absent if it has a state. */
  stateGiven: z.boolean().optional(),
  release: z.string().nullable(),
  errorMessage: z.string(),
  innerState: z.enum(['active', 'inactive']).nullable(),
  progress: z.strictObject({ percentage: z.number().nullable(), description: z.string() }).nullable(),
}

export const ClusterWorkloadLock = z.strictObject(lock)
export type ClusterWorkloadLock = z.infer<typeof ClusterWorkloadLock>

export const NodeWorkloadLock = z.strictObject({
  ...lock,
  nodeName: z.string(),
  nodeDeletionRequestSupported: z.boolean(),
})
export type NodeWorkloadLock = z.infer<typeof NodeWorkloadLock>

export const ClusterMaintenanceRequest = z.strictObject({ ...head, scope: Scope, release: z.string().nullable() })
export type ClusterMaintenanceRequest = z.infer<typeof ClusterMaintenanceRequest>

export const NodeMaintenanceRequest = z.strictObject({
  ...head,
  nodeName: z.string(),
  scope: Scope,
  release: z.string().nullable(),
})
export type NodeMaintenanceRequest = z.infer<typeof NodeMaintenanceRequest>

/** While it exists, deleting the node does not delete its locks (domain.md A.9). */
export const NodeDisableNotification = z.strictObject({ ...head, nodeName: z.string() })
export type NodeDisableNotification = z.infer<typeof NodeDisableNotification>

/** Asks the controllers to give a node up for good (domain.md A.9). */
export const NodeDeletionRequest = z.strictObject({ ...head, nodeName: z.string() })
export type NodeDeletionRequest = z.infer<typeof NodeDeletionRequest>

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

export const DefinitionStatus = z.strictObject({
  /** The CRD's name, such as `nodeworkloadlocks.lcm.mirantis.com`. */
  name: z.string(),
  kind: MaintenanceKind,
  /** `same`: as ours. `differs`: the cluster's own, which Lockkeeper uses unchanged. */
  state: z.enum(['missing', 'same', 'differs']),
  differences: z.array(z.string()),
})
export type DefinitionStatus = z.infer<typeof DefinitionStatus>

/** What decides about a cluster maintenance in Rockoon's OpenStackDeploymentStatus (domain.md A.3). */
export const DeploymentStatus = z.strictObject({
  name: z.string(),
  /** `APPLIED`: nothing is under way. */
  state: z.string(),
  /** Its MOSK release; null if it does not say. */
  release: z.string().nullable(),
  services: z.array(z.string()),
  components: z.array(z.strictObject({ name: z.string(), status: z.string() })),
})
export type DeploymentStatus = z.infer<typeof DeploymentStatus>

/** The run that created an object; null if no run of Lockkeeper did. */
export function runOf({ annotations }: { readonly annotations: Readonly<Record<string, string>> }): string | null {
  return annotations[REQUEST_RUN_ANNOTATION] ?? null
}

/** A run of Lockkeeper, the object's first writer (such as `kubectl-create`), or unknown. */
export type Maker =
  | { readonly code: 'OwnRun'; readonly run: string; readonly operator: string | null }
  | { readonly code: 'FirstWriter'; readonly manager: string }
  | { readonly code: 'MakerNotTold' }

export function makerOf(request: Pick<ClusterMaintenanceRequest, 'annotations' | 'writers'>): Maker {
  const run = runOf(request)
  const operator = request.annotations[REQUEST_OPERATOR_ANNOTATION] ?? null
  if (run !== null) return { code: 'OwnRun', run, operator }
  const first = request.writers.findLast(({ subresource }) => subresource === null)
  return first === undefined ? { code: 'MakerNotTold' } : { code: 'FirstWriter', manager: first.manager }
}

/** The exact name, else a node with the same text before the first dot (domain.md A.1). Null if there is no such node. */
export function nodeMeant(nodeName: string, nodes: readonly string[]): string | null {
  if (nodes.includes(nodeName)) return nodeName
  const first = nodeName.split('.')[0] ?? ''
  if (nodes.includes(first)) return first
  const short = nodes.filter(node => node.split('.')[0] === first)
  return short.length === 1 ? (short[0] ?? null) : null
}

const OriginalNode = z.looseObject({ metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }) })

/** The labels when the lock was made; empty if the lock does not say. */
export function originalLabels({
  annotations,
}: Pick<NodeWorkloadLock, 'annotations'>): Readonly<Record<string, string>> {
  return OriginalNode.safeParse(jsonOf(annotations[ORIGINAL_NODE_ANNOTATION] ?? '')).data?.metadata.labels ?? {}
}
