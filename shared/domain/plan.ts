import { z } from 'zod'
import { CODED } from './coded.ts'
import { NodeWork } from './command-work.ts'
import { alsoUnder } from './earlier-names.ts'
import { DEFAULT_STUCK_RULE, StuckRule } from './instance-choice.ts'
import { Json } from './json.ts'
import { ComputeStrategy } from './role-maintenance.ts'
import { NodeStage, UpdateOptions, UpdatePhase } from './update.ts'

/**
 * What a procedure does: it takes a node out of service or brings it back, does both with the work between (`maintain`), rescues the instances of a
 * machine that is off, brings a node's instances home, undoes what another run did to it, or works on many nodes of a cluster.
 */
export const RunKind = z.enum(['enter', 'leave', 'maintain', 'rescue', 'home', 'undo', 'update', 'rolling-maintenance'])
export type RunKind = z.infer<typeof RunKind>

/** The procedures of one node. */
export const NodeRunKind = RunKind.extract(['enter', 'leave', 'maintain', 'rescue', 'home', 'undo'])
export type NodeRunKind = z.infer<typeof NodeRunKind>

/** Those that are planned for a node by its name; an undo is planned for a run. */
export const PlannedNodeRunKind = NodeRunKind.exclude(['undo'])
export type PlannedNodeRunKind = z.infer<typeof PlannedNodeRunKind>

/** The procedures of many nodes. */
export const RollingRunKind = RunKind.exclude(NodeRunKind.options)
export type RollingRunKind = z.infer<typeof RollingRunKind>

/** Whether a run is about one node; else it is about many nodes of a cluster. */
export function isNodeRun(kind: RunKind): kind is NodeRunKind {
  return NodeRunKind.safeParse(kind).success
}

/** Whether a run empties a node that lives, first or only. */
export function takesOut(kind: RunKind): kind is 'enter' | 'maintain' {
  return kind === 'enter' || kind === 'maintain'
}

/** Whether a run leaves its node out of service when it is done. */
export function staysOut(kind: RunKind): kind is 'enter' | 'rescue' {
  return kind === 'enter' || kind === 'rescue'
}

/** Whether a run of a node is there for its being in service, and has it so when it is done. */
export function endsInService(kind: RunKind): kind is 'leave' | 'maintain' | 'undo' {
  return kind === 'maintain' || isWayBack(kind)
}

/** Whether a run brings a node back into service, and nothing else: for want of a window none is kept out of it. */
export function isWayBack(kind: RunKind): kind is 'leave' | 'undo' {
  return kind === 'leave' || kind === 'undo'
}

/**
 * What the work on the node may do to it (seed 001): `drain` restarts services at most, instances stay where they are;
 * `os` may reboot the node, so instances are moved away first.
 */
export const MaintenanceScope = z.enum(['drain', 'os'])
export type MaintenanceScope = z.infer<typeof MaintenanceScope>

/** One thing that was read to come to an answer: the object, when, and the values that mattered (style G20). */
export const Evidence = z.strictObject({
  /** The object, such as `node/cmp-1`, `server/6f1c… (vm-01)`, `nova-compute on cmp-1`. */
  subject: z.string(),
  readAt: z.string(),
  values: z.record(z.string(), Json),
})
export type Evidence = z.infer<typeof Evidence>

/** The overrides an operator may give; each needs a reason, which is journaled. */
export const OverrideFlag = z.enum(['force', 'allow-downtime', 'allow-data-loss'])
export type OverrideFlag = z.infer<typeof OverrideFlag>

/** Whether a blocker may be overridden, and how; `never` says why not. */
export const OverrideRule = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('flag'), flag: OverrideFlag }),
  z.strictObject({ kind: z.literal('never'), why: z.string() }),
])
export type OverrideRule = z.infer<typeof OverrideRule>

/** What may pass by itself, and how long the server asked to be left alone; 0: it did not say. */
export const Passing = z.strictObject({ retryAfterMs: z.number().nonnegative() })
export type Passing = z.infer<typeof Passing>

