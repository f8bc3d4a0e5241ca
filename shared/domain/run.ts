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

/** Tells a live run from an interrupted one, and names a contact. */
export const RunDriver = z.strictObject({
  operator: z.string(),
  machine: z.string(),
  pid: z.number().int(),
  version: z.string(),
  /** Random: neither machine name nor pid identifies a process. Runs of earlier versions have none. */
  id: z.string().optional(),
  /** The machine's boot and pid namespace, within which `pid` identifies the process; null if the machine does not say. */
  bootId: z.string().nullable().optional(),
  /** How often the run was claimed: 1 at its start, one more each time a process claims it. */
  epoch: z.number().int().optional(),
})
export type RunDriver = z.infer<typeof RunDriver>

const DEMO_MARK = ' (demo)'

/** Recorded on embedded clouds, so that their runs never pass for real ones. */
export function demoVersion(version: string): string {
  return `${version}${DEMO_MARK}`
}

/** Whether the run belongs to a demo, so that none of its facts are real. */
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

/** A handed-over run ended only for the console: a runner continues it. */
export const RunOutcome = z.enum(['done', 'failed', 'aborted', 'checks-failed', 'handed-over'])
export type RunOutcome = z.infer<typeof RunOutcome>

export const HandOverPlace = z.strictObject({ by: z.string(), namespace: z.string(), object: z.string() })
export type HandOverPlace = z.infer<typeof HandOverPlace>

/** A journaled event of a run (style G21). Events that announce an effect are written before it. */
export const RunEventBody = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('run-created'),
    plan: Plan,
    driver: RunDriver,
    asked: AcceptedRun.optional(),
  }),
  /** The first time, or after an interruption. */
  z.strictObject({ kind: z.literal('run-driven'), driver: RunDriver, resumed: z.boolean() }),
  z.strictObject({ kind: z.literal('lease-acquired'), node: z.string(), identity: z.string() }),
  /** Another holder may be gone: the run watches for at most `forMs` whether the Lease is renewed. */
  z.strictObject({ kind: z.literal('lease-watched'), node: z.string(), message: z.string(), forMs: z.number() }),
  /** The Lease expired or was taken, and no other holder is known: the run acts again only with the Lease. */
  z.strictObject({ kind: z.literal('lease-away'), node: z.string(), why: z.string(), ...CODED }),
  /** No other process had taken it: the run checks everything again and continues. */
  z.strictObject({ kind: z.literal('lease-back'), node: z.string(), awayMs: z.number() }),
  /** Another process holds it, or the run could not get it back; the run stops before the next effect. */
  z.strictObject({ kind: z.literal('lease-lost'), node: z.string(), why: z.string(), ...CODED }),
  /** The machine or this process was suspended: the run checks everything again. */
  z.strictObject({ kind: z.literal('machine-slept'), ms: z.number(), since: z.string() }),
  /** The servers' clocks, when a process starts to drive and after a visible change. */
  z.strictObject({ kind: z.literal('clocks-measured'), clocks: z.array(MeasuredClock) }),
  z.strictObject({ kind: z.literal('step-checked'), stepId: z.string(), answer: CheckAnswer }),
  z.strictObject({
    kind: z.literal('blocker-overridden'),
    stepId: z.string(),
    code: z.string(),
    values: z.record(z.string(), Json).optional(),
    message: z.string(),
    flag: OverrideFlag,
    reason: z.string(),
  }),
  z.strictObject({ kind: z.literal('step-started'), stepId: z.string(), attempt: z.number().int() }),
  /** `announces`: written before the effect it names. */
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
    code: z.string().optional(),
    values: z.record(z.string(), Json).optional(),
    question: z.string(),
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
  /** The run starts no other node (lane) or phase, and pauses when those under way are done. */
  z.strictObject({ kind: z.literal('pause-after-node-requested'), by: z.string() }),
  z.strictObject({ kind: z.literal('paused') }),
  z.strictObject({ kind: z.literal('resume-requested'), by: z.string() }),
  z.strictObject({
    kind: z.literal('abort-requested'),
    by: z.string(),
    reason: z.string(),
    forUndo: z.literal(true).optional(),
  }),
  z.strictObject({
    kind: z.literal('driver-left'),
    why: z.string(),
    left: RunLeft.optional(),
    handsOver: z.literal(true).optional(),
  }),
  /** No console continues the run in this state (`storyHash`) until it is certain that no runner does. */
  z.strictObject({
    kind: z.literal('hand-over-announced'),
    by: z.string(),
    to: HandOverPlace,
    storyHash: z.string(),
  }),
  z.strictObject({ kind: z.literal('hand-over-failed'), why: z.string(), ...CODED }),
  /** A runner took it over (`storyHash`): earlier events are the console's. */
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
    /** The operator may want to undo them. */
    leftBehind: z.array(z.string()),
  }),
])
export type RunEventBody = z.infer<typeof RunEventBody>

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
  /** What checks of the plan and of the run counted, without duplicates. */
  readonly counted: readonly Counted[]
  readonly verify: VerifyAnswer | null
  readonly failure: Failure | null
  readonly passed: { readonly by: string; readonly at: string; readonly reason: string } | null
  readonly facts: readonly RunFact[]
  /** How many of its facts precede its newest attempt or the current console: those conditions are checked again. */
  readonly reportedBefore: number
}

export interface RunFact {
  readonly at: string
  readonly fact: string
  readonly subject: string
  readonly announces: boolean
  readonly values: Readonly<Record<string, Json>>
}

/** The state by events alone; whether the run has a console: `isInterrupted` of main/runs/engine/liveness.ts. */
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

/** The run continues without an operator when the condition ends. */
export interface PassingWait {
  /** Null means the whole run, for its Lease. */
  readonly stepId: string | null
  /** The node of the missing Lease; null means another wait. */
  readonly lease: string | null
  readonly reason: string
  readonly since: string
  /** When Lockkeeper asks a person; null if not given. */
  readonly asksAt: string | null
  /** When its step fails, if its verify has not passed; null if it does not fail for that. */
  readonly failsAt: string | null
}

/** The one model that screen, report and resume share. */
export interface RunView {
  readonly id: string
  readonly plan: Plan
  readonly state: RunState
  readonly driver: RunDriver
  readonly createdAt: string
  /** An earlier console reported older facts. */
  readonly drivenAt: string
  readonly endedAt: string | null
  readonly lastEventAt: string
  readonly leaseIdentity: string | null
  /** From a console, which reported everything earlier; null if not taken over. */
  readonly takenOverAt: string | null
  /** The place it was, or may have been, handed to; null if there is none. */
  readonly handedTo: (HandOverPlace & { readonly announcedAt: string; readonly storyHash: string }) | null
  /** Oldest first: each parallel lane may have one. */
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
