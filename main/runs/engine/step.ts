import type { Failure } from '../../../shared/domain/failure.ts'
import type { Json } from '../../../shared/domain/json.ts'
import type { PlannedStep, PlanWindow, RunOptions, StepRisk, StepRole } from '../../../shared/domain/plan.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import type { RunFactName } from '../../../shared/domain/run-facts.ts'
import type { Blocker, CheckAnswer, Counted, OverrideFlag, VerifyAnswer } from '../../../shared/domain/step-answers.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { StopReason } from './stop-switch.ts'

/** JSON input of a step: the plan stores it so that the step can run again after a restart. */
export type StepInput = Readonly<Record<string, Json>>

/** What a step may use while it runs. `World` is the ports that the procedures declare; the engine does not look inside. */
export interface StepContext<World> {
  readonly world: World
  readonly clock: Clock
  readonly runId: string
  readonly operator: string
  readonly stepId: string
  readonly options: RunOptions
  /** The override that lifts a blocker of this step; null if it stays, or the confirmed plan did not show it. */
  readonly liftedBy: (blocker: Blocker) => OverrideFlag | null
  /** Aborted when the run stops: pause, abort, lost lease. Pass it to every request and wait. */
  readonly signal: AbortSignal
  readonly resumed: boolean
  /** Facts that this step has journaled in this run, oldest first, including an earlier process's facts. */
  readonly history: () => readonly RunFact[]
  /** Counts by the checks of this step, from the plan and from this run: each subject once, with its latest value. */
  readonly counted: () => readonly Counted[]
  /** All facts of the run, by any step: for checks that must know what this run itself has started. */
  readonly runHistory: () => readonly RunFact[]
  /** The window of the run, or why it started outside any; null if no window was required, or it is still unknown. */
  readonly window: PlanWindow | null
  /** Journals a fact synchronously; with `announces` BEFORE the effect. Throws {@link StopStepping} when the run may no longer act: do not catch it. */
  readonly announce: (fact: RunFactName, subject: string, values?: StepInput) => void
  readonly report: (fact: RunFactName, subject: string, values?: StepInput) => void
  /** Why the run stops; null while it does not, or when only this step's time is up. Tells what the operator wants for work that others continue. */
  readonly stoppedBy: () => StopReason['kind'] | null
  /** Repeats a read that fails transiently, for a step that follows work in progress; `what` names the object, such as `server/6f1c…`. */
  readonly retryTransient: <T>(what: string, read: () => Promise<Result<T>>) => Promise<Result<T>>
  readonly at: () => string
}

export type ApplyAnswer =
  | { readonly kind: 'applied'; readonly code?: string; readonly values?: Record<string, Json>; readonly note: string }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** The step needs an answer: the run waits for it, then applies the step again (retry) or skips it. */
  | {
      readonly kind: 'question'
      readonly code?: string
      readonly values?: Record<string, Json>
      readonly question: string
      readonly choices: readonly ('continue' | 'retry' | 'skip' | 'abort')[]
      /** The step uses the answer: `continue` applies it again, and {@link OPERATOR_ANSWERED} records who answered. Absent if `continue` means nothing is left to do. */
      readonly leansOnAnswer?: true
    }
  | { readonly kind: 'stopped' }

/** `announce` throws it when the run may no longer act; the engine catches it. Not an error. */
export class StopStepping extends Error {
  override readonly name = 'StopStepping'
}

/** A step of up to three verbs (style G16-G20): `check` and `verify` only read, `apply` is safe to repeat and to be killed at any line. */
export interface Step<World> {
  readonly kind: string
  readonly role: StepRole
  readonly risk: StepRisk
  readonly why: string
  readonly title: (input: StepInput) => string
  readonly check?: (input: StepInput, ctx: StepContext<World>) => Promise<CheckAnswer>
  readonly apply?: (input: StepInput, ctx: StepContext<World>) => Promise<ApplyAnswer>
  readonly verify?: (input: StepInput, ctx: StepContext<World>) => Promise<VerifyAnswer>
  /** Whether the operator may skip it after a failure; false while its work may still continue. Absent means always. */
  readonly mayBePassed?: (input: StepInput, ctx: StepContext<World>) => Promise<boolean>
  readonly verifyEarly: boolean
  readonly withinMs: number
  /** Time limit of its verify, where that needs longer than usual; at most `withinMs`. */
  readonly verifyWithinMs?: number
  /** How often a failing verify repeats until its deadline. */
  readonly verifyEveryMs: number
  readonly undo: string
}

/** The steps a process knows, by kind: a plan in the journal names steps, this finds their code. */
export type StepRegistry<World> = ReadonlyMap<string, Step<World>>

/** One reading of a world for a whole pass of checks; `at`: nothing in it is older (ISO). */
export type ReadingOf<World> = (world: World, signal: AbortSignal) => { readonly at: string; readonly world: World }

export function planStep<World>(
  step: Step<World>,
  input: StepInput,
  more: {
    readonly needs?: readonly string[]
    readonly id?: string
    readonly withinMs?: number
    readonly title?: string
    readonly verifyFinally?: boolean
    readonly holdsUntil?: string
    readonly lane?: PlannedStep['lane']
    readonly phase?: PlannedStep['phase']
    readonly stage?: PlannedStep['stage']
  } = {},
): PlannedStep {
  return {
    id: more.id ?? step.kind,
    kind: step.kind,
    role: step.role,
    risk: step.risk,
    title: more.title ?? step.title(input),
    why: step.why,
    input: { ...input },
    needs: [...(more.needs ?? [])],
    verbs: verbsOf(step),
    verifyEarly: step.verifyEarly,
    withinMs: more.withinMs ?? step.withinMs,
    undo: step.undo,
    verifyFinally: more.verifyFinally ?? more.holdsUntil === undefined,
    holdsUntil: more.holdsUntil ?? null,
    lane: more.lane ?? null,
    phase: more.phase ?? null,
    stage: more.stage ?? null,
  }
}

export function verbsOf<World>(step: Step<World>): PlannedStep['verbs'] {
  return (['check', 'apply', 'verify'] as const).filter(verb => step[verb] !== undefined)
}