/** One reason why a step cannot go on, with what an operator can do about it. */
export const Blocker = z.strictObject({
  /** Stable name of the condition, such as `InstanceInError` (docs/terminal.md). */
  code: z.string(),
  /** What its message names; absent in journals of earlier versions. */
  values: z.record(z.string(), Json).optional(),
  message: z.string(),
  remedy: z.string(),
  override: OverrideRule,
  /** The world could not be asked just now, which may pass by itself. */
  passing: Passing.optional(),
  /** Where it holds up a node in the middle of a run, a person may go on in spite of it, with a reason. */
  mayGoOn: z.literal(true).optional(),
  /** It held when the plan was confirmed: an override that was given then was not given for it. */
  sinceConfirmed: z.literal(true).optional(),
})
export type Blocker = z.infer<typeof Blocker>

/** What a drain does to one pod, and the budgets that guard it. */
export const drainedPod = {
  namespace: z.string(),
  name: z.string(),
  uid: z.string(),
  fate: z.enum(['evict', 'delete', 'keep', 'block']),
  reason: z.string(),
  /** What the reason is made of; absent where there is none, and in plans of earlier versions. */
  code: z.string().optional(),
  values: z.record(z.string(), Json).optional(),
  warnings: z.array(z.string()),
  budgets: z.array(
    alsoUnder(
      { standing: 'status' },
      z.strictObject({
        name: z.string(),
        disruptionsAllowed: z.number(),
        currentHealthy: z.number(),
        desiredHealthy: z.number(),
        /** What it means for this pod; absent in plans of earlier versions. */
        status: z.enum(['allows', 'refuses', 'behind', 'passed']).optional(),
      }),
    ),
  ),
}

/** What a step will do to one thing, shown before anything is touched. */
export const Effect = z.discriminatedUnion('kind', [
  /** A change to the node or a service: cordon, disable, enable. */
  z.strictObject({ kind: z.literal('change'), target: z.string(), from: z.string(), to: z.string() }),
  /** What happens to one instance and why. */
  z.strictObject({
    kind: z.literal('instance'),
    id: z.string(),
    name: z.string(),
    status: z.string(),
    /** Its project and Nova's number of its power state, where the step that looked knows them: what the report shows of it before. */
    projectId: z.string().nullable().optional(),
    powerState: z.number().nullable().optional(),
    /** `cold_migrate`: moves while stopped; `evacuate`: is rebuilt elsewhere, its machine being off; `stop`: is stopped where it is. */
    action: z.enum(['live_migrate', 'cold_migrate', 'evacuate', 'stop', 'poweroff', 'notify', 'ignore', 'blocked']),
    /** Where the action comes from: the instance's own tag, the host's mode, its state, Watcher's plan, or the operator's choice. */
    source: z.enum(['tag', 'host-mode', 'state', 'watcher', 'operator']),
    reason: z.string(),
    warnings: z.array(z.string()),
  }),
  /** What happens to one pod and the budgets that guard it. */
  z.strictObject({
    kind: z.literal('pod'),
    ...drainedPod,
  }),
])
export type Effect = z.infer<typeof Effect>

/**
 * One thing that a check saw there, by the id under which it is that very thing (a UID, Nova's id): when it is in no list any more, a
 * verify has to prove that it is gone (docs/decisions/0025).
 */
export const Counted = z.strictObject({
  /** `pod-leaving`, `pod-staying`, `lock`, `instance`, `osd` and the like: what a step counts is its own matter. */
  kind: z.string(),
  id: z.string(),
  name: z.string(),
  values: z.record(z.string(), Json).default({}),
})
export type Counted = z.infer<typeof Counted>

/** What a check warns of; an earlier version wrote its text alone. */
export const Warning = z.preprocess(
  written => (typeof written === 'string' ? { code: 'Untold', values: {}, message: written } : written),
  z.strictObject({ code: z.string(), values: z.record(z.string(), Json), message: z.string() }),
)
export type Warning = z.infer<typeof Warning>

/** What a check found, whatever it answers. */
const found = {
  evidence: z.array(Evidence),
  warnings: z.array(Warning),
  effects: z.array(Effect),
  /** What its verify is held against. */
  counted: z.array(Counted).optional(),
}

