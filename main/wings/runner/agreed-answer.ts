import type { AgreedAnswer } from '../../../shared/domain/maintenance-run.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'

/** An answer that was agreed before the run, to one of its open questions. */
interface GivenAnswer {
  readonly gateId: string
  readonly choice: AgreedAnswer['choice']
  readonly reason: string
}

/**
 * The agreed answer to an open question that has none yet; null: an operator has to answer. The journal shows how often each was given, so that
 * no answer is repeated after a crash. `given`: questions that this process answered and that the journal may not show yet.
 */
export function agreedAnswer(
  { openGates, steps }: Pick<RunView, 'openGates' | 'steps'>,
  events: readonly RunEvent[],
  answers: readonly AgreedAnswer[],
  given: ReadonlySet<string>,
): GivenAnswer | null {
  const kindOf = new Map(steps.map(({ step }) => [step.id, step.kind]))
  for (const gate of openGates) {
    if (given.has(gate.gateId)) continue
    const agreed = answers.find(({ step, choice }) => step === kindOf.get(gate.stepId) && gate.choices.includes(choice))
    if (agreed === undefined) continue
    const reason = reasonOf(agreed)
    const before = events.filter(
      ({ body }) =>
        body.kind === 'gate-answered' &&
        kindOf.get(body.stepId) === agreed.step &&
        body.choice === agreed.choice &&
        body.reason === reason,
    )
    if (before.length >= agreed.atMost) continue
    return { gateId: gate.gateId, choice: agreed.choice, reason }
  }
  return null
}

function reasonOf({ reason }: AgreedAnswer): string {
  return `Agreed beforehand: ${reason}`
}
