import { z } from 'zod'
import { MeasuredClock } from './clock-skew.ts'
import { CODED } from './coded.ts'
import { Failure } from './failure.ts'
import { GateChoice } from './gate-choice.ts'
import { Json } from './json.ts'
import { AcceptedRun } from './maintenance-run.ts'
import { CheckAnswer, type Counted, OverrideFlag, Plan, type PlannedStep, VerifyAnswer } from './plan.ts'
import { RunLeft } from './run-left.ts'

/** Who drives a run: needed to tell a live run from an interrupted one, and to tell people whom to ask. */
export const RunDriver = z.strictObject({
  /** The operating-system user. */
  operator: z.string(),
  machine: z.string(),
  pid: z.number().int(),
  version: z.string(),
  /** Random, once a process: neither a name of a machine nor a pid tells two processes apart. Runs of earlier versions have none. */
  id: z.string().optional(),
  /** The boot of the machine and its pid namespace, in which alone `pid` means this process; null where the machine does not tell. */
  bootId: z.string().nullable().optional(),
  /** How often the run was taken up: 1 at its start, one more each time a process claims it. */
  epoch: z.number().int().optional(),
})
export type RunDriver = z.infer<typeof RunDriver>

const DEMO_MARK = ' (demo)'

/** The version that a driver of embedded clouds writes into its runs, so that they are told from real ones for good. */
export function demoVersion(version: string): string {
  return `${version}${DEMO_MARK}`
}

/** Whether a run was driven against the embedded clouds of a demo: nothing it tells of is real. */
export function isOfDemo(driver: Pick<RunDriver, 'version'>): boolean {
  return driver.version.endsWith(DEMO_MARK)
}

/** A process that may drive runs. */
export interface ProcessOfDriver extends RunDriver {
  readonly id: string
  readonly bootId: string | null
}

/** Proves, at each write, that a process still drives a run: who claims the run later has another. */
export interface Fence {
  readonly id: string
  readonly epoch: number
}

/** How a run ended; one that was handed over ended for the console alone: a runner goes on with it. */
export const RunOutcome = z.enum(['done', 'failed', 'aborted', 'checks-failed', 'handed-over'])
export type RunOutcome = z.infer<typeof RunOutcome>

/** The MaintenanceRun to which a run is handed over: the registered cluster by whose API server it is reached, its namespace and its name. */
export const HandOverPlace = z.strictObject({ by: z.string(), namespace: z.string(), object: z.string() })
export type HandOverPlace = z.infer<typeof HandOverPlace>

/**
 * Something that happened in a run: the journal's events (style G21). Screen, report and resume are folds over these.
 * Events that announce an effect are written before it.
 */
