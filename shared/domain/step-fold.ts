import { assertNever } from './must.ts'
import type { RunEventBody, RunFact, StepView } from './run.ts'
import type { CheckAnswer, Counted, VerifyAnswer } from './step-answers.ts'

/** How a step's facts grow: in place while a whole run is folded, otherwise as a new list. */
export type AppendFact = (facts: readonly RunFact[], fact: RunFact) => readonly RunFact[]

type StepEventBody = Extract<
  RunEventBody,
  {
    kind: 'step-checked' | 'step-started' | 'step-applied' | 'step-failed' | 'step-skipped' | 'step-verified' | 'fact'
  }
>

/** A step after one more of its events. */
export function stepAfter(step: StepView, body: StepEventBody, at: string, appendFact: AppendFact): StepView {
  switch (body.kind) {
    case 'step-checked':
      return {
        ...step,
        check: body.answer,
        counted: mergeCounted(step.counted, body.answer.counted ?? []),
        state: stateAfterCheck(step, body.answer),
      }
    case 'step-started':
      return {
        ...step,
        state: 'applying',
        attempts: Math.max(step.attempts + 1, body.attempt),
        startedAt: step.startedAt ?? at,
        endedAt: null,
        failure: null,
        reportedBefore: step.facts.length,
      }
    case 'step-applied':
      return { ...step, state: 'applied', endedAt: at, failure: null }
    case 'step-failed':
      return { ...step, state: 'failed', endedAt: at, failure: body.failure }
    case 'step-skipped':
      return { ...step, state: body.by === 'operator' ? 'skipped' : 'nothing-to-do', endedAt: at, failure: null }
    case 'step-verified':
      return { ...step, verify: body.answer, state: stateAfterVerify(step, body.answer) }
    case 'fact': {
      const { fact, subject, announces, values } = body
      return { ...step, facts: appendFact(step.facts, { at, fact, subject, announces, values }) }
    }
    default:
      return assertNever(body, 'step event')
  }
}

/** A verify is compared with all objects, even if a later check saw fewer. */
function mergeCounted(before: readonly Counted[], now: readonly Counted[]): readonly Counted[] {
  if (now.length === 0) return before
  const known = new Map([...before, ...now].map(thing => [`${thing.kind}/${thing.id}`, thing]))
  return [...known.values()]
}

/** A repeated check after a restart does not change a completed step. Only `step-skipped` says that there is nothing to do. */
function stateAfterCheck({ state }: StepView, answer: CheckAnswer): StepView['state'] {
  if (state === 'applied' || state === 'verified' || state === 'skipped' || state === 'nothing-to-do') return state
  return answer.kind === 'blocked' ? 'blocked' : 'ready'
}

/** A failed verify is reported, but a step that the operator skipped stays skipped. */
function stateAfterVerify({ state }: StepView, answer: VerifyAnswer): StepView['state'] {
  if (state === 'skipped') return state
  switch (answer.kind) {
    case 'holds':
      return 'verified'
    case 'fails':
      return 'failed'
    case 'cannot-tell':
      return 'cannot-tell'
  }
}
