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
  node: z.string().nullable(),
  /** Null if its history is unreadable. */
  nodes: z.array(z.string()).nullable(),
  /** Null if there is no run, or its history is unreadable. */
  undoes: z.string().nullable(),
  state: RunListState,
  condition: RunCondition,
  operator: z.string(),
  machine: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  /** The runs that undid it, and on which node. Its changes there no longer exist. */
  undoneBy: z.array(z.strictObject({ runId: z.string(), node: z.string() })).optional(),
  summary: z.string(),
  /** Absent if it belongs to this console's own journal. */
  runner: RunnerOfRun.optional(),
})
export type RunSummary = z.infer<typeof RunSummary>

/** Fold `events` with shared/domain/run-fold.ts for the view. */
export const RunDetail = z.strictObject({ summary: RunSummary, events: z.array(RunEvent) })
export type RunDetail = z.infer<typeof RunDetail>

/** Absent choices are the cluster's settings. */
export const PlanChoices = RunOptions.partial()
export type PlanChoices = z.infer<typeof PlanChoices>

export const InstanceForecast = z.strictObject({
  id: z.string(),
  /** Enabled, up, in its zone, and with room by Placement's figures; the scheduler decides. */
  mayGoTo: z.array(z.string()),
  note: z.string().nullable(),
  /** Null if it does not move, or unknown. */
  expectedMs: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
})
export type InstanceForecast = z.infer<typeof InstanceForecast>

export const PlanForecast = z.strictObject({
  planId: z.string(),
  readAt: z.string(),
  instances: z.array(InstanceForecast),
  /** For all moves, with the plan's concurrency; null if unknown. */
  evacuationMs: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
  /** For example, `12 migrations measured on this cluster`, or that nothing was measured yet. */
  basis: z.string(),
  ...CODED,
  unreachable: z.array(z.string()),
})
export type PlanForecast = z.infer<typeof PlanForecast>

export const runRequests = {
  /** Makes a plan and runs every check. Only reads. The plan's id is the input of `run.start`. */
  'plan.make': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), node: z.string(), kind: PlannedNodeRunKind, choices: PlanChoices }),
    output: CheckedPlan,
  },
  /** The plan to undo a run, with its checks. Only reads. Instances move back unless `instancesStay`; in a run over many nodes, `node` names one. */
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
  /** Starts the shown plan; answers once the run is journaled, and `run.event` carries its progress. */
  'run.start': {
    effect: 'journaled',
    input: z.strictObject({
      planId: z.string(),
      typedCluster: z.string().optional(),
      /** Absent means the only open window there, if there is exactly one. */
      windowId: z.string().optional(),
      /** For a start outside any window: required on production clouds, where the reason of the run or of an override also counts. */
      outsideWindow: z.string().min(1).optional(),
    }),
    output: RunSummary,
  },
  'plan.forecast': {
    effect: 'read',
    /** `returning`: the instances that the plan brings back to its node, by id. */
    input: z.strictObject({ planId: z.string(), returning: z.array(z.string()).max(1000).optional() }),
    output: PlanForecast,
  },
  'run.resume': { effect: 'journaled', input: z.strictObject({ runId: z.string() }), output: RunSummary },
  /** Asks the console that drives the run, here or elsewhere; `run.event` reports the pause. */
  'run.pause': { effect: 'journaled', input: z.strictObject({ runId: z.string() }), output: z.strictObject({}) },
  /** Starts no other node or phase of an update, finishes the current work, then pauses. */
  'run.pause-after-node': {
    effect: 'journaled',
    input: z.strictObject({ runId: z.string() }),
    output: z.strictObject({}),
  },
  'run.skip-node': {
    effect: 'journaled',
    input: z.strictObject({ runId: z.string(), node: z.string(), reason: z.string() }),
    output: z.strictObject({}),
  },
  'run.unpause': { effect: 'journaled', input: z.strictObject({ runId: z.string() }), output: z.strictObject({}) },
  'run.abort': {
    effect: 'journaled',
    input: z.strictObject({ runId: z.string(), reason: z.string() }),
    output: RunSummary,
  },
  /** This process stops driving the run, which stays resumable. */
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
  /** About one instance while the others continue, with or without a question. */
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
  /** A check watches another holder's Lease before it answers: which, and for how long. */
  'plan.watches': z.strictObject({ cluster: z.string(), node: z.string(), words: z.string() }),
  /** Every journaled event, in order: from this process at once, from others within two seconds. */
  'run.event': RunEvent,
  /** A run of this process finished, or waits for an answer. */
  'run.rested': z.strictObject({ runId: z.string(), state: RunListState, outcome: RunOutcome.nullable() }),
} as const
