import { z } from 'zod'
import { SessionWarning } from './cluster.ts'
import { Said } from './coded.ts'
import { MAINTENANCE_ACTIONS } from './instance-tags.ts'
import { Json } from './json.ts'
import { MaintenanceObjects } from './maintenance-api.ts'
import { InstanceSummary, NodeSummary } from './node-summary.ts'

/** Each source is read separately, and may be old or missing alone. */
export const SourceName = z.enum([
  'nodes',
  'pods',
  'leases',
  'workload-locks',
  'maintenance-requests',
  'compute-services',
  'network-agents',
  'instances',
  'capacity',
])
export type SourceName = z.infer<typeof SourceName>

/** `reason`: our code with its `values`; absent means another program's words. */
const silence = { why: z.string(), reason: z.string().optional(), values: z.record(z.string(), Json).optional() }

/** How fresh one source is (docs/style.md G29). The facts of a source that is not `live` are drawn as old. */
export const SourceState = z.discriminatedUnion('kind', [
  /** For the first time, or again after a gap. */
  z.strictObject({ kind: z.literal('catching-up') }),
  z.strictObject({ kind: z.literal('live'), lastAnswerAt: z.string() }),
  /** The facts are as of `since` at the latest. */
  z.strictObject({ kind: z.literal('offline'), since: z.string(), ...silence }),
  z.strictObject({ kind: z.literal('not-permitted'), ...silence }),
  z.strictObject({ kind: z.literal('absent'), ...silence }),
])
export type SourceState = z.infer<typeof SourceState>

export const ViewSource = z.strictObject({
  name: SourceName,
  state: SourceState,
  /** How often it is read; null if it is pushed. A live source older than three intervals is old. */
  everyMs: z.number().int().positive().nullable(),
})
export type ViewSource = z.infer<typeof ViewSource>

/** How many migrate now, and how many a maintenance (scope os) would move, stop, leave, or wait for. */
export const InstanceCounts = z.strictObject({
  total: z.number().int(),
  live_migrate: z.number().int(),
  migrating: z.number().int(),
  poweroff: z.number().int(),
  notify: z.number().int(),
  ignore: z.number().int(),
  blocked: z.number().int(),
})
export type InstanceCounts = z.infer<typeof InstanceCounts>

/** A controller's lock on a node, identified by its spec, never by its name (docs/domain.md A.1). */
export const WorkloadLockLamp = z.strictObject({
  controller: z.string(),
  state: z.enum(['active', 'inactive', 'failed', 'unknown']),
  message: z.string(),
})
export type WorkloadLockLamp = z.infer<typeof WorkloadLockLamp>

/** Null if unreadable, or absent in this cloud; `sources` says which. */
export const NodeView = NodeSummary.extend({
  /** From `topology.kubernetes.io/rack`, `kubernetes.io/rack` or `rack`; null if there is no label. */
  rack: z.string().nullable(),
  internalIp: z.string().nullable(),
  osImage: z.string(),
  createdAt: z.string(),
  readinessText: z.string(),
  readinessSince: z.string().nullable(),
  migrationAttempts: z.string().nullable(),
  modeWarnings: z.array(z.string()),
  modeFindings: z.array(Said).optional(),
  instances: InstanceCounts.nullable(),
  pods: z.number().int().nullable(),
  load: z
    .strictObject({
      vcpusUsed: z.number(),
      vcpusTotal: z.number(),
      ramUsedMib: z.number(),
      ramTotalMib: z.number(),
    })
    .nullable(),
  /** Ceph OSDs on it; null if unknown. */
  osds: z.number().int().nullable(),
  agents: z.strictObject({ alive: z.number().int(), total: z.number().int() }).nullable(),
  locks: z.array(WorkloadLockLamp).nullable(),
  /** The console that holds the node, here or on another machine. */
  heldBy: z
    .strictObject({
      runId: z.string().nullable(),
      operator: z.string().nullable(),
      machine: z.string().nullable(),
      since: z.string().nullable(),
      /** Its Lease did not change for its whole duration: another console may take the node. */
      gone: z.boolean(),
    })
    .nullable(),
})
export type NodeView = z.infer<typeof NodeView>

export const InstanceView = InstanceSummary.extend({
  /** The Kubernetes node of its host; null if no node matches. */
  node: z.string().nullable(),
  vmState: z.string().nullable(),
  powerState: z.number().int().nullable(),
  /** Maintenance actions in its owner's tags: usually at most one. */
  marks: z.array(z.enum(MAINTENANCE_ACTIONS)),
  flavor: z
    .strictObject({
      name: z.string(),
      vcpus: z.number(),
      ramMib: z.number(),
      diskGib: z.number(),
      ephemeralGib: z.number(),
    })
    .nullable(),
  volumes: z.number().int(),
  locked: z.boolean(),
  /** Requested by its owner; null if there is no zone; absent if Nova does not say (before 2.96). */
  pinnedZone: z.string().nullable().optional(),
  /** Absent if there is no hard group, or unreadable. */
  groups: z
    .array(
      z.strictObject({
        id: z.string(),
        policy: z.enum(['affinity', 'anti-affinity']),
        maxPerHost: z.number().int().optional(),
      }),
    )
    .optional(),
  /** What removes the obstacle; null if nothing is necessary. */
  remedy: z.string().nullable(),
  updatedAt: z.string().nullable(),
})
export type InstanceView = z.infer<typeof InstanceView>

export const ClusterView = z.strictObject({
  cluster: z.string(),
  warnings: z.array(SessionWarning),
  sources: z.array(ViewSource),
  nodes: z.array(NodeView),
  instances: z.array(InstanceView),
  /** Their names, if Keystone gives them; the others appear by id. */
  projects: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  /** Null if the cluster has no such API, or they have not arrived yet. */
  maintenance: MaintenanceObjects.nullable(),
})
export type ClusterView = z.infer<typeof ClusterView>

export const ViewChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('node'), value: NodeView }),
  z.strictObject({ kind: z.literal('node-gone'), name: z.string() }),
  z.strictObject({ kind: z.literal('instance'), value: InstanceView }),
  z.strictObject({ kind: z.literal('instance-gone'), id: z.string() }),
  z.strictObject({ kind: z.literal('source'), value: ViewSource }),
  z.strictObject({ kind: z.literal('maintenance'), value: MaintenanceObjects.nullable() }),
  z.strictObject({ kind: z.literal('warnings'), value: z.array(SessionWarning) }),
  z.strictObject({
    kind: z.literal('projects'),
    value: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  }),
])
export type ViewChange = z.infer<typeof ViewChange>
