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
} from '../../shared/domain/step-answers.ts'
import { type Fault, fault, found } from '../../shared/words/step-texts.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import type { ApplyAnswer, StepInput } from '../runs/engine/step.ts'
import { isPassing } from '../runs/engine/transient-retry.ts'

export { refusal } from '../../shared/words/refusal.ts'

interface CheckMore {
  readonly evidence?: readonly Evidence[]
  readonly warnings?: readonly Finding[]
  readonly effects?: readonly Effect[]
  /** What verify compares the world with later. */
  readonly counted?: readonly Counted[]
}

/** The check passes; `effects` tells the operator what apply will change. */
export function ready(found: Finding, more: CheckMore = {}): CheckAnswer {
  return { kind: 'ready', ...said(found), ...lists(more) }
}

/** The step has nothing to do: the world is already in that state. */
export function done(found: Finding, more: CheckMore = {}): CheckAnswer {
  return { kind: 'done', ...said(found), ...lists(more) }
}

export function blocked(blockers: readonly Blocker[], more: CheckMore = {}): CheckAnswer {
  return { kind: 'blocked', blockers: [...blockers], ...lists(more) }
}

/** Blocked when there are blockers, else ready. */
export function readyUnless(blockers: readonly Blocker[], found: Finding, more: CheckMore = {}): CheckAnswer {
  return blockers.length > 0 ? blocked(blockers, more) : ready(found, more)
}

type Check<Context> = (input: StepInput, ctx: Context) => Promise<CheckAnswer>

/** Turns blockers into warnings where the input has `warns`: an update shows what would block each node alone, and the controllers wait there. */
export function orWarning<Context>(check: Check<Context>): Check<Context> {
  return async (input, ctx) => {
    const answer = await check(input, ctx)
    if (input.warns !== true || answer.kind !== 'blocked') return answer
    const { blockers, evidence, effects, counted = [] } = answer
    const warnings = [...blockers.map(asWarning), ...answer.warnings]
    return ready(found('KnowBeforeGoingOn'), { evidence, effects, counted, warnings })
  }
}

export function asWarning({ code, values = {}, message, remedy }: Blocker): Finding {
  return { code, values, message: `${message} ${remedy}` }
}

/** The world did not answer, so nothing may be assumed. No flag overrides it. */
export function cannotAsk(what: Finding, failure: Failure): CheckAnswer {
  return blocked([{ ...blocker(fault('NotRead', asked(what, failure))), ...passingOf(failure) }])
}

/** For failures that may pass: the engine retries (main/runs/engine/transient-retry.ts). */
export function passingOf(failure: Failure): { readonly passing?: Passing } {
  return isPassing(failure) ? { passing: { retryAfterMs: failure.retryAfterMs ?? 0 } } : {}
}

/** Verified: the world is in the expected state now. */
export function holds(found: Finding, evidence: readonly Evidence[]): VerifyAnswer {
  return { kind: 'holds', ...said(found), evidence: [...evidence] }
}

/** The world is not in the expected state (yet, when `mayStillHold`). */
export function fails(
  fault: Fault,
  evidence: readonly Evidence[],
  mayStillHold = true,
): Extract<VerifyAnswer, { kind: 'fails' }> {
  return { kind: 'fails', ...notSo(fault, evidence, mayStillHold) }
}

/** Nothing proves the state either way. Polling longer may help, unless `mayStillHold` is false. */
export function cannotTell(
  fault: Fault,
  evidence: readonly Evidence[],
  mayStillHold = true,
): Extract<VerifyAnswer, { kind: 'cannot-tell' }> {
  return { kind: 'cannot-tell', ...notSo(fault, evidence, mayStillHold) }
}

/** A verify that got no answer: the state may become known when the service answers. */
export function cannotVerify(what: Finding, failure: Failure): VerifyAnswer {
  return { ...cannotTell(fault('NotReadYet', asked(what, failure)), []), ...passingOf(failure) }
}

/** One reason why a step cannot continue; `override` names the flag that lifts it, where there is one. */
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

export function applied(found: Finding): ApplyAnswer {
  return { kind: 'applied', code: found.code, values: { ...found.values }, note: found.message }
}

/** The step needs an operator's answer. With `leansOnAnswer` the step is applied again with the answer. */
export function asks(what: Finding | Fault, choices: Asked['choices'], more: Pick<Asked, 'leansOnAnswer'> = {}): Asked {
  const { code, values, message } = what
  const remedy = 'remedy' in what ? what.remedy : ''
  const question = remedy === '' ? message : `${message} ${remedy}`
  return { kind: 'question', code, values: { ...values }, question, choices, ...more }
}

type Asked = Extract<ApplyAnswer, { kind: 'question' }>

/** Another program's failure in our own words, which name that program. */
export function reworded(failure: Failure, { code: reason, values, message, remedy }: Fault): Failure {
  return { ...failure, reason, values: { ...values }, message: remedy === '' ? message : `${message} ${remedy}` }
}

/** `--force` with a reason overrides it. */
export const BY_FORCE: OverrideRule = { kind: 'flag', flag: 'force' }

/** `--allow-downtime` with a reason overrides it. */
export const BY_ALLOW_DOWNTIME: OverrideRule = { kind: 'flag', flag: 'allow-downtime' }

/** What was read, when, and the values that mattered. */
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

/** A finding as values of a journal fact: its text under `name`, its code and its values. */
export function factValues(name: 'what' | 'why' | 'message', { code, values, message }: Finding): StepInput {
  return { [name]: message, code, values }
}

function asked(read: Finding, { message: cause, retryable }: Failure) {
  return { read, cause, retryable }
}