/** A step's answer to "may this go on?". It only read; nothing was touched. */
export const CheckAnswer = z.discriminatedUnion('kind', [
  /** Nothing to do: the world is already as the step would make it. */
  z.strictObject({
    kind: z.literal('done'),
    ...CODED,
    reason: z.string(),
    ...found,
  }),
  /** Holds; `effects` is what apply will do. */
  z.strictObject({
    kind: z.literal('ready'),
    ...CODED,
    reason: z.string(),
    ...found,
  }),
  /** Does not hold. */
  z.strictObject({
    kind: z.literal('blocked'),
    blockers: z.array(Blocker),
    ...found,
  }),
])
export type CheckAnswer = z.infer<typeof CheckAnswer>

/** A step's answer to "is it so, in the world, now?". */
export const VerifyAnswer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('holds'), ...CODED, reason: z.string(), evidence: z.array(Evidence) }),
  z.strictObject({
    kind: z.literal('fails'),
    ...CODED,
    reason: z.string(),
    remedy: z.string(),
    evidence: z.array(Evidence),
    /** False when polling longer cannot help. */
    mayStillHold: z.boolean(),
  }),
  /**
   * It could not be told: what was asked did not answer, or answered so that nothing is proved by it. It never counts as verified, and it
   * does not say that the thing is not so.
   */
  z.strictObject({
    kind: z.literal('cannot-tell'),
    ...CODED,
    reason: z.string(),
    remedy: z.string(),
    evidence: z.array(Evidence),
    /** False when polling longer cannot help. */
    mayStillHold: z.boolean(),
    /** It could not be told because the world could not be asked just now. */
    passing: Passing.optional(),
  }),
])
export type VerifyAnswer = z.infer<typeof VerifyAnswer>

/** The part of the cloud a step belongs to; `general` steps belong to every node, `gateway` is the network role. */
export const StepRole = z.enum(['general', 'compute', 'control', 'gateway', 'storage'])
export type StepRole = z.infer<typeof StepRole>

/** How much a step may hurt (style G35). */
export const StepRisk = z.enum(['none', 'reversible', 'disruptive'])
export type StepRisk = z.infer<typeof StepRisk>

/** One step of a plan, as data: enough to run it again after a restart. */
export const PlannedStep = z.strictObject({
  /** Unique in the plan. */
  id: z.string(),
  /** Which step it is, such as `drain-node`; the registry of steps knows the code. */
  kind: z.string(),
  role: StepRole,
  risk: StepRisk,
  title: z.string(),
  /** Why the step exists, for the operator. */
  why: z.string(),
  input: z.record(z.string(), Json),
  /** What its check counted when the plan was made; none where the plan was not checked, or by an older version. */
  counted: found.counted,
  /** Ids of steps that must be applied (and verified, where they verify early) before this one. */
  needs: z.array(z.string()),
  /** Which verbs it has. */
  verbs: z.array(z.enum(['check', 'apply', 'verify'])),
  /** Verified right after its apply too, because a later step leans on it. */
  verifyEarly: z.boolean(),
  /** Deadline of one apply or one verify. */
  withinMs: z.number(),
  /** How to undo it, in words. */
  undo: z.string(),
  /** False: what it made so is undone by a later step of the same plan, so the last look at everything leaves it out. */
  verifyFinally: z.boolean().default(true),
  /** Id of the later step that undoes it; until that one is begun it has to hold, afterwards it is not looked at again. */
  holdsUntil: z.string().nullable().default(null),
  /**
   * Steps of one lane (a node of an update) follow each other; lanes of one batch run side by side, as many at once as the plan's
   * batch allows. Null: the step is walked by itself, after all before it and before all after it.
   */
  lane: alsoUnder({ block: 'batch' }, z.strictObject({ batch: z.string(), name: z.string() }))
    .nullable()
    .default(null),
  /** Where the step belongs in a cluster update. */
  phase: UpdatePhase.nullable().default(null),
  stage: NodeStage.nullable().default(null),
})
export type PlannedStep = z.infer<typeof PlannedStep>

/** Which ways of moving instances the operator ruled out (Sunbeam's `--disable-migration`). */
export const DisabledMigration = z.enum(['none', 'both', 'live', 'cold'])
export type DisabledMigration = z.infer<typeof DisabledMigration>

