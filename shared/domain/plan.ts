import { z } from 'zod'
import { NodeWork } from './command-work.ts'
import { alsoUnder } from './earlier-names.ts'
import { DEFAULT_STUCK_RULE, StuckRule } from './instance-choice.ts'
import { Json } from './json.ts'
import { LiftedBlocker } from './lifted-blockers.ts'
import { ComputeStrategy } from './role-maintenance.ts'
import { type Blocker, CheckAnswer, Counted, OverrideFlag } from './step-answers.ts'
import { NodeStage, UpdateOptions, UpdatePhase } from './update.ts'

/**
 * What a procedure does. `maintain`: out, the work, and back; `rescue`: instances of a machine that is off; `home`: brings a node's instances back;
 * `take-out`: several nodes go out and stay out.
 */
export const RunKind = z.enum([
  'enter',
  'leave',
  'maintain',
  'rescue',
  'home',
  'undo',
  'update',
  'rolling-maintenance',
  'take-out',
])
export type RunKind = z.infer<typeof RunKind>

export const NodeRunKind = RunKind.extract(['enter', 'leave', 'maintain', 'rescue', 'home', 'undo'])
export type NodeRunKind = z.infer<typeof NodeRunKind>

/** Planned by node name; an undo is planned for a run. */
export const PlannedNodeRunKind = NodeRunKind.exclude(['undo'])
export type PlannedNodeRunKind = z.infer<typeof PlannedNodeRunKind>

export const RollingRunKind = RunKind.exclude(NodeRunKind.options)
export type RollingRunKind = z.infer<typeof RollingRunKind>

export function isNodeRun(kind: RunKind): kind is NodeRunKind {
  return NodeRunKind.safeParse(kind).success
}

export function takesOut(kind: RunKind): kind is 'enter' | 'maintain' {
  return kind === 'enter' || kind === 'maintain'
}

export function staysOut(kind: RunKind): kind is 'enter' | 'rescue' | 'take-out' {
  return kind === 'enter' || kind === 'rescue' || kind === 'take-out'
}

/** The run serves to bring its node into service, and ends that way. */
export function endsInService(kind: RunKind): kind is 'leave' | 'maintain' | 'undo' {
  return kind === 'maintain' || isWayBack(kind)
}

/** A run that only brings a node back needs no window. */
export function isWayBack(kind: RunKind): kind is 'leave' | 'undo' {
  return kind === 'leave' || kind === 'undo'
}

/** `drain` restarts services at most, and instances stay; `os` may reboot the node, so instances leave first (seed 001). */
export const MaintenanceScope = z.enum(['drain', 'os'])
export type MaintenanceScope = z.infer<typeof MaintenanceScope>

/** `general` steps belong to every node, `gateway` is the network role. */
export const StepRole = z.enum(['general', 'compute', 'control', 'gateway', 'storage'])
export type StepRole = z.infer<typeof StepRole>

export const StepRisk = z.enum(['none', 'reversible', 'disruptive'])
export type StepRisk = z.infer<typeof StepRisk>

/** A step as data: enough to run it again after a restart. */
export const PlannedStep = z.strictObject({
  id: z.string(),
  /** For example, `drain-node`; the registry of steps has the code. */
  kind: z.string(),
  role: StepRole,
  risk: StepRisk,
  title: z.string(),
  why: z.string(),
  input: z.record(z.string(), Json),
  /** What its check counted for the plan; absent if not checked, or a plan of an older version. */
  counted: z.array(Counted).optional(),
  /** Steps that must be applied before this one (and verified, if they verify early). */
  needs: z.array(z.string()),
  verbs: z.array(z.enum(['check', 'apply', 'verify'])),
  /** Whether the engine also verifies it right after its apply, because a later step relies on it. */
  verifyEarly: z.boolean(),
  withinMs: z.number(),
  undo: z.string(),
  /** False if a later step of the same plan undoes it. */
  verifyFinally: z.boolean().default(true),
  /** The later step that undoes it: it must hold until that starts. */
  holdsUntil: z.string().nullable().default(null),
  /** Steps of a lane (a node) run one after another, lanes of a batch side by side. Null means alone, after all before it and before all after it. */
  lane: alsoUnder({ block: 'batch' }, z.strictObject({ batch: z.string(), name: z.string() }))
    .nullable()
    .default(null),
  phase: UpdatePhase.nullable().default(null),
  stage: NodeStage.nullable().default(null),
})
export type PlannedStep = z.infer<typeof PlannedStep>

export const DisabledMigration = z.enum(['none', 'both', 'live', 'cold'])
export type DisabledMigration = z.infer<typeof DisabledMigration>

