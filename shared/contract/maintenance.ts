import { z } from 'zod'
import { JudgedBatch } from '../domain/batches.ts'
import { ApplicationCommand } from '../domain/command-work.ts'
import { Json } from '../domain/json.ts'
import { ControllerChoice, ControllerName, DefinitionStatus, LockState } from '../domain/maintenance-api.ts'
import { CheckedPlan } from '../domain/plan.ts'
import { UpdateOptions, UpdateTimeline } from '../domain/update.ts'
import { LeftNode } from '../domain/window.ts'
import { PlanChoices } from './run.ts'

/** The probable controllers for a name, by the cluster's objects; the operator decides. */
export const ControllerProposal = z.strictObject({
  controller: ControllerName,
  choice: ControllerChoice,
  why: z.string(),
  code: z.string().optional(),
  values: z.record(z.string(), Json).optional(),
})
export type ControllerProposal = z.infer<typeof ControllerProposal>

const ControllerStatus = z.strictObject({
  controller: ControllerName,
  choice: ControllerChoice,
  /** One line for each item, such as `cmp-1: waiting for 2 instances …`. Empty if it is idle. */
  busyWith: z.array(z.string()),
})

export const ControllersStatus = z.strictObject({
  cluster: z.string(),
  /** `elsewhere`: another process holds the Lease. `stopped`: none does. `not-used`: no choice is `console`. */
  state: z.enum(['here', 'elsewhere', 'stopped', 'not-used']),
  heldBy: z.string().nullable(),
  /** Null if there is no problem. */
  trouble: z.string().nullable(),
  code: z.string().optional(),
  values: z.record(z.string(), Json).optional(),
  controllers: z.array(ControllerStatus),
})
export type ControllersStatus = z.infer<typeof ControllersStatus>

/** The default work on the nodes of a cluster: every node in its place. */
export const UpdateProposal = z.strictObject({
  options: UpdateOptions,
  left: z.array(LeftNode),
  /** Whether the rest of the cloud has room for their instances. Empty means all nodes. */
  batches: z.array(JudgedBatch),
})
export type UpdateProposal = z.infer<typeof UpdateProposal>

/** What an observer sees of an update that another program drives. */
export const UpdateObservation = z.strictObject({
  cluster: z.string(),
  /** Null if this console has observed none. */
  timeline: UpdateTimeline.nullable(),
  /** The driver, as the objects show: `Lockkeeper run …`, `LCM`, `somebody`. */
  drivenBy: z.string().nullable(),
  plans: z.array(z.string()),
  readAt: z.string(),
})
export type UpdateObservation = z.infer<typeof UpdateObservation>

export const ListedLock = z.strictObject({
  of: z.enum(['cluster', 'node']),
  name: z.string(),
  /** Verbatim: it may be an FQDN or no node at all; null means the cluster's. */
  node: z.string().nullable(),
  controller: z.string(),
  state: LockState,
  status: z.enum(['idle', 'asked', 'preparing', 'blocked', 'trouble', 'released', 'returning', 'unknown']),
  says: z.string(),
  /** Null if its controller does not say when. */
  saidAt: z.string().nullable(),
  release: z.string().nullable(),
  madeBy: z.string(),
  createdAt: z.string(),
  deletingSince: z.string().nullable(),
  faults: z.array(z.string()),
})
export type ListedLock = z.infer<typeof ListedLock>

export const ListedRequest = z.strictObject({
  kind: z.enum([
    'ClusterMaintenanceRequest',
    'NodeMaintenanceRequest',
    'NodeDeletionRequest',
    'NodeDisableNotification',
  ]),
  name: z.string(),
  uid: z.string(),
  /** Verbatim: it may be an FQDN or no node at all; null means the cluster's. */
  node: z.string().nullable(),
  scope: z.enum(['drain', 'os']).nullable(),
  release: z.string().nullable(),
  madeBy: z.string(),
  /** Null if it is not a run of Lockkeeper. */
  runId: z.string().nullable(),
  reason: z.string().nullable(),
  createdAt: z.string(),
  /** Terminating since then: the controllers bring their applications back. */
  deletingSince: z.string().nullable(),
  waitsFor: z.array(z.string()),
  faults: z.array(z.string()),
})
export type ListedRequest = z.infer<typeof ListedRequest>

const OfCluster = z.strictObject({ cluster: z.string() })

export const maintenanceRequests = {
  'definitions.status': { effect: 'read', input: OfCluster, output: z.array(DefinitionStatus) },
  /** The cluster's own definitions never change. */
  'definitions.install': { effect: 'write', input: OfCluster, output: z.array(DefinitionStatus) },
  /** By any author; `served` false: the cluster has no such API. */
  'maintenance.list': {
    effect: 'read',
    input: OfCluster,
    output: z.strictObject({
      served: z.boolean(),
      locks: z.array(ListedLock),
      requests: z.array(ListedRequest),
      readAt: z.string(),
    }),
  },
  /** Removes a request that no run will remove. `checks-failed`: another author's, unless forced. `terminating`: finalizers hold it. */
  'request.remove': {
    effect: 'journaled',
    input: z.strictObject({
      cluster: z.string(),
      kind: z.enum(['ClusterMaintenanceRequest', 'NodeMaintenanceRequest']),
      name: z.string(),
      uid: z.string(),
      reason: z.string().min(1),
      force: z.boolean().optional(),
      typedCluster: z.string().optional(),
    }),
    output: z.strictObject({
      state: z.enum(['gone', 'terminating', 'not-known']),
      finalizers: z.array(z.string()),
    }),
  },
  'controllers.detect': { effect: 'read', input: OfCluster, output: z.array(ControllerProposal) },
  'controllers.status': { effect: 'read', input: OfCluster, output: ControllersStatus },
  /** Our own controllers, for names whose setting is `console`, until stopped or the console closes. */
  'controllers.start': { effect: 'write', input: OfCluster, output: ControllersStatus },
  'controllers.stop': { effect: 'write', input: OfCluster, output: ControllersStatus },
  /** `nodes`: exactly these, in batches that keep every rule; absent means the whole cluster, one by one. `staysOut`: they go out together and stay out. */
  'update.propose': {
    effect: 'read',
    input: OfCluster.extend({
      nodes: z.array(z.string()).min(1).optional(),
      staysOut: z.literal(true).optional(),
    }),
    output: UpdateProposal,
  },
  'update.plan': {
    effect: 'read',
    input: z.strictObject({
      cluster: z.string(),
      update: UpdateOptions,
      choices: PlanChoices,
      /** Start updates of applications that have no other start. */
      commands: z.array(ApplicationCommand).optional(),
    }),
    output: CheckedPlan,
  },
  'update.timeline': { effect: 'read', input: z.strictObject({ runId: z.string() }), output: UpdateTimeline },
  /** By the objects alone, for any driver; observation starts with the first request. */
  'update.observe': { effect: 'read', input: OfCluster, output: UpdateObservation },
} as const

export const maintenanceEvents = {
  'controllers.changed': ControllersStatus,
  /** Request `update.observe` again. At most once a second. */
  'update.observed': z.strictObject({ cluster: z.string() }),
} as const