/** The operator's choices for a run. */
export const RunOptions = z.strictObject({
  scope: MaintenanceScope,
  /** Live migrations at once from this node. */
  concurrency: z.number().int().min(1).max(64),
  /** Attempts an instance gets; null: the node's annotation, else 3. */
  attempts: z.number().int().min(1).max(20).nullable(),
  /** Evict pods that no controller will replace. Part of `force`. */
  drainTimeoutMs: z.number().int().nonnegative(),
  /** Data in emptyDir volumes of evicted pods is lost; OpenStack pods keep caches there. */
  deleteEmptyDirData: z.boolean(),
  overrides: z.array(z.strictObject({ flag: OverrideFlag, reason: z.string().min(1) })),
  /** Why the maintenance is done (a ticket, a sentence): kept on the maintenance request and in the journal. */
  reason: z.string().default(''),
  /** Who empties the node; null: as the cluster has it. */
  strategy: ComputeStrategy.nullable().default(null),
  /** Rules out ways of moving: ruled-out instances are stopped or stay stopped (docs/domain.md B.2, truth table). */
  disableMigration: DisabledMigration.default('none'),
  /** Stopped instances move too, cold: by Watcher, or with strategy `nova` by a migration that is confirmed. */
  coldMigration: z.boolean().default(false),
  /** Strategy `watcher`: the host that takes the instances, where it fits; null: Nova's scheduler decides. */
  backupNode: z.string().nullable().default(null),
  /** Strategy `watcher`: ids of instances left out of its plan. */
  excludedInstances: z.array(z.string()).default([]),
  /** Strategy `watcher`: what it would get wrong is moved through Nova instead. */
  novaForRest: z.boolean().default(false),
  /** Storage: stop the node's OSDs too. */
  stopOsds: z.boolean().default(false),
  /** Storage: let Ceph rebalance meanwhile: noout is not set. */
  crushRebalancing: z.boolean().default(false),
  /** Storage, on the way back: wait until every placement group is active and clean. */
  waitForClean: z.boolean().default(true),
  /** On the way back: do not offer to spread instances again. */
  disableInstanceRebalancing: z.boolean().default(false),
  /** On the way back: bring the instances home that the maintenance took off the node, instead of spreading instances again. */
  home: z.boolean().default(false),
  /** On the way back: start the instances that ran when the maintenance began and are down now. */
  startInstances: z.boolean().default(false),
  /** Of `maintain`: how the work on the node is known to be over, or the command that does it; null: a person says so. */
  work: NodeWork.nullable().default(null),
  /** A rescue: how the operator knows that the machine is off. A service that is down never says so. */
  machineIsOff: z.string().default(''),
  /** A rescue: how the operator knows that other hosts reach the disks that Nova keeps for instances (Ceph, NFS); no API tells. */
  sharedDisks: z.string().default(''),
  /** A rescue: Kubernetes lets go of the machine's pods and their volumes (taint `node.kubernetes.io/out-of-service`). */
  outOfServiceTaint: z.boolean().default(false),
  /** What is done about a live migration that gets nowhere. */
  stuck: StuckRule.default(DEFAULT_STUCK_RULE),
})
export type RunOptions = z.infer<typeof RunOptions>

/** What an operator who says nothing chooses. */
export const DEFAULT_RUN_OPTIONS: RunOptions = {
  scope: 'os',
  concurrency: 1,
  attempts: null,
  drainTimeoutMs: 0,
  deleteEmptyDirData: false,
  overrides: [],
  reason: '',
  strategy: null,
  disableMigration: 'none',
  coldMigration: false,
  backupNode: null,
  excludedInstances: [],
  novaForRest: false,
  stopOsds: false,
  crushRebalancing: false,
  waitForClean: true,
  disableInstanceRebalancing: false,
  home: false,
  startInstances: false,
  work: null,
  machineIsOff: '',
  sharedDisks: '',
  outOfServiceTaint: false,
  stuck: DEFAULT_STUCK_RULE,
}

/** The window a run belongs to, or why it was started outside any. */
export const PlanWindow = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('in'),
    id: z.string(),
    title: z.string(),
    /** When it ends, as it was planned when the run started (ISO), and in whose time zone that is told; absent in plans of earlier versions. */
    endsAt: z.string().optional(),
    timeZone: z.string().optional(),
    /** It started by itself at the window's beginning: who agreed to that, and when. */
    agreed: z.strictObject({ by: z.string(), at: z.string() }).optional(),
  }),
  z.strictObject({ kind: z.literal('outside'), reason: z.string() }),
])
export type PlanWindow = z.infer<typeof PlanWindow>