export const RunOptions = z.strictObject({
  scope: MaintenanceScope,
  concurrency: z.number().int().min(1).max(64),
  /** Per instance; null means the node's annotation, else 3. */
  attempts: z.number().int().min(1).max(20).nullable(),
  drainTimeoutMs: z.number().int().nonnegative(),
  /** Evicted pods lose their emptyDir data; OpenStack pods keep caches there. */
  deleteEmptyDirData: z.boolean(),
  overrides: z.array(z.strictObject({ flag: OverrideFlag, reason: z.string().min(1) })),
  /** A ticket or a sentence: kept on the maintenance request and in the journal. */
  reason: z.string().default(''),
  /** Null means the cluster's setting. */
  strategy: ComputeStrategy.nullable().default(null),
  /** Excluded instances are stopped or stay stopped (docs/domain.md B.2, truth table). */
  disableMigration: DisabledMigration.default('none'),
  /** Stopped instances also move, cold: by Watcher, or with strategy `nova` by a migration that Lockkeeper confirms. */
  coldMigration: z.boolean().default(false),
  /** Strategy `watcher`: the host that takes the instances; null if Nova's scheduler decides. */
  backupNode: z.string().nullable().default(null),
  excludedInstances: z.array(z.string()).default([]),
  /** Strategy `watcher`: instances that it would handle wrongly move through Nova. */
  novaForRest: z.boolean().default(false),
  stopOsds: z.boolean().default(false),
  /** Storage: noout is not set. */
  crushRebalancing: z.boolean().default(false),
  /** Storage, on the way back: until every placement group is active and clean. */
  waitForClean: z.boolean().default(true),
  /** On the way back, Lockkeeper offers no new spread of instances. */
  disableInstanceRebalancing: z.boolean().default(false),
  /** On the way back, the node's own instances return instead of a spread. */
  home: z.boolean().default(false),
  /** On the way back, starts instances that ran before the maintenance and are down now. */
  startInstances: z.boolean().default(false),
  /** The work of `maintain`; null if a person confirms that the work has finished. */
  work: NodeWork.nullable().default(null),
  /** Rescue: how the operator knows. A down service never proves it. */
  machineIsOff: z.string().default(''),
  /** Rescue: how the operator knows that other hosts reach Nova's disks (Ceph, NFS); no API says it. */
  sharedDisks: z.string().default(''),
  /** Rescue: Kubernetes releases the pods and their volumes (taint `node.kubernetes.io/out-of-service`). */
  outOfServiceTaint: z.boolean().default(false),
  stuck: StuckRule.default(DEFAULT_STUCK_RULE),
})
export type RunOptions = z.infer<typeof RunOptions>

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

export const PlanWindow = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('in'),
    id: z.string(),
    title: z.string(),
    /** The end that was planned when the run started (ISO); absent in plans of earlier versions. */
    endsAt: z.string().optional(),
    timeZone: z.string().optional(),
    agreed: z.strictObject({ by: z.string(), at: z.string() }).optional(),
  }),
  z.strictObject({ kind: z.literal('outside'), reason: z.string() }),
])
export type PlanWindow = z.infer<typeof PlanWindow>

const PLAN = {
  id: z.string(),
  cluster: z.string(),
  flavour: z.string(),
  madeAt: z.string(),
  options: RunOptions,
  /** Set at the start; null before that, or if not needed (a node that is brought back). */
  window: PlanWindow.nullable().default(null),
  /** Lanes of a batch run side by side, at most `atOnce` at a time. */
  batches: z.array(z.strictObject({ id: z.string(), title: z.string(), atOnce: z.number().int().min(1) })).default([]),
  /** What the overrides lifted when the plan was checked; absent without overrides, or in a plan of an earlier version. */
  lifted: z.array(LiftedBlocker).optional(),
  steps: z.array(PlannedStep),
}

const PlannedNode = z.strictObject({ ...PLAN, kind: PlannedNodeRunKind, node: z.string().min(1) })

const UndoPlan = z.strictObject({
  ...PLAN,
  kind: z.literal('undo'),
  node: z.string().min(1),
  undoes: z.string().min(1),
})
type UndoPlan = z.infer<typeof UndoPlan>

export type NodePlan = z.infer<typeof PlannedNode> | UndoPlan

const RollingPlan = z.strictObject({ ...PLAN, kind: RollingRunKind, update: UpdateOptions })
export type RollingPlan = z.infer<typeof RollingPlan>

/** Making it changes nothing. The operator confirms exactly the plan that runs. */
export const Plan = readAsToday(z.discriminatedUnion('kind', [PlannedNode, UndoPlan, RollingPlan]))
export type Plan = NodePlan | RollingPlan

/** Earlier versions wrote an empty node, no update, and called batches blocks. */
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

export function isNodePlan(plan: Plan): plan is NodePlan {
  return isNodeRun(plan.kind)
}

export function nodeOfPlan(plan: Plan): string | null {
  return isNodePlan(plan) ? plan.node : null
}

export interface Placed {
  readonly kind: RunKind
  readonly cluster: string
  readonly node?: string | null
}

/** The subject in an operator's words: the node, or the cluster. */
export function planSubject({ node, cluster }: Placed): string {
  return node ?? cluster
}

/** `cmp-1 of east`, or the cluster. */
export function planPlace({ node, cluster }: Placed): string {
  return typeof node === 'string' ? `${node} of ${cluster}` : cluster
}

/** The plan moves, stops or evicts; on a production cluster its start requires typing the cluster's name. */
export function isDisruptive(plan: Plan): boolean {
  return plan.steps.some(({ risk }) => risk === 'disruptive')
}

export const StepCheck = z.strictObject({
  stepId: z.string(),
  answer: CheckAnswer,
  overriddenBy: OverrideFlag.nullable(),
})
export type StepCheck = z.infer<typeof StepCheck>

/** `startable`: every blocker is overridden. */
export const CheckedPlan = z.strictObject({
  plan: Plan,
  checkedAt: z.string(),
  checks: z.array(StepCheck),
  startable: z.boolean(),
})
export type CheckedPlan = z.infer<typeof CheckedPlan>

/** The flag that lifts a blocker; null if the blocker stays. */
export function overrideFor(blocker: Blocker, overrides: RunOptions['overrides']): OverrideFlag | null {
  if (blocker.override.kind === 'never' || blocker.sinceConfirmed === true) return null
  const flag = blocker.override.flag
  return overrides.some(given => given.flag === flag) ? flag : null
}
