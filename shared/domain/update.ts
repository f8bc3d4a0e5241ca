import { z } from 'zod'
import { ApplicationUpdate } from './application-update.ts'
import { EndEstimate } from './estimate.ts'

/** The five phases of a cluster update (seed 003), in their order. */
export const UpdatePhase = z.enum(['prepare', 'applications', 'control-nodes', 'worker-nodes', 'finalize'])
export type UpdatePhase = z.infer<typeof UpdatePhase>

/**
 * Where a node stands in an update. `pending`: not begun (or, to an observer that came late, nothing seen yet). `requested`: its
 * NodeMaintenanceRequest is there. `locks`: controllers prepare it. `draining`: all its locks are inactive, pods leave. `work`: drained,
 * the work on it goes on. `returning`: uncordoned or its request is going; locks come back. `done`: back with all locks active. `unseen`:
 * the update is over, and nobody observed this node in it.
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

/** Whether the turn of a node in this stage is yet to come, is under way, or is over: one that nobody observed in an update that is over has no turn left. */
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

/** How the work on a node is known to be over. */
export const NodeWorkGate = z.discriminatedUnion('kind', [
  /** A person says so. */
  z.strictObject({ kind: z.literal('person') }),
  /** The node comes back with another boot id, Ready. */
  z.strictObject({ kind: z.literal('boot-id') }),
  /** The kubelet reports exactly this version. */
  z.strictObject({ kind: z.literal('kubelet-version'), version: z.string().min(1) }),
  /** The node reports an OS image that contains this text. */
  z.strictObject({ kind: z.literal('os-image'), contains: z.string().min(1) }),
  /** A Job of this manifest (YAML or JSON) runs on the node and completes. `$(NODE_NAME)` stands for the node. */
  z.strictObject({ kind: z.literal('job'), manifest: z.string().min(1), namespace: z.string().min(1) }),
])
export type NodeWorkGate = z.infer<typeof NodeWorkGate>

/** An ordered group of worker nodes (UpdateGroup, domain.md A.4): groups run by ascending index. */
export const UpdateGroup = z.strictObject({
  name: z.string().min(1),
  index: z.number().int(),
  nodes: z.array(z.string()).min(1),
  concurrentUpdates: z.number().int().min(1),
})
export type UpdateGroup = z.infer<typeof UpdateGroup>

/** What an operator chooses for the update of a whole cluster. */
export const UpdateOptions = z.strictObject({
  scope: z.enum(['drain', 'os']),
  /** `spec.release` of the requests; null: none. */
  release: z.string().nullable(),
  reason: z.string(),
  /** Control-plane nodes, in order; always one by one. */
  controlNodes: z.array(z.string()),
  groups: z.array(UpdateGroup),
  /** Only nodes of one availability zone are worked on at a time. */
  zoneAtATime: z.boolean(),
  work: NodeWorkGate,
  /** Ask before every next node, every next phase. */
  pauseBetweenNodes: z.boolean(),
  pauseBetweenPhases: z.boolean(),
  /** What starts the update of each application and shows its end; of those that are not named only their locks are waited for. */
  applications: z.array(ApplicationUpdate).optional(),
})
export type UpdateOptions = z.infer<typeof UpdateOptions>

/**
 * Something that happened in an update: what a driver's journal and an observer both tell, and what the timeline is folded from
 * (style G34). `subject`: `cluster`, or the name of a node.
 */
export const UpdateMoment = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('phase'), at: z.string(), phase: UpdatePhase, note: z.string() }),
  /** When a phase began and ended by LCM's own word, or the API server's; null: they do not say. It counts more than when somebody looked. */
  z.strictObject({
    kind: z.literal('phase-times'),
    at: z.string(),
    phase: UpdatePhase,
    fromAt: z.string().nullable(),
    toAt: z.string().nullable(),
  }),
  /** The update is over: the request of the cluster is gone and its locks are active. */
  z.strictObject({ kind: z.literal('over'), at: z.string(), note: z.string() }),
  z.strictObject({
    kind: z.literal('stage'),
    at: z.string(),
    node: z.string(),
    stage: NodeStage,
    note: z.string(),
    evidence: z.array(z.string()),
    /** The reason that an operator gave for passing a step of the node. */
    passed: z.string().optional(),
  }),
  /** The node waits for something (a lock, a budget, a person), or does not any more (`what` null). */
  z.strictObject({ kind: z.literal('wait'), at: z.string(), subject: z.string(), what: z.string().nullable() }),
  /** Nobody works on the node or watches it any more: what was under way is not known to go on. */
  z.strictObject({ kind: z.literal('rest'), at: z.string(), node: z.string(), why: z.string() }),
  /** Something is tried again. */
  z.strictObject({ kind: z.literal('retry'), at: z.string(), subject: z.string(), what: z.string() }),
  /** Figures beside the timeline. Null: not known. */
  z.strictObject({
    kind: z.literal('sample'),
    at: z.string(),
    instancesRemaining: z.number().nullable(),
    migrationsDone: z.number().nullable(),
    locksInactive: z.number().nullable(),
  }),
])
export type UpdateMoment = z.infer<typeof UpdateMoment>

/** One phase on the timeline. `done` without a time: it is behind, and nobody observed when it began, or ended. */
export const PhaseSpan = z.strictObject({
  phase: UpdatePhase,
  state: z.enum(['pending', 'running', 'done']),
  fromAt: z.string().nullable(),
  toAt: z.string().nullable(),
  note: z.string(),
})
export type PhaseSpan = z.infer<typeof PhaseSpan>

/** One stage of one node on the timeline. `toAt` null: it goes on. */
export const StageSpan = z.strictObject({
  stage: NodeStage,
  fromAt: z.string(),
  toAt: z.string().nullable(),
  note: z.string(),
  evidence: z.array(z.string()),
  /** The reason that an operator gave last for passing a step. */
  passed: z.string().optional(),
  waits: z.array(z.strictObject({ fromAt: z.string(), toAt: z.string().nullable(), what: z.string() })),
  retries: z.array(z.strictObject({ at: z.string(), what: z.string() })),
})
export type StageSpan = z.infer<typeof StageSpan>

/** A node's lane on the timeline. */
export const NodeLane = z.strictObject({
  node: z.string(),
  /** `control-nodes` or `worker-nodes`. */
  phase: UpdatePhase,
  group: z.string().nullable(),
  stage: NodeStage,
  spans: z.array(StageSpan),
})
export type NodeLane = z.infer<typeof NodeLane>

/** An update on the timeline: the same whether driven here, observed, or replayed (style G34). */
export const UpdateTimeline = z.strictObject({
  source: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('run'), runId: z.string() }),
    z.strictObject({ kind: z.literal('observed'), since: z.string() }),
  ]),
  /** Null: no update is under way, or none was seen. */
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
  /** Null once it is over, or where nothing can be said yet. */
  eta: EndEstimate.nullable(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
export type UpdateTimeline = z.infer<typeof UpdateTimeline>