export const RunEventBody = z.discriminatedUnion('kind', [
  /** The operator confirmed this plan. */
  z.strictObject({
    kind: z.literal('run-created'),
    plan: Plan,
    driver: RunDriver,
    /** The MaintenanceRun that asked for it; absent: somebody at a console did. */
    asked: AcceptedRun.optional(),
  }),
  /** A process starts to drive the run: the first time, or after an interruption. */
  z.strictObject({ kind: z.literal('run-driven'), driver: RunDriver, resumed: z.boolean() }),
  /** The lease of the node is held by this run. */
  z.strictObject({ kind: z.literal('lease-acquired'), node: z.string(), identity: z.string() }),
  /** Somebody holds it who may be gone: it is watched whether it is still renewed, at most so long. */
  z.strictObject({ kind: z.literal('lease-watched'), node: z.string(), message: z.string(), forMs: z.number() }),
  /** The lease ran out, or was taken off the run, and nobody else is known to hold it: nothing is done until it is back. */
  z.strictObject({ kind: z.literal('lease-away'), node: z.string(), why: z.string(), ...CODED }),
  /** Nobody had taken it meanwhile: the run looks at everything afresh and goes on. */
  z.strictObject({ kind: z.literal('lease-back'), node: z.string(), awayMs: z.number() }),
  /** Somebody else holds it, or it could not be taken back; the run stops before the next effect. */
  z.strictObject({ kind: z.literal('lease-lost'), node: z.string(), why: z.string(), ...CODED }),
  /** The machine slept, or this process did not run, while it drove: what it knew is looked at afresh. */
  z.strictObject({ kind: z.literal('machine-slept'), ms: z.number(), since: z.string() }),
  /** The clocks of the servers against this machine's: when a process begins to drive, and when one went off by as much as is shown. */
  z.strictObject({ kind: z.literal('clocks-measured'), clocks: z.array(MeasuredClock) }),
  z.strictObject({ kind: z.literal('step-checked'), stepId: z.string(), answer: CheckAnswer }),
  /** A blocker that the operator lifted, with the reason given. */
  z.strictObject({
    kind: z.literal('blocker-overridden'),
    stepId: z.string(),
    code: z.string(),
    /** Absent in journals of earlier versions. */
    values: z.record(z.string(), Json).optional(),
    message: z.string(),
    flag: OverrideFlag,
    reason: z.string(),
  }),
  /** Apply begins. */
  z.strictObject({ kind: z.literal('step-started'), stepId: z.string(), attempt: z.number().int() }),
  /** One fact reported by a step: `announces` is true when it is written before the effect it names. */
  z.strictObject({
    kind: z.literal('fact'),
    stepId: z.string(),
    fact: z.string(),
    subject: z.string(),
    announces: z.boolean(),
    values: z.record(z.string(), Json),
  }),
  z.strictObject({
    kind: z.literal('step-applied'),
    stepId: z.string(),
    /** The code and the values that the note is made of; absent in journals of earlier versions. */
    code: z.string().optional(),
    values: z.record(z.string(), Json).optional(),
    note: z.string(),
  }),
  z.strictObject({ kind: z.literal('step-failed'), stepId: z.string(), failure: Failure }),
  z.strictObject({
    kind: z.literal('step-skipped'),
    stepId: z.string(),
    reason: z.string(),
    by: z.enum(['operator', 'nothing-to-do']),
  }),
  z.strictObject({
    kind: z.literal('step-verified'),
    stepId: z.string(),
    round: z.enum(['early', 'final']),
    answer: VerifyAnswer,
  }),
  /** The run waits for a person or for the world. */
  z.strictObject({
    kind: z.literal('gate-opened'),
    stepId: z.string(),
    gateId: z.string(),
    /** The code and the values that the question is made of; absent in journals of earlier versions. */
    code: z.string().optional(),
    values: z.record(z.string(), Json).optional(),
    question: z.string(),
    /** What may be answered: `retry` the step, `skip` it with a reason, `abort` the run. */
    choices: z.array(GateChoice),
    /** The step is applied again with the answer (main/runs/engine/step.ts): it counts for just this question. */
    leansOnAnswer: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('gate-answered'),
    stepId: z.string(),
    gateId: z.string(),
    choice: GateChoice,
    reason: z.string(),
    by: z.string(),
  }),
  z.strictObject({ kind: z.literal('pause-requested'), by: z.string() }),
  /** No other node (lane) or phase is to be begun; the run pauses when those under way are done. */
  z.strictObject({ kind: z.literal('pause-after-node-requested'), by: z.string() }),
  z.strictObject({ kind: z.literal('paused') }),
  z.strictObject({ kind: z.literal('resume-requested'), by: z.string() }),
  z.strictObject({
    kind: z.literal('abort-requested'),
    by: z.string(),
    reason: z.string(),
    /** It was ended in order to be undone; absent: it was not, or an earlier version wrote it. */
    forUndo: z.literal(true).optional(),
  }),
  /** The driver stopped driving on purpose (detached); the run can be resumed. */
  z.strictObject({
    kind: z.literal('driver-left'),
    /** {@link left} in words, as it was said then. */
    why: z.string(),
    /** Absent: an earlier version wrote it. */
    left: RunLeft.optional(),
    /** For it is handed over: nobody has to look after it, as after one that was left alone. */
    handsOver: z.literal(true).optional(),
  }),
  /** The run is about to be handed over, as it stands here (`storyHash`): nobody here goes on with it until it is known that no runner does. */
  z.strictObject({
    kind: z.literal('hand-over-announced'),
    by: z.string(),
    to: HandOverPlace,
    storyHash: z.string(),
  }),
  /** It was not: the MaintenanceRun is not there. */
  z.strictObject({ kind: z.literal('hand-over-failed'), why: z.string(), ...CODED }),
  /** A runner took it over from the console that told all before (`storyHash`): what was told by then is that console's word. */
  z.strictObject({
    kind: z.literal('run-taken-over'),
    driver: RunDriver,
    asked: AcceptedRun,
    storyHash: z.string(),
  }),
  z.strictObject({
    kind: z.literal('run-finished'),
    outcome: RunOutcome,
    summary: z.string(),
    ...CODED,
    /** What was changed and stays so; what the operator may want to undo. */
    leftBehind: z.array(z.string()),
  }),
])
export type RunEventBody = z.infer<typeof RunEventBody>

