import { z } from 'zod'
import { MeasuredClock } from './clock-skew.ts'
import { CODED } from './coded.ts'
import { Failure } from './failure.ts'
import { GateChoice } from './gate-choice.ts'
import { Json } from './json.ts'
import { AcceptedRun } from './maintenance-run.ts'
import { Plan, type PlannedStep } from './plan.ts'
import { RunLeft } from './run-left.ts'
import { CheckAnswer, type Counted, OverrideFlag, VerifyAnswer } from './step-answers.ts'

/** The process that drives a run, to distinguish a live run from an interrupted one and to name a contact. */
export const RunDriver = z.strictObject({
  /** The operating-system user. */
  operator: z.string(),
  machine: z.string(),
  pid: z.number().int(),
  version: z.string(),
  /** Random for each process: neither machine name nor pid identifies a process. Runs of earlier versions have none. */
  id: z.string().optional(),
  /** The machine's boot and its pid namespace, within which `pid` identifies the process; null: the machine does not say. */
  bootId: z.string().nullable().optional(),
  /** How often the run was claimed: 1 at its start, one more each time a process claims it. */
  epoch: z.number().int().optional(),
})
export type RunDriver = z.infer<typeof RunDriver>

const DEMO_MARK = ' (demo)'

/** The version that drivers of embedded clouds record, so that their runs remain distinct from real ones. */
export function demoVersion(version: string): string {
  return `${version}${DEMO_MARK}`
}

/** Whether a run was driven against the embedded clouds of a demo: none of its facts are real. */
export function isOfDemo(driver: Pick<RunDriver, 'version'>): boolean {
  return driver.version.endsWith(DEMO_MARK)
}

export interface ProcessOfDriver extends RunDriver {
  readonly id: string
  readonly bootId: string | null
}

/** Proves at each write that a process still drives a run: a later claim has another one. */
export interface Fence {
  readonly id: string
  readonly epoch: number
}

/** How a run ended; a handed-over run ended only for the console: a runner continues it. */
export const RunOutcome = z.enum(['done', 'failed', 'aborted', 'checks-failed', 'handed-over'])
export type RunOutcome = z.infer<typeof RunOutcome>

/** The MaintenanceRun that receives a run: the registered cluster with its API server, its namespace and its name. */
export const HandOverPlace = z.strictObject({ by: z.string(), namespace: z.string(), object: z.string() })
export type HandOverPlace = z.infer<typeof HandOverPlace>

/** An event of a run in the journal (style G21). Events that announce an effect are written before it. */
export const RunEventBody = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('run-created'),
    plan: Plan,
    driver: RunDriver,
    /** The MaintenanceRun that requested it; absent: started at a console. */
    asked: AcceptedRun.optional(),
  }),
  /** A process starts to drive the run: the first time, or after an interruption. */
  z.strictObject({ kind: z.literal('run-driven'), driver: RunDriver, resumed: z.boolean() }),
  z.strictObject({ kind: z.literal('lease-acquired'), node: z.string(), identity: z.string() }),
  /** Another holder may be gone: the run watches for at most `ms` whether the Lease is renewed. */
  z.strictObject({ kind: z.literal('lease-watched'), node: z.string(), message: z.string(), forMs: z.number() }),
  /** The Lease expired or was taken from the run, and no other holder is known: the run acts again only when it has the Lease back. */
  z.strictObject({ kind: z.literal('lease-away'), node: z.string(), why: z.string(), ...CODED }),
  /** No other process had taken it: the run checks everything again and continues. */
  z.strictObject({ kind: z.literal('lease-back'), node: z.string(), awayMs: z.number() }),
  /** Another process holds it, or the run could not get it back; the run stops before the next effect. */
  z.strictObject({ kind: z.literal('lease-lost'), node: z.string(), why: z.string(), ...CODED }),
  /** The machine or this process was suspended while it drove the run: the run checks everything again. */
  z.strictObject({ kind: z.literal('machine-slept'), ms: z.number(), since: z.string() }),
  /** The servers' clocks compared with this machine's, when a process starts to drive and after a visible change. */
  z.strictObject({ kind: z.literal('clocks-measured'), clocks: z.array(MeasuredClock) }),
  z.strictObject({ kind: z.literal('step-checked'), stepId: z.string(), answer: CheckAnswer }),
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
    /** The note's code and values; absent in journals of earlier versions. */
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
  z.strictObject({
    kind: z.literal('gate-opened'),
    stepId: z.string(),
    gateId: z.string(),
    /** The question's code and values; absent in journals of earlier versions. */
    code: z.string().optional(),
    values: z.record(z.string(), Json).optional(),
    question: z.string(),
    /** The possible answers: `retry` the step, `skip` it with a reason, `abort` the run. */
    choices: z.array(GateChoice),
    /** The step is applied again with the answer (main/runs/engine/step.ts), which counts only for this question. */
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
  /** The run starts no other node (lane) or phase and pauses when those under way are done. */
  z.strictObject({ kind: z.literal('pause-after-node-requested'), by: z.string() }),
  z.strictObject({ kind: z.literal('paused') }),
  z.strictObject({ kind: z.literal('resume-requested'), by: z.string() }),
  z.strictObject({
    kind: z.literal('abort-requested'),
    by: z.string(),
    reason: z.string(),
    /** It was stopped in order to undo it; absent: not so, or written by an earlier version. */
    forUndo: z.literal(true).optional(),
  }),
  /** The driver stopped driving on purpose (detached); the run can be resumed. */
  z.strictObject({
    kind: z.literal('driver-left'),
    why: z.string(),
    /** Absent: written by an earlier version. */
    left: RunLeft.optional(),
    handsOver: z.literal(true).optional(),
  }),
  /** The run is about to be handed over in this state (`storyHash`): no console continues it until it is certain that no runner does. */
  z.strictObject({
    kind: z.literal('hand-over-announced'),
    by: z.string(),
    to: HandOverPlace,
    storyHash: z.string(),
  }),
  z.strictObject({ kind: z.literal('hand-over-failed'), why: z.string(), ...CODED }),
  /** A runner took it over from a console (`storyHash`): earlier events are that console's. */
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
    /** Changes that remain; the operator may want to undo them. */
    leftBehind: z.array(z.string()),
  }),
])
export type RunEventBody = z.infer<typeof RunEventBody>

