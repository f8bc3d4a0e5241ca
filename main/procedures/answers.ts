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
  Warning,
} from '../../shared/domain/plan.ts'
import { type Fault, fault, found } from '../../shared/words/step-texts.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import type { ApplyAnswer, StepInput } from '../runs/engine/step.ts'
import { isPassing } from '../runs/engine/transient-retry.ts'

export { refusal } from '../../shared/words/refusal.ts'

interface CheckMore {
  readonly evidence?: readonly Evidence[]
  readonly warnings?: readonly Finding[]
  readonly effects?: readonly Effect[]
  /** What verify is held against. */
  readonly counted?: readonly Counted[]
}

/** The check holds; `effects` is what apply will do. */
export function ready(found: Finding, more: CheckMore = {}): CheckAnswer {
  return { kind: 'ready', ...said(found), ...lists(more) }
}

/** There is nothing to do: the world is already so. */
export function done(found: Finding, more: CheckMore = {}): CheckAnswer {
  return { kind: 'done', ...said(found), ...lists(more) }
}

/** The check does not hold, for these reasons. */
export function blocked(blockers: readonly Blocker[], more: CheckMore = {}): CheckAnswer {
  return { kind: 'blocked', blockers: [...blockers], ...lists(more) }
}

/** Blocked when there are blockers, else ready: for checks that collect what they find. */
export function readyUnless(blockers: readonly Blocker[], found: Finding, more: CheckMore = {}): CheckAnswer {
  return blockers.length > 0 ? blocked(blockers, more) : ready(found, more)
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
    const warnings = [...blockers.map(asWarning), ...answer.warnings]
    return ready(found('KnowBeforeGoingOn'), { evidence, effects, counted, warnings })
  }
}

/** A reason why a step could not go on, where it only warns. */
export function asWarning({ code, values = {}, message, remedy }: Blocker): Finding {
  return { code, values, message: `${message} ${remedy}` }
}

/** The world could not be asked, so nothing may be assumed: never overridable (never act on stale data). */
export function cannotAsk(what: Finding, failure: Failure): CheckAnswer {
  return blocked([{ ...blocker(fault('NotRead', asked(what, failure))), ...passingOf(failure) }])
}

/** For what may pass by itself: who asked waits it out (main/runs/engine/transient-retry.ts). */
export function passingOf(failure: Failure): { readonly passing?: Passing } {
  return isPassing(failure) ? { passing: { retryAfterMs: failure.retryAfterMs ?? 0 } } : {}
}

/** It is so, in the world, now. */
export function holds(found: Finding, evidence: readonly Evidence[]): VerifyAnswer {
  return { kind: 'holds', ...said(found), evidence: [...evidence] }
}

/** It is not so (yet, when `mayStillHold`). */
export function fails(
  fault: Fault,
  evidence: readonly Evidence[],
  mayStillHold = true,
): Extract<VerifyAnswer, { kind: 'fails' }> {
  return { kind: 'fails', ...notSo(fault, evidence, mayStillHold) }
}

/** It cannot be told whether it is so: nothing proves it. Longer looking may help, unless `mayStillHold` is false. */
export function cannotTell(
  fault: Fault,
  evidence: readonly Evidence[],
  mayStillHold = true,
): Extract<VerifyAnswer, { kind: 'cannot-tell' }> {
  return { kind: 'cannot-tell', ...notSo(fault, evidence, mayStillHold) }
}

/** A verify that could not ask: whether it is so cannot be told, but may be once the service answers. */
export function cannotVerify(what: Finding, failure: Failure): VerifyAnswer {
  return { ...cannotTell(fault('NotReadYet', asked(what, failure)), []), ...passingOf(failure) }
}

/** One reason why a step cannot go on; who may override it says `override`, where anybody may. */
export function blocker(
  { code, values, message, remedy, never }: Fault,
  override: OverrideRule | null = null,
): Blocker {
  return {
    code,
    values: { ...values },
    message,
    remedy,
    override: override ?? { kind: 'never', why: never ?? 'nothing makes up for it' },
  }
}

/** What a step did. */
export function applied(found: Finding): ApplyAnswer {
  return { kind: 'applied', code: found.code, values: { ...found.values }, note: found.message }
}

/**
 * It cannot go on by itself: a person answers what was found, or what is in the way with what they can do about it. A step that leans on the answer
 * is applied again with it.
 */
export function asks(what: Finding | Fault, choices: Asked['choices'], more: Pick<Asked, 'leansOnAnswer'> = {}): Asked {
  const { code, values, message } = what
  const remedy = 'remedy' in what ? what.remedy : ''
  const question = remedy === '' ? message : `${message} ${remedy}`
  return { kind: 'question', code, values: { ...values }, question, choices, ...more }
}

type Asked = Extract<ApplyAnswer, { kind: 'question' }>

/** Another program's failure in words of our own, which name it. */
export function reworded(failure: Failure, { code: reason, values, message, remedy }: Fault): Failure {
  return { ...failure, reason, values: { ...values }, message: remedy === '' ? message : `${message} ${remedy}` }
}

/** Overridden by --force with a reason. */
export const BY_FORCE: OverrideRule = { kind: 'flag', flag: 'force' }

/** Overridden by --allow-downtime with a reason. */
export const BY_ALLOW_DOWNTIME: OverrideRule = { kind: 'flag', flag: 'allow-downtime' }

/** A thing that was read, with when and the values that mattered. */
export function evidence(subject: string, readAt: string, values: Readonly<Record<string, Json>>): Evidence {
  return { subject, readAt, values: { ...values } }
}

function lists(
  more: CheckMore,
): { evidence: Evidence[]; warnings: Warning[]; effects: Effect[] } & Pick<CheckAnswer, 'counted'> {
  return {
    ...(more.counted === undefined || more.counted.length === 0 ? {} : { counted: [...more.counted] }),
    evidence: [...(more.evidence ?? [])],
    warnings: (more.warnings ?? []).map(({ code, values, message }) => ({ code, values: { ...values }, message })),
    effects: [...(more.effects ?? [])],
  }
}

/** What was found, as an answer carries it. */
function said({ code, values, message }: Finding): { reason: string; code: string; values: Record<string, Json> } {
  return { reason: message, code, values: { ...values } }
}

function notSo(
  { remedy, ...fault }: Fault,
  evidence: readonly Evidence[],
  mayStillHold: boolean,
): Omit<Extract<VerifyAnswer, { kind: 'fails' }>, 'kind'> {
  return { ...said(fault), remedy, evidence: [...evidence], mayStillHold }
}

/** A finding among the values of a fact of the journal: its text by this name, and its code with values. */
export function factValues(name: 'what' | 'why' | 'message', { code, values, message }: Finding): StepInput {
  return { [name]: message, code, values }
}

/** What was asked, and why it was not answered. */
function asked(read: Finding, { message: cause, retryable }: Failure) {
  return { read, cause, retryable }
}