/** A journaled event: `seq` grows over the whole journal. */
export const RunEvent = z.strictObject({ seq: z.number().int(), runId: z.string(), at: z.string(), body: RunEventBody })
export type RunEvent = z.infer<typeof RunEvent>

/** Where a step stands. */
export const StepState = z.enum([
  'pending',
  'ready',
  'blocked',
  'overridden',
  'nothing-to-do',
  'applying',
  'waiting',
  'applied',
  'verified',
  'cannot-tell',
  'failed',
  'skipped',
])
export type StepState = z.infer<typeof StepState>

/** A question that a run opened. */
export type OpenGate = Pick<
  Extract<RunEventBody, { kind: 'gate-opened' }>,
  'stepId' | 'gateId' | 'code' | 'values' | 'question' | 'choices' | 'leansOnAnswer'
>

/** A step of a run, as folded from its events. */
export interface StepView {
  readonly step: PlannedStep
  readonly state: StepState
  readonly attempts: number
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly check: CheckAnswer | null
  /** What its checks counted, the plan's and all of the run's: each thing once. */
  readonly counted: readonly Counted[]
  readonly verify: VerifyAnswer | null
  readonly failure: Failure | null
  /** Who passed it, when, and why; null: nobody did. */
  readonly passed: { readonly by: string; readonly at: string; readonly reason: string } | null
  readonly facts: readonly RunFact[]
  /** So many of its facts were told before its newest attempt, or by an earlier driver: what it waited for then, it looks at again and tells again. */
  readonly reportedBefore: number
}

/** A fact with its time. */
export interface RunFact {
  readonly at: string
  readonly fact: string
  readonly subject: string
  readonly announces: boolean
  readonly values: Readonly<Record<string, Json>>
}

/**
 * Where a run stands by its events alone. Whether a `running` run is really being driven is not in its events:
 * see `isInterrupted` of main/runs/engine/liveness.ts.
 */
export type RunState =
  | { readonly kind: 'created' }
  | { readonly kind: 'running' }
  | { readonly kind: 'waiting'; readonly stepId: string; readonly gateId: string; readonly question: string }
  | { readonly kind: 'paused'; readonly since: string }
  | { readonly kind: 'left'; readonly left: RunLeft }
  | { readonly kind: 'aborting' }
  | {
      readonly kind: 'finished'
      readonly outcome: RunOutcome
      readonly summary: string
      readonly leftBehind: readonly string[]
    }

/** Something that a run waits for and that may pass by itself: it goes on without anybody when it does. */
export interface PassingWait {
  /** The step that waits; null: all of the run, for its Lease. */
  readonly stepId: string | null
  /** The node of the Lease that is away; null: it waits for something else. */
  readonly lease: string | null
  /** As the failure, the check or what took the Lease away says it. */
  readonly reason: string
  readonly since: string
  /** When a person is asked, if it has not passed; null: not told. */
  readonly asksAt: string | null
  /** When its step fails, if what it verifies does not hold by then; null: it does not fail for that. */
  readonly failsAt: string | null
}

/** A run as folded from its events; the one model that screen, report and resume share. */
export interface RunView {
  readonly id: string
  readonly plan: Plan
  readonly state: RunState
  readonly driver: RunDriver
  readonly createdAt: string
  /** When its driver began to drive it: what steps told before was seen by another one. */
  readonly drivenAt: string
  readonly endedAt: string | null
  readonly lastEventAt: string
  readonly leaseIdentity: string | null
  /** When a runner took it over from a console, whose word all before is; null: nobody did. */
  readonly takenOverAt: string | null
  /** Where it was, or may have been, handed over; null: nowhere. */
  readonly handedTo: (HandOverPlace & { readonly announcedAt: string; readonly storyHash: string }) | null
  /** Questions nobody has answered yet, oldest first: lanes that run side by side may each have one. */
  readonly openGates: readonly (OpenGate & { readonly openedAt: string })[]
  /** What it waits for that may pass by itself, oldest first. */
  readonly passingWaits: readonly PassingWait[]
  readonly steps: readonly StepView[]
  readonly overrides: readonly {
    readonly stepId: string
    readonly code: string
    readonly values?: Readonly<Record<string, Json>> | undefined
    readonly message: string
    readonly flag: OverrideFlag
    readonly reason: string
  }[]
}
