import { z } from 'zod'
import { JudgedBatch, LeftNode } from '../domain/batches.ts'
import { ApplicationCommand } from '../domain/command-work.ts'
import { Json } from '../domain/json.ts'
import { ControllerChoice, ControllerName, DefinitionStatus, LockState } from '../domain/maintenance-api.ts'
import { CheckedPlan } from '../domain/plan.ts'
import { UpdateOptions, UpdateTimeline } from '../domain/update.ts'
import { PlanChoices } from './run.ts'

/** The probable controllers for a controller name on a cluster, judged by its objects: a proposal, the operator decides. */
export const ControllerProposal = z.strictObject({
  controller: ControllerName,
  choice: ControllerChoice,
  why: z.string(),
  /** The reason by code, with values (docs/codes.md). */
  code: z.string().optional(),
  values: z.record(z.string(), Json).optional(),
})
export type ControllerProposal = z.infer<typeof ControllerProposal>

const ControllerStatus = z.strictObject({
  controller: ControllerName,
  choice: ControllerChoice,
  /** One line for each item it works on or waits for: `cmp-1: waiting for 2 instances …`. Empty: idle. */
  busyWith: z.array(z.string()),
})

export const ControllersStatus = z.strictObject({
  cluster: z.string(),
  /** `here`: this process runs them. `elsewhere`: another one holds the Lease. `stopped`: no process does. `not-used`: no choice is `console`. */
  state: z.enum(['here', 'elsewhere', 'stopped', 'not-used']),
  /** The process that runs them, if known, in words. */
  heldBy: z.string().nullable(),
  /** Why they stopped or cannot start; null: no problem. */
  trouble: z.string().nullable(),
  /** The reason by code, with values (docs/codes.md). */
  code: z.string().optional(),
  values: z.record(z.string(), Json).optional(),
  controllers: z.array(ControllerStatus),
})
export type ControllersStatus = z.infer<typeof ControllersStatus>

/** The default work on the nodes of a cluster: every node in its place. */
export const UpdateProposal = z.strictObject({
  options: UpdateOptions,
  /** Nodes that are in no group, and why. */
  left: z.array(LeftNode),
  /** The judged batches of chosen nodes: whether the rest of the cloud has room for their instances. Empty: all nodes. */
  batches: z.array(JudgedBatch),
})
export type UpdateProposal = z.infer<typeof UpdateProposal>

/** An observer's view of an update that another driver runs. */
export const UpdateObservation = z.strictObject({
  cluster: z.string(),
  /** Null: no update was observed since this console started to observe. */
  timeline: UpdateTimeline.nullable(),
  /** The current or last driver (`timeline.endedAt`), judged by the objects: `Lockkeeper run …`, `LCM`, `somebody`. */
  drivenBy: z.string().nullable(),
  /** The readable ClusterUpdatePlan and LCM stages, one line each. */
  plans: z.array(z.string()),
  readAt: z.string(),
})
export type UpdateObservation = z.infer<typeof UpdateObservation>

export const ListedLock = z.strictObject({
  of: z.enum(['cluster', 'node']),
  name: z.string(),
  /** Verbatim: it may be an FQDN or not a node at all; null: the cluster's. */
  node: z.string().nullable(),
  controller: z.string(),
  state: LockState,
  status: z.enum(['idle', 'asked', 'preparing', 'blocked', 'trouble', 'released', 'returning', 'unknown']),
  /** The status as a sentence, with its controller's message. */
  says: z.string(),
  /** When its controller wrote it; null: it does not say. */
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
  /** Verbatim: it may be an FQDN or not a node at all; null: the cluster's. */
  node: z.string().nullable(),
  scope: z.enum(['drain', 'os']).nullable(),
  release: z.string().nullable(),
  madeBy: z.string(),
  /** The run of Lockkeeper that created it; null: another author. */
  runId: z.string().nullable(),
  reason: z.string().nullable(),
  createdAt: z.string(),
  /** Terminating since: the controllers bring their applications back. */
  deletingSince: z.string().nullable(),
  /** What delays its grant or its removal; empty: nothing. */
  waitsFor: z.array(z.string()),
  faults: z.array(z.string()),
})
export type ListedRequest = z.infer<typeof ListedRequest>

const OfCluster = z.strictObject({ cluster: z.string() })

export const maintenanceRequests = {
  /** The state of the node maintenance API's definitions on a cluster. Only reads. */
  'definitions.status': { effect: 'read', input: OfCluster, output: z.array(DefinitionStatus) },
  /** Installs missing ones; the cluster's own never change. */
  'definitions.install': { effect: 'write', input: OfCluster, output: z.array(DefinitionStatus) },
  /** Every lock and request of the node maintenance API, by any author; `served` is false if the cluster has no such API. */
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
  /**
   * Removes exactly this request, which no run will remove. Refused while a run relies on it, or another process holds its node or updates the
   * cluster; `checks-failed` for another author's, unless forced. `terminating`: controllers hold it by finalizers until their application is back.
   */
  'request.remove': {
    effect: 'journaled',
    input: z.strictObject({
      cluster: z.string(),
      kind: z.enum(['ClusterMaintenanceRequest', 'NodeMaintenanceRequest']),
      name: z.string(),
      uid: z.string(),
      reason: z.string().min(1),
      force: z.boolean().optional(),
      /** As in `run.start`. */
      typedCluster: z.string().optional(),
    }),
    output: z.strictObject({
      state: z.enum(['gone', 'terminating', 'not-known']),
      finalizers: z.array(z.string()),
    }),
  },
  'controllers.detect': { effect: 'read', input: OfCluster, output: z.array(ControllerProposal) },
  'controllers.status': { effect: 'read', input: OfCluster, output: ControllersStatus },
  /** Runs our own controllers for the names whose setting is `console`, in this process, until stopped or the console closes. */
  'controllers.start': { effect: 'write', input: OfCluster, output: ControllersStatus },
  'controllers.stop': { effect: 'write', input: OfCluster, output: ControllersStatus },
  /** The default update of this cluster: order, groups, scope. */
  /** `nodes`: exactly these, in batches that keep every rule; absent: all of the cluster, one by one. */
  'update.propose': {
    effect: 'read',
    input: OfCluster.extend({ nodes: z.array(z.string()).min(1).optional() }),
    output: UpdateProposal,
  },
  /** Makes the plan of an update and runs every check. Its id is the input of `run.start`. */
  'update.plan': {
    effect: 'read',
    input: z.strictObject({
      cluster: z.string(),
      update: UpdateOptions,
      choices: PlanChoices,
      /** Commands of this machine that start updates of applications in `update` that have no other start. */
      commands: z.array(ApplicationCommand).optional(),
    }),
    output: CheckedPlan,
  },
  'update.timeline': { effect: 'read', input: z.strictObject({ runId: z.string() }), output: UpdateTimeline },
  /** The update judged by the objects alone, with any driver; observation of the cluster starts with the first request. */
  'update.observe': { effect: 'read', input: OfCluster, output: UpdateObservation },
} as const

export const maintenanceEvents = {
  'controllers.changed': ControllersStatus,
  /** The observed update progressed: request `update.observe` again. At most once a second. */
  'update.observed': z.strictObject({ cluster: z.string() }),
} as const
