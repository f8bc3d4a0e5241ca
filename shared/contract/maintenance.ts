import { z } from 'zod'
import { JudgedBatch, LeftNode } from '../domain/batches.ts'
import { ApplicationCommand } from '../domain/command-work.ts'
import { Json } from '../domain/json.ts'
import { ControllerChoice, ControllerName, DefinitionStatus, LockState } from '../domain/maintenance-api.ts'
import { CheckedPlan } from '../domain/plan.ts'
import { UpdateOptions, UpdateTimeline } from '../domain/update.ts'
import { PlanChoices } from './run.ts'

/** Who seems to answer for a controller name on a cluster, from what is there: a proposal, the operator decides. */
export const ControllerProposal = z.strictObject({
  controller: ControllerName,
  choice: ControllerChoice,
  why: z.string(),
  /** Why, by its code with values (docs/codes.md). */
  code: z.string().optional(),
  values: z.record(z.string(), Json).optional(),
})
export type ControllerProposal = z.infer<typeof ControllerProposal>

/** What one of our own controllers does now. */
const ControllerStatus = z.strictObject({
  controller: ControllerName,
  choice: ControllerChoice,
  /** One line an item it works on or waits for: `cmp-1: waiting for 2 instances …`. Empty: at rest. */
  busyWith: z.array(z.string()),
})

/** Our own application controllers on a cluster. */
export const ControllersStatus = z.strictObject({
  cluster: z.string(),
  /** `here`: this process runs them. `elsewhere`: another one holds the Lease. `stopped`: nobody does. `not-used`: no choice is `console`. */
  state: z.enum(['here', 'elsewhere', 'stopped', 'not-used']),
  /** Who runs them, where that is known, in words. */
  heldBy: z.string().nullable(),
  /** Why they stopped or cannot start; null when all is well. */
  trouble: z.string().nullable(),
  /** Why, by its code with values (docs/codes.md). */
  code: z.string().optional(),
  values: z.record(z.string(), Json).optional(),
  controllers: z.array(ControllerStatus),
})
export type ControllersStatus = z.infer<typeof ControllersStatus>

/** The work on nodes of a cluster as it would be when the operator chooses nothing more: every node in its place. */
export const UpdateProposal = z.strictObject({
  options: UpdateOptions,
  /** Nodes that are in no group, and why. */
  left: z.array(LeftNode),
  /** The batches that chosen nodes were put into, judged: whether the rest of the cloud takes their instances. Empty where all nodes are meant. */
  batches: z.array(JudgedBatch),
})
export type UpdateProposal = z.infer<typeof UpdateProposal>

/** What an onlooker sees of an update that somebody else drives. */
export const UpdateObservation = z.strictObject({
  cluster: z.string(),
  /** Null: no update was seen since this console looks. */
  timeline: UpdateTimeline.nullable(),
  /** Who drives, or drove one that is over (`timeline.endedAt`), as far as the objects tell: `Lockkeeper run …`, `LCM`, `somebody`. */
  drivenBy: z.string().nullable(),
  /** The ClusterUpdatePlan and LCM stages that could be read, one line each. */
  plans: z.array(z.string()),
  readAt: z.string(),
})
export type UpdateObservation = z.infer<typeof UpdateObservation>

/** A workload lock of a node or the cluster, whoever made it. */
export const ListedLock = z.strictObject({
  of: z.enum(['cluster', 'node']),
  name: z.string(),
  /** As the object names it, which may be an FQDN or no node at all; null of the cluster's. */
  node: z.string().nullable(),
  controller: z.string(),
  state: LockState,
  /** Where it stands under the request that it answers. */
  status: z.enum(['idle', 'asked', 'preparing', 'blocked', 'trouble', 'released', 'returning', 'unknown']),
  /** That, in a sentence, with what its controller says. */
  says: z.string(),
  /** When its controller said it; null where it does not tell. */
  saidAt: z.string().nullable(),
  release: z.string().nullable(),
  madeBy: z.string(),
  createdAt: z.string(),
  deletingSince: z.string().nullable(),
  faults: z.array(z.string()),
})
export type ListedLock = z.infer<typeof ListedLock>