/** A journaled event: `seq` grows over the whole journal. */
export const RunEvent = z.strictObject({ seq: z.number().int(), runId: z.string(), at: z.string(), body: RunEventBody })
export type RunEvent = z.infer<typeof RunEvent>

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

export type OpenGate = Pick<
  Extract<RunEventBody, { kind: 'gate-opened' }>,
  'stepId' | 'gateId' | 'code' | 'values' | 'question' | 'choices' | 'leansOnAnswer'
>

export interface StepView {
  readonly step: PlannedStep
  readonly state: StepState
  readonly attempts: number
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly check: CheckAnswer | null
  /** Objects counted by its checks, of the plan and of the run, without duplicates. */
  readonly counted: readonly Counted[]
  readonly verify: VerifyAnswer | null
  readonly failure: Failure | null
  /** The person who skipped it, with time and reason; null: not skipped. */
  readonly passed: { readonly by: string; readonly at: string; readonly reason: string } | null
  readonly facts: readonly RunFact[]
  /** How many of its facts precede its newest attempt or the current driver: conditions from that time are checked and reported again. */
  readonly reportedBefore: number
}

export interface RunFact {
  readonly at: string
  readonly fact: string
  readonly subject: string
  readonly announces: boolean
  readonly values: Readonly<Record<string, Json>>
}

/** The state of a run by its events alone; they do not say whether it has a driver: see `isInterrupted` of main/runs/engine/liveness.ts. */
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

/** A temporary condition that a run waits for: it continues without an operator when the condition ends. */
export interface PassingWait {
  /** The step that waits; null: the whole run, for its Lease. */
  readonly stepId: string | null
  /** The node of the missing Lease; null: another wait. */
  readonly lease: string | null
  /** The reason from the failure, the check or the loss of the Lease. */
  readonly reason: string
  readonly since: string
  /** When Lockkeeper asks a person, if the condition has not ended; null: not given. */
  readonly asksAt: string | null
  /** When its step fails, if its verify has not passed; null: it does not fail for that. */
  readonly failsAt: string | null
}

/** A run as folded from its events; the one model that screen, report and resume share. */
export interface RunView {
  readonly id: string
  readonly plan: Plan
  readonly state: RunState
  readonly driver: RunDriver
  readonly createdAt: string
  /** When its driver started: an earlier driver reported older facts. */
  readonly drivenAt: string
  readonly endedAt: string | null
  readonly lastEventAt: string
  readonly leaseIdentity: string | null
  /** When a runner took it over from a console, which reported everything earlier; null: not taken over. */
  readonly takenOverAt: string | null
  /** Where it was, or may have been, handed over; null: nowhere. */
  readonly handedTo: (HandOverPlace & { readonly announcedAt: string; readonly storyHash: string }) | null
  /** Unanswered questions, oldest first: each parallel lane may have one. */
  readonly openGates: readonly (OpenGate & { readonly openedAt: string })[]
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
