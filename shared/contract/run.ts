import { z } from 'zod'
import { CODED } from '../domain/coded.ts'
import { GateChoice } from '../domain/gate-choice.ts'
import { InstanceChoice } from '../domain/instance-choice.ts'
import { CheckedPlan, PlannedNodeRunKind, RunKind, RunOptions } from '../domain/plan.ts'
import { RunEvent, RunOutcome } from '../domain/run.ts'
import { RunCondition } from '../domain/run-condition.ts'
import { RunListState } from '../domain/run-list-state.ts'
import { RunnerOfRun } from './attach.ts'

export const RunSummary = z.strictObject({
  id: z.string(),
  kind: RunKind,
  cluster: z.string(),
  /** Null where it is about many nodes. */
  node: z.string().nullable(),
  /** The nodes that it works on; null: its history cannot be read. */
  nodes: z.array(z.string()).nullable(),
  /** The run that it undoes; null: none, or its history cannot be read. */
  undoes: z.string().nullable(),
  state: RunListState,
  /** What it is now, derived: what every face and the report show of it. */
  condition: RunCondition,
  operator: z.string(),
  machine: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  /** The runs that undid it, and on which node; absent: none did. What it changed there is not changed any more. */
  undoneBy: z.array(z.strictObject({ runId: z.string(), node: z.string() })).optional(),
  /** What it does, waits for, or how it ended. */
  summary: z.string(),
  /** The runner whose run it is; absent: it is of this console's own journal. */
  runner: RunnerOfRun.optional(),
})
export type RunSummary = z.infer<typeof RunSummary>

/** A run with everything that happened; fold `events` with shared/domain/run-fold.ts for the view. */
export const RunDetail = z.strictObject({ summary: RunSummary, events: z.array(RunEvent) })
export type RunDetail = z.infer<typeof RunDetail>

/** What an operator may choose; what is absent is the cluster's setting. */
export const PlanChoices = RunOptions.partial()
export type PlanChoices = z.infer<typeof PlanChoices>

/** What may be expected of one instance of a plan. */
export const InstanceForecast = z.strictObject({
  id: z.string(),
  /** Hosts that are enabled, up, in its zone, and have room by Placement's figures; the scheduler decides. */
  mayGoTo: z.array(z.string()),
  /** Why the list is empty or not certain; null when nothing is to be said. */
  note: z.string().nullable(),
  /** Null when it does not move, or nothing can be said. */
  expectedMs: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
})
export type InstanceForecast = z.infer<typeof InstanceForecast>

export const PlanForecast = z.strictObject({
  planId: z.string(),
  readAt: z.string(),
  instances: z.array(InstanceForecast),
  /** All moves, given the plan's concurrency; null when nothing can be said. */
  evacuationMs: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
  /** What the durations are taken from: `12 migrations measured on this cluster`, or that nothing was measured yet. */
  basis: z.string(),
  ...CODED,
  unreachable: z.array(z.string()),
})
export type PlanForecast = z.infer<typeof PlanForecast>

export const runRequests = {
  /** Makes a plan and runs every check. Touches nothing. The answer's plan id is what `run.start` takes. */
  'plan.make': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), node: z.string(), kind: PlannedNodeRunKind, choices: PlanChoices }),
    output: CheckedPlan,
  },
  /**
   * Makes the plan of the way back of a run that was aborted, failed or waits, and runs every check. Touches nothing. Its instances come home unless
   * `instancesStay`. A run over many nodes is undone node by node: `node` names the one. Started as any plan is.
   */
  'plan.undo': {
    effect: 'read',
    input: z.strictObject({
      runId: z.string(),
      node: z.string().optional(),
      choices: PlanChoices,
      instancesStay: z.boolean().optional(),
    }),
    output: CheckedPlan,
  },
  /** Starts the plan that was shown; answers as soon as the run is journaled, its progress comes as `run.event`. */
  'run.start': {
    effect: 'journaled',
    input: z.strictObject({
      planId: z.string(),
      /** The cluster's name as the operator typed it: asked for by clusters that are marked as production. */
      typedCluster: z.string().optional(),
      /** The open window it belongs to; absent: the one that is open there, if there is just one. */
      windowId: z.string().optional(),
      /** Why it is started outside any window: without one, a run that enters or updates is refused when no window is open there. */
      outsideWindow: z.string().min(1).optional(),
    }),
    output: RunSummary,
  },
  /** Where each instance of a shown plan may go and how long it may take, from what was measured here before. */
  'plan.forecast': { effect: 'read', input: z.strictObject({ planId: z.string() }), output: PlanForecast },
  /** Drives an interrupted or left run on. */
  'run.resume': { effect: 'journaled', input: z.strictObject({ runId: z.string() }), output: RunSummary },
  /** Asks the run's driver (this process or another) to pause; `run.event` tells when it did. */
  'run.pause': { effect: 'journaled', input: z.strictObject({ runId: z.string() }), output: z.strictObject({}) },
  /** Begins no other node or phase of an update: what is under way is finished, then the run pauses. */
  'run.pause-after-node': {
    effect: 'journaled',
    input: z.strictObject({ runId: z.string() }),
    output: z.strictObject({}),
  },
  /** Passes a node of an update that was not begun, with a reason. */
  'run.skip-node': {
    effect: 'journaled',
    input: z.strictObject({ runId: z.string(), node: z.string(), reason: z.string().min(1) }),
    output: z.strictObject({}),
  },
  'run.unpause': { effect: 'journaled', input: z.strictObject({ runId: z.string() }), output: z.strictObject({}) },
  'run.abort': {
    effect: 'journaled',
    input: z.strictObject({ runId: z.string(), reason: z.string() }),
    output: RunSummary,
  },
  /** Leaves the run where it is, resumable, and stops driving it from this process. */
  'run.detach': { effect: 'journaled', input: z.strictObject({ runId: z.string() }), output: RunSummary },
  'run.answer': {
    effect: 'journaled',
    input: z.strictObject({
      runId: z.string(),
      gateId: z.string(),
      choice: GateChoice,
      reason: z.string(),
    }),
    output: z.strictObject({}),
  },
  /** Decides about one instance, asked or not, while the others go on: waiting, moving or queued; the run heeds it at its next look. */
  'run.decide': {
    effect: 'journaled',
    input: z.strictObject({
      runId: z.string(),
      instanceId: z.string(),
      choice: InstanceChoice,
      reason: z.string(),
    }),
    output: z.strictObject({}),
  },
  /** Newest first. */
  'run.list': {
    effect: 'read',
    input: z.strictObject({
      cluster: z.string().nullable(),
      node: z.string().optional(),
      limit: z.number().int().min(1).max(1000).optional(),
    }),
    output: z.array(RunSummary),
  },
  'run.show': { effect: 'read', input: z.strictObject({ runId: z.string() }), output: RunDetail },
} as const

export const runEvents = {
  /** The checks of a plan that is being made watch somebody's Lease before they answer: which, and for how long. */
  'plan.watches': z.strictObject({ cluster: z.string(), node: z.string(), words: z.string() }),
  /** Every journaled event, in order: of runs this process drives at once, of other processes' within two seconds. */
  'run.event': RunEvent,
  /** A run driven by this process came to rest: finished, or waits for an answer. */
  'run.rested': z.strictObject({ runId: z.string(), state: RunListState, outcome: RunOutcome.nullable() }),
} as const
