import { z } from 'zod'
import { ApplicationUpdate } from './application-update.ts'
import { EndEstimate } from './estimate.ts'

export const UpdatePhase = z.enum(['prepare', 'applications', 'control-nodes', 'worker-nodes', 'finalize'])
export type UpdatePhase = z.infer<typeof UpdatePhase>

/**
 * `requested`: its request exists. `locks`: controllers prepare it. `draining`: all locks are inactive. `returning`: uncordoned, or its request goes.
 * `unseen`: nobody observed it.
 */
export const NodeStage = z.enum([
  'pending',
  'requested',
  'locks',
  'draining',
  'work',
  'returning',
  'done',
  'skipped',
  'unseen',
])
export type NodeStage = z.infer<typeof NodeStage>

/** A node that nobody observed in a finished update has no turn left. */
export function turnOf(stage: NodeStage): 'to-come' | 'under-way' | 'over' {
  switch (stage) {
    case 'pending':
      return 'to-come'
    case 'requested':
    case 'locks':
    case 'draining':
    case 'work':
    case 'returning':
      return 'under-way'
    case 'done':
    case 'skipped':
    case 'unseen':
      return 'over'
  }
}

export const NodeWorkGate = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('person') }),
  z.strictObject({ kind: z.literal('boot-id') }),
  /** The kubelet reports exactly this version. */
  z.strictObject({ kind: z.literal('kubelet-version'), version: z.string().min(1) }),
  z.strictObject({ kind: z.literal('os-image'), contains: z.string().min(1) }),
  /** The Job (YAML or JSON) completes on the node; `$(NODE_NAME)` means the node. */
  z.strictObject({ kind: z.literal('job'), manifest: z.string().min(1), namespace: z.string().min(1) }),
])
export type NodeWorkGate = z.infer<typeof NodeWorkGate>

/** Groups run by ascending index (UpdateGroup, domain.md A.4). */
export const UpdateGroup = z.strictObject({
  name: z.string().min(1),
  index: z.number().int(),
  nodes: z.array(z.string()).min(1),
  concurrentUpdates: z.number().int().min(1),
})
export type UpdateGroup = z.infer<typeof UpdateGroup>

export const UpdateOptions = z.strictObject({
  scope: z.enum(['drain', 'os']),
  /** `spec.release` of the requests; null if not set. */
  release: z.string().nullable(),
  reason: z.string(),
  /** In order; always one by one. */
  controlNodes: z.array(z.string()),
  groups: z.array(UpdateGroup),
  /** Whether the run works in only one availability zone at a time. */
  zoneAtATime: z.boolean(),
  work: NodeWorkGate,
  pauseBetweenNodes: z.boolean(),
  pauseBetweenPhases: z.boolean(),
  /** Lockkeeper waits only for the locks of other applications. */
  applications: z.array(ApplicationUpdate).optional(),
  /** The nodes go out and stay out: nobody brings them back in this run. */
  staysOut: z.literal(true).optional(),
})
export type UpdateOptions = z.infer<typeof UpdateOptions>

/** A moment from a run's journal or an observer (style G34). `subject`: `cluster`, or the name of a node. */
export const UpdateMoment = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('phase'), at: z.string(), phase: UpdatePhase, note: z.string() }),
  /** The time by LCM or the API server; null if unknown. It counts more than the time of an observation. */
  z.strictObject({
    kind: z.literal('phase-times'),
    at: z.string(),
    phase: UpdatePhase,
    fromAt: z.string().nullable(),
    toAt: z.string().nullable(),
  }),
  /** The request of the cluster is gone and its locks are active. */
  z.strictObject({ kind: z.literal('over'), at: z.string(), note: z.string() }),
  z.strictObject({
    kind: z.literal('stage'),
    at: z.string(),
    node: z.string(),
    stage: NodeStage,
    note: z.string(),
    evidence: z.array(z.string()),
    passed: z.string().optional(),
  }),
  /** A lock, a budget, a person; `what` null: it no longer waits. */
  z.strictObject({ kind: z.literal('wait'), at: z.string(), subject: z.string(), what: z.string().nullable() }),
  /** Nobody works on the node or observes it: whether work continues is unknown. */
  z.strictObject({ kind: z.literal('rest'), at: z.string(), node: z.string(), why: z.string() }),
  z.strictObject({ kind: z.literal('retry'), at: z.string(), subject: z.string(), what: z.string() }),
  /** Null if unknown. */
  z.strictObject({
    kind: z.literal('sample'),
    at: z.string(),
    instancesRemaining: z.number().nullable(),
    migrationsDone: z.number().nullable(),
    locksInactive: z.number().nullable(),
  }),
])
export type UpdateMoment = z.infer<typeof UpdateMoment>

/** `done` without a time: complete, but its start or end was not observed. */
export const PhaseSpan = z.strictObject({
  phase: UpdatePhase,
  state: z.enum(['pending', 'running', 'done']),
  fromAt: z.string().nullable(),
  toAt: z.string().nullable(),
  note: z.string(),
})
export type PhaseSpan = z.infer<typeof PhaseSpan>

/** `toAt` null: still running. */
export const StageSpan = z.strictObject({
  stage: NodeStage,
  fromAt: z.string(),
  toAt: z.string().nullable(),
  note: z.string(),
  evidence: z.array(z.string()),
  passed: z.string().optional(),
  waits: z.array(z.strictObject({ fromAt: z.string(), toAt: z.string().nullable(), what: z.string() })),
  retries: z.array(z.strictObject({ at: z.string(), what: z.string() })),
})
export type StageSpan = z.infer<typeof StageSpan>

export const NodeLane = z.strictObject({
  node: z.string(),
  phase: UpdatePhase,
  group: z.string().nullable(),
  stage: NodeStage,
  spans: z.array(StageSpan),
})
export type NodeLane = z.infer<typeof NodeLane>

/** The same whether driven here, observed, or replayed (style G34). */
export const UpdateTimeline = z.strictObject({
  source: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('run'), runId: z.string() }),
    z.strictObject({ kind: z.literal('observed'), since: z.string() }),
  ]),
  /** Null if no update is under way, or none was observed. */
  phase: UpdatePhase.nullable(),
  phases: z.array(PhaseSpan),
  lanes: z.array(NodeLane),
  samples: z.array(
    z.strictObject({
      at: z.string(),
      instancesRemaining: z.number().nullable(),
      migrationsDone: z.number().nullable(),
      locksInactive: z.number().nullable(),
    }),
  ),
  /** Null if ended, or no estimate is possible yet. */
  eta: EndEstimate.nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
export type UpdateTimeline = z.infer<typeof UpdateTimeline>
