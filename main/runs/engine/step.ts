import type { Failure } from '../../../shared/domain/failure.ts'
import type { Json } from '../../../shared/domain/json.ts'
import type {
  CheckAnswer,
  Counted,
  PlannedStep,
  PlanWindow,
  RunOptions,
  StepRisk,
  StepRole,
  VerifyAnswer,
} from '../../../shared/domain/plan.ts'
import type { Result } from '../../../shared/domain/result.ts'
import type { RunFact } from '../../../shared/domain/run.ts'
import type { RunFactName } from '../../../shared/domain/run-facts.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { StopReason } from './stop-switch.ts'

/** JSON input of a step: what the plan keeps so that the step can be run again after a restart. */
export type StepInput = Readonly<Record<string, Json>>

/** Everything that a step may lean on while it runs. `World` is the ports that the procedures declare; the engine does not look inside. */
export interface StepContext<World> {
  readonly world: World
  readonly clock: Clock
  readonly runId: string
  /** The person who drives the run. */
  readonly operator: string
  readonly stepId: string
  readonly options: RunOptions
  /** Aborted when the run stops: pause, abort, lost lease. Pass it to every request and wait. */
  readonly signal: AbortSignal
  /** True when an earlier process already drove this run. */
  readonly resumed: boolean
  /** Facts this step (in this run) has journaled so far, oldest first, also those of an earlier process. */
  readonly history: () => readonly RunFact[]
  /** Counts by the checks of this step, when the plan was made and in this run: each thing once, as it was seen last. */
  readonly counted: () => readonly Counted[]
  /** All facts of the run, by any step: for checks that must know what this run itself has set in motion. */
  readonly runHistory: () => readonly RunFact[]
  /** The window the run belongs to, or why it was started outside any; null: nothing asked for one, or it is not known yet. */
  readonly window: PlanWindow | null
  /**
   * Journals a fact, synchronously. With `announces`, call it BEFORE the effect; when it returns, the fact is on disk.
   * Throws {@link StopStepping} when the run may not act any more (lease lost, abort): let it pass.
   */
  readonly announce: (fact: RunFactName, subject: string, values?: StepInput) => void
  readonly report: (fact: RunFactName, subject: string, values?: StepInput) => void
  /** Why the run stops; null while it does not, or when only this step's time is up. Tells what the operator wants of work that others carry on. */
  readonly stoppedBy: () => StopReason['kind'] | null
  /**
   * A read, repeated while it fails in a way that may pass by itself, with the run's own patience (outlast.ts): for what follows something that
   * goes on meanwhile. `what` names what is read, such as `server/6f1c…`. Answers with the last failure when patience is over or the run stops.
   * A step that simply fails needs none of this: the engine applies it again.
   */
  readonly retryTransient: <T>(what: string, read: () => Promise<Result<T>>) => Promise<Result<T>>
  /** The current time as ISO string, for evidence. */
  readonly at: () => string
}

/** The outcome of an apply. */
export type ApplyAnswer =
  | { readonly kind: 'applied'; readonly code?: string; readonly values?: Record<string, Json>; readonly note: string }
  | { readonly kind: 'failed'; readonly failure: Failure }
  /** It cannot go on by itself: the run waits for an answer, then applies the step again (retry) or passes it (skip). */
  | {
      readonly kind: 'question'
      readonly code?: string
      readonly values?: Record<string, Json>
      readonly question: string
      readonly choices: readonly ('continue' | 'retry' | 'skip' | 'abort')[]
      /**
       * The step leans on the answer: `continue` applies it again too, and whoever said so is kept as the fact {@link OPERATOR_ANSWERED} of
       * the step before. Without it `continue` means that there is nothing left to do.
       */
      readonly leansOnAnswer?: true
    }
  /** The signal was aborted before it was done. */
  | { readonly kind: 'stopped' }

/** Thrown by `announce` when the run may not act any more; the engine catches it. Not an error. */
export class StopStepping extends Error {
  override readonly name = 'StopStepping'
}

/**
 * A step: up to three verbs (architecture, "The engine"; style G16-G20). `check` and `verify` only read. `apply` is safe to
 * repeat and to be killed at any line: it looks at the world first.
 */
export interface Step<World> {
  readonly kind: string
  readonly role: StepRole
  readonly risk: StepRisk
  /** Why the step exists, for the operator. */
  readonly why: string
  readonly title: (input: StepInput) => string
  readonly check?: (input: StepInput, ctx: StepContext<World>) => Promise<CheckAnswer>
  readonly apply?: (input: StepInput, ctx: StepContext<World>) => Promise<ApplyAnswer>
  readonly verify?: (input: StepInput, ctx: StepContext<World>) => Promise<VerifyAnswer>
  /** Whether a person may pass it now, though it failed; false while what it began may still go on. Absent: any time. */
  readonly mayBePassed?: (input: StepInput, ctx: StepContext<World>) => Promise<boolean>
  readonly verifyEarly: boolean
  readonly withinMs: number
  /** How long its verify looks on, where what it waits for takes longer than any usual verify may; not longer than `withinMs`. */
  readonly verifyWithinMs?: number
  /** How often a failing verify looks again until its deadline. */
  readonly verifyEveryMs: number
  readonly undo: string
}

/** The steps a process knows, by kind: a plan in the journal names steps, this finds their code. */
export type StepRegistry<World> = ReadonlyMap<string, Step<World>>

/** One reading of a world that a whole pass of checks goes by; `at`: nothing in it is older (ISO). */
export type ReadingOf<World> = (world: World, signal: AbortSignal) => { readonly at: string; readonly world: World }

/** Makes the planned form of a step. */
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

/** The verbs that a step has, as a plan says them. */
export function verbsOf<World>(step: Step<World>): PlannedStep['verbs'] {
  return (['check', 'apply', 'verify'] as const).filter(verb => step[verb] !== undefined)
}
