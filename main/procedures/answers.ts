import type { Failure } from '../../shared/domain/failure.ts'
import type { Json } from '../../shared/domain/json.ts'
import type {
  Blocker,
  CheckAnswer,
  Counted,
  Effect,
  Evidence,
  OverrideRule,
  Passing,
  VerifyAnswer,
} from '../../shared/domain/plan.ts'
import { isPassing } from '../runs/engine/outlast.ts'
import type { StepInput } from '../runs/engine/step.ts'

interface CheckMore {
  readonly evidence?: readonly Evidence[]
  readonly warnings?: readonly string[]
  readonly effects?: readonly Effect[]
  /** What verify is held against. */
  readonly counted?: readonly Counted[]
}

/** The check holds; `effects` is what apply will do. */
export function ready(reason: string, more: CheckMore = {}): CheckAnswer {
  return { kind: 'ready', reason, ...lists(more) }
}

/** There is nothing to do: the world is already so. */
export function done(reason: string, more: CheckMore = {}): CheckAnswer {
  return { kind: 'done', reason, ...lists(more) }
}

/** The check does not hold, for these reasons. */
export function blocked(blockers: readonly Blocker[], more: CheckMore = {}): CheckAnswer {
  return { kind: 'blocked', blockers: [...blockers], ...lists(more) }
}

/** Blocked when there are blockers, else ready: for checks that collect what they find. */
export function readyUnless(blockers: readonly Blocker[], reason: string, more: CheckMore = {}): CheckAnswer {
  return blockers.length > 0 ? blocked(blockers, more) : ready(reason, more)
}

type Check<Context> = (input: StepInput, ctx: Context) => Promise<CheckAnswer>

/**
 * A check that only warns where its input says `warns`: in an update it tells before the start what a node's maintenance alone would be blocked by, what
 * could not be read too. Nothing rests on it there: the controllers wait by themselves, and an eviction goes past no budget. What does not block is
 * answered as it is; of what does, all is kept that can be: what it read and found, and what to do about each of its reasons, which for one that may
 * pass by itself is to ask again.
 */
export function orWarning<Context>(check: Check<Context>): Check<Context> {
  return async (input, ctx) => {
    const answer = await check(input, ctx)
    if (input.warns !== true || answer.kind !== 'blocked') return answer
    const { blockers, evidence, effects, counted = [] } = answer
    const warnings = [...blockers.map(({ message, remedy }) => `${message} ${remedy}`), ...answer.warnings]
    return ready('This is to be known before it goes on.', { evidence, effects, counted, warnings })
  }
}

/** The world could not be asked, so nothing may be assumed: never overridable (never act on stale data). */
export function cannotAsk(what: string, failure: Failure): CheckAnswer {
  return blocked([
    {
      code: 'cannot-ask',
      message: `${what} could not be read: ${failure.message}`,
      remedy: failure.retryable
        ? 'Try again when the service answers.'
        : 'Run `lockkeeper cluster test` to see what is missing.',
      override: NEVER_BLIND,
      ...passingOf(failure),
    },
  ])
}

/** For what may pass by itself: who asked waits it out (main/runs/engine/outlast.ts). */
export function passingOf(failure: Failure): { readonly passing?: Passing } {
  return isPassing(failure) ? { passing: { retryAfterMs: failure.retryAfterMs ?? 0 } } : {}
}

/** It is so, in the world, now. */
export function holds(reason: string, evidence: readonly Evidence[]): VerifyAnswer {
  return { kind: 'holds', reason, evidence: [...evidence] }
}

/** It is not so (yet, when `mayStillHold`). */
export function fails(
  reason: string,
  remedy: string,
  evidence: readonly Evidence[],
  mayStillHold = true,
): VerifyAnswer {
  return { kind: 'fails', reason, remedy, evidence: [...evidence], mayStillHold }
}

/** It cannot be told whether it is so: nothing proves it. Longer looking may help, unless `mayStillHold` is false. */
export function cannotTell(
  reason: string,
  remedy: string,
  evidence: readonly Evidence[],
  mayStillHold = true,
): Extract<VerifyAnswer, { kind: 'cannot-tell' }> {
  return { kind: 'cannot-tell', reason, remedy, evidence: [...evidence], mayStillHold }
}

/** A verify that could not ask: whether it is so cannot be told, but may be once the service answers. */
export function cannotVerify(what: string, failure: Failure): VerifyAnswer {
  const remedy = failure.retryable
    ? 'Try again when the service answers.'
    : 'Run `lockkeeper cluster test` to see what is missing, mend it and resume the run.'
  return { ...cannotTell(`${what} could not be read: ${failure.message}`, remedy, []), ...passingOf(failure) }
}

/** Overridden by --force with a reason. */
export const BY_FORCE: OverrideRule = { kind: 'flag', flag: 'force' }

/** Overridden by --allow-downtime with a reason. */
export const BY_ALLOW_DOWNTIME: OverrideRule = { kind: 'flag', flag: 'allow-downtime' }

const NEVER_BLIND: OverrideRule = {
  kind: 'never',
  why: 'acting without knowing the state of the cloud is never allowed',
}

/** A thing that was read, with when and the values that mattered. */
export function evidence(subject: string, readAt: string, values: Readonly<Record<string, Json>>): Evidence {
  return { subject, readAt, values: { ...values } }
}

function lists(
  more: CheckMore,
): { evidence: Evidence[]; warnings: string[]; effects: Effect[] } & Pick<CheckAnswer, 'counted'> {
  return {
    ...(more.counted === undefined || more.counted.length === 0 ? {} : { counted: [...more.counted] }),
    evidence: [...(more.evidence ?? [])],
    warnings: [...(more.warnings ?? [])],
    effects: [...(more.effects ?? [])],
  }
}
