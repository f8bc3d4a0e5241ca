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
  /** Null: many nodes. */
  node: z.string().nullable(),
  /** The nodes that it works on; null: its history is unreadable. */
  nodes: z.array(z.string()).nullable(),
  /** The run that it undoes; null: none, or its history is unreadable. */
  undoes: z.string().nullable(),
  state: RunListState,
  /** Its current condition, as every face and the report show it. */
  condition: RunCondition,
  operator: z.string(),
  machine: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  /** The runs that undid it, and on which node; absent: none. Its changes there no longer exist. */
  undoneBy: z.array(z.strictObject({ runId: z.string(), node: z.string() })).optional(),
  summary: z.string(),
  /** The runner of the run; absent: it belongs to this console's own journal. */
  runner: RunnerOfRun.optional(),
})
export type RunSummary = z.infer<typeof RunSummary>

/** A run with all its events; fold `events` with shared/domain/run-fold.ts for the view. */
export const RunDetail = z.strictObject({ summary: RunSummary, events: z.array(RunEvent) })
export type RunDetail = z.infer<typeof RunDetail>

/** An operator's choices; absent ones are the cluster's settings. */
export const PlanChoices = RunOptions.partial()
export type PlanChoices = z.infer<typeof PlanChoices>

export const InstanceForecast = z.strictObject({
  id: z.string(),
  /** Hosts that are enabled, up, in its zone, and have room by Placement's figures; the scheduler decides. */
  mayGoTo: z.array(z.string()),
  /** Why the list is empty or uncertain; null: no note. */
  note: z.string().nullable(),
  /** Null: it does not move, or unknown. */
  expectedMs: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
})
export type InstanceForecast = z.infer<typeof InstanceForecast>

export const PlanForecast = z.strictObject({
  planId: z.string(),
  readAt: z.string(),
  instances: z.array(InstanceForecast),
  /** All moves, given the plan's concurrency; null: unknown. */
  evacuationMs: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
  /** The source of the durations: `12 migrations measured on this cluster`, or that there are no measurements yet. */
  basis: z.string(),
  ...CODED,
  unreachable: z.array(z.string()),
})
export type PlanForecast = z.infer<typeof PlanForecast>

export const runRequests = {
  /** Makes a plan and runs every check. Only reads. The answer's plan id is the input of `run.start`. */
  'plan.make': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), node: z.string(), kind: PlannedNodeRunKind, choices: PlanChoices }),
    output: CheckedPlan,
  },
  /**
   * Makes the plan to undo a stopped, failed or waiting run, and runs every check. Only reads. Its instances move back unless `instancesStay`. A
   * run over many nodes is undone node by node: `node` names one. Started as any plan.
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
  /** Starts the shown plan; answers as soon as the run is journaled, its progress comes as `run.event`. */
  'run.start': {
    effect: 'journaled',
    input: z.strictObject({
      planId: z.string(),
      /** The cluster's name as typed by the operator: required for production clusters. */
      typedCluster: z.string().optional(),
      /** Its open window; absent: the only open one there, if there is exactly one. */
      windowId: z.string().optional(),
      /** The reason for a start outside any window: without it, a run that takes nodes out or updates is refused when no window is open. */
      outsideWindow: z.string().min(1).optional(),
    }),
    output: RunSummary,
  },
  /** Where each instance of a shown plan may go and how long it may take, by earlier measurements here. */
  'plan.forecast': { effect: 'read', input: z.strictObject({ planId: z.string() }), output: PlanForecast },
  'run.resume': { effect: 'journaled', input: z.strictObject({ runId: z.string() }), output: RunSummary },
  /** Asks the run's driver (this process or another) to pause; `run.event` reports when it did. */
  'run.pause': { effect: 'journaled', input: z.strictObject({ runId: z.string() }), output: z.strictObject({}) },
  /** Starts no other node or phase of an update: finishes current work, then pauses. */
  'run.pause-after-node': {
    effect: 'journaled',
    input: z.strictObject({ runId: z.string() }),
    output: z.strictObject({}),
  },
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
  /** Leaves the run as it is, resumable, and stops driving it from this process. */
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
  /** Decides about one instance while the others continue, with or without a question; the run applies it at its next check. */
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
  /** While a plan is made, its checks watch another holder's Lease before they answer: which, and for how long. */
  'plan.watches': z.strictObject({ cluster: z.string(), node: z.string(), words: z.string() }),
  /** Every journaled event, in order: from this process at once, from other processes within two seconds. */
  'run.event': RunEvent,
  /** A run driven by this process finished, or waits for an answer. */
  'run.rested': z.strictObject({ runId: z.string(), state: RunListState, outcome: RunOutcome.nullable() }),
} as const