/** A request of the node maintenance API, whoever made it. */
export const ListedRequest = z.strictObject({
  kind: z.enum([
    'ClusterMaintenanceRequest',
    'NodeMaintenanceRequest',
    'NodeDeletionRequest',
    'NodeDisableNotification',
  ]),
  name: z.string(),
  uid: z.string(),
  /** As the object names it, which may be an FQDN or no node at all; null of the cluster's. */
  node: z.string().nullable(),
  scope: z.enum(['drain', 'os']).nullable(),
  release: z.string().nullable(),
  madeBy: z.string(),
  /** The run of Lockkeeper that made it; null: somebody else did. */
  runId: z.string().nullable(),
  reason: z.string().nullable(),
  createdAt: z.string(),
  /** Terminating since: the controllers bring their applications back. */
  deletingSince: z.string().nullable(),
  /** What keeps it from being granted, or from being gone; empty: nothing. */
  waitsFor: z.array(z.string()),
  faults: z.array(z.string()),
})
export type ListedRequest = z.infer<typeof ListedRequest>

const OfCluster = z.strictObject({ cluster: z.string() })

export const maintenanceRequests = {
  /** Where the definitions of the node maintenance API stand on a cluster. Touches nothing. */
  'definitions.status': { effect: 'read', input: OfCluster, output: z.array(DefinitionStatus) },
  /** Installs those that are missing; the cluster's own are never changed. */
  'definitions.install': { effect: 'write', input: OfCluster, output: z.array(DefinitionStatus) },
  /** Every lock and request of the node maintenance API, also of strangers; `served` is false where the cluster has no such API. */
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
   * Removes exactly this request, which no run is to end. Refused while a run relies on it, or somebody holds its node or updates the
   * cluster; `checks-failed` for one that somebody else made, unless forced. `terminating`: controllers hold it by finalizers until their
   * application is back.
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
      /** As `run.start`. */
      typedCluster: z.string().optional(),
    }),
    output: z.strictObject({
      state: z.enum(['gone', 'terminating', 'not-known']),
      finalizers: z.array(z.string()),
    }),
  },
  /** Looks who answers maintenance requests there. */
  'controllers.detect': { effect: 'read', input: OfCluster, output: z.array(ControllerProposal) },
  'controllers.status': { effect: 'read', input: OfCluster, output: ControllersStatus },
  /** Runs our own controllers for the names whose setting is `console`, in this process, until stopped or the console closes. */
  'controllers.start': { effect: 'write', input: OfCluster, output: ControllersStatus },
  'controllers.stop': { effect: 'write', input: OfCluster, output: ControllersStatus },
  /** What an update of this cluster would do by default: order, groups, scope. */
  /** `nodes`: exactly these, in batches that keep every rule; absent: all of the cluster, one by one. */
  'update.propose': {
    effect: 'read',
    input: OfCluster.extend({ nodes: z.array(z.string()).min(1).optional() }),
    output: UpdateProposal,
  },
  /** Makes the plan of an update and runs every check. Its id is what `run.start` takes. */
  'update.plan': {
    effect: 'read',
    input: z.strictObject({
      cluster: z.string(),
      update: UpdateOptions,
      choices: PlanChoices,
      /** Commands of this machine that start the updates of applications of `update` which nothing else starts. */
      commands: z.array(ApplicationCommand).optional(),
    }),
    output: CheckedPlan,
  },
  /** The timeline of an update that a run drives or drove. */
  'update.timeline': { effect: 'read', input: z.strictObject({ runId: z.string() }), output: UpdateTimeline },
  /** The update as derived from the objects alone, whoever drives it; the cluster is looked at from the first asking on. */
  'update.observe': { effect: 'read', input: OfCluster, output: UpdateObservation },
} as const

export const maintenanceEvents = {
  /** Our controllers started, stopped, or do something else. */
  'controllers.changed': ControllersStatus,
  /** The observed update moved on: ask `update.observe` again. At most once a second. */
  'update.observed': z.strictObject({ cluster: z.string() }),
} as const