/** Of every plan. */
const PLAN = {
  id: z.string(),
  cluster: z.string(),
  flavour: z.string(),
  madeAt: z.string(),
  options: RunOptions,
  /** Known when it is started; null before, and where nothing asks for one (a node that is brought back). */
  window: PlanWindow.nullable().default(null),
  /** Lanes of a batch run side by side, so many at once. */
  batches: z.array(z.strictObject({ id: z.string(), title: z.string(), atOnce: z.number().int().min(1) })).default([]),
  steps: z.array(PlannedStep),
}

/** A plan about one node: out of service, back, or its instances home. */
const PlannedNode = z.strictObject({ ...PLAN, kind: PlannedNodeRunKind, node: z.string().min(1) })

/** A plan of the way back of one run; `undoes` is its id. */
const UndoPlan = z.strictObject({
  ...PLAN,
  kind: z.literal('undo'),
  node: z.string().min(1),
  undoes: z.string().min(1),
})
type UndoPlan = z.infer<typeof UndoPlan>

/** A plan about one node. */
export type NodePlan = z.infer<typeof PlannedNode> | UndoPlan

/** A plan about many nodes of a cluster, by what the operator chose. */
const RollingPlan = z.strictObject({ ...PLAN, kind: RollingRunKind, update: UpdateOptions })
export type RollingPlan = z.infer<typeof RollingPlan>

/** What a run will do, made without touching anything. The operator confirms the very plan that runs. */
export const Plan = readAsToday(z.discriminatedUnion('kind', [PlannedNode, UndoPlan, RollingPlan]))
export type Plan = NodePlan | RollingPlan

/** An earlier version wrote an empty node, and no update, where a plan has none, and called batches blocks. */
function readAsToday<Schema extends z.ZodType>(schema: Schema) {
  const today = z.preprocess(value => {
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).filter(
        ([key, held]) => !(key === 'node' && held === '') && !(key === 'update' && held === null),
      ),
    )
  }, schema)
  return alsoUnder({ blocks: 'batches' }, today as unknown as z.ZodType<z.output<Schema>, z.input<Schema>>)
}

/** Whether a plan is about one node. */
export function isNodePlan(plan: Plan): plan is NodePlan {
  return isNodeRun(plan.kind)
}

/** The node a plan is about; null where it is about many. */
export function nodeOfPlan(plan: Plan): string | null {
  return isNodePlan(plan) ? plan.node : null
}

/** What a plan or a run is about: one node of a cluster, or many. */
export interface Placed {
  readonly kind: RunKind
  readonly cluster: string
  readonly node?: string | null
}

/** What a plan is about, as an operator calls it: the node, or the cluster. */
export function planSubject({ node, cluster }: Placed): string {
  return node ?? cluster
}

/** Where a plan works: `cmp-1 of east`, or the cluster. */
export function planPlace({ node, cluster }: Placed): string {
  return typeof node === 'string' ? `${node} of ${cluster}` : cluster
}

/** Whether a plan moves, stops or evicts anything; on a production cluster its start asks for the cluster's name to be typed. */
export function isDisruptive(plan: Plan): boolean {
  return plan.steps.some(({ risk }) => risk === 'disruptive')
}

/** The answer of one step's check, as part of a checked plan. */
export const StepCheck = z.strictObject({
  stepId: z.string(),
  answer: CheckAnswer,
  overriddenBy: OverrideFlag.nullable(),
})
export type StepCheck = z.infer<typeof StepCheck>

/** A plan together with every check's answer at one moment. `startable`: no blocker is left that is not overridden. */
export const CheckedPlan = z.strictObject({
  plan: Plan,
  checkedAt: z.string(),
  checks: z.array(StepCheck),
  startable: z.boolean(),
})
export type CheckedPlan = z.infer<typeof CheckedPlan>

/** The overrides that would lift this blocker, given what the operator allowed; null when it stays. */
export function overrideFor(blocker: Blocker, overrides: RunOptions['overrides']): OverrideFlag | null {
  if (blocker.override.kind === 'never' || blocker.sinceConfirmed === true) return null
  const flag = blocker.override.flag
  return overrides.some(given => given.flag === flag) ? flag : null
}
