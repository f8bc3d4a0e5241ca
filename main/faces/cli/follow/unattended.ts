import { failure } from '../../../../shared/domain/failure.ts'
import type { GateChoice } from '../../../../shared/domain/gate-choice.ts'
import type { PlannedStep } from '../../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { OpenGate, RunView } from '../../../../shared/domain/run.ts'
import { choicesOfKind, safeAnswer } from '../../../../shared/domain/unattended.ts'
import { SAFE_WORDS } from '../../../../shared/words/planned-questions.ts'

/** Answers to questions of a run that nobody watches. */
export interface Unattended {
  /** The answer and its reason for the journal; null if the operator must answer. */
  answerTo(gate: OpenGate, view: RunView): { readonly choice: GateChoice; readonly reason: string } | null
}

/** No answers were given in advance. */
export const NOTHING_SAID: Unattended = { answerTo: () => null }

/** Limit of automatic answers per step; after that the operator must answer. */
const ANSWERS_A_STEP = 3

/**
 * The answers of `--answer KIND=CHOICE`, and with `--yes` the safe answers: those that wait longer or change nothing. Fails, listing the
 * possible answers, when the plan has no step of a kind or the step does not take the choice.
 */
export function unattendedAnswers(
  given: readonly string[],
  steps: readonly PlannedStep[],
  yes: boolean,
): Result<Unattended> {
  const kinds = [...new Set(steps.map(({ kind }) => kind))]
  const said = new Map<string, GateChoice>()
  for (const word of given) {
    const at = word.indexOf('=')
    const kind = at < 0 ? word : word.slice(0, at)
    const typed = at < 0 ? '' : word.slice(at + 1)
    if (!kinds.includes(kind)) {
      return refused(`--answer ${word}: this plan has no step ${kind}.`, steps)
    }
    const choice = choicesOfKind(kind, steps).find(each => each === typed)
    if (choice === undefined) {
      return refused(`--answer ${word}: ${kind} takes ${choicesOfKind(kind, steps).join(' or ')}.`, steps)
    }
    if (said.has(kind)) return refused(`--answer was given twice for ${kind}.`, steps)
    said.set(kind, choice)
  }
  const times = new Map<string, number>()
  return ok({
    answerTo: (gate, view) => {
      const kind = view.steps.find(({ step }) => step.id === gate.stepId)?.step.kind
      const asked = times.get(gate.stepId) ?? 0
      if (kind === undefined || asked >= ANSWERS_A_STEP) return null
      const answer = answerOf(kind, gate.choices, said.get(kind) ?? null, yes)
      if (answer !== null) times.set(gate.stepId, asked + 1)
      return answer
    },
  })
}

function answerOf(kind: string, offered: readonly GateChoice[], said: GateChoice | null, yes: boolean) {
  // An answer given in advance that does not fit is not replaced by a safe one.
  if (said !== null) return offered.includes(said) ? { choice: said, reason: `--answer ${kind}=${said}` } : null
  const safe = yes ? safeAnswer(kind, offered) : null
  return safe === null ? null : { choice: safe.choice, reason: `--yes: ${SAFE_WORDS[safe.why]}` }
}

function refused(message: string, steps: readonly PlannedStep[]) {
  const kinds = [...new Set(steps.map(({ kind }) => kind))]
  const all = kinds.map(kind => `${kind}=${choicesOfKind(kind, steps).join('|')}`).join(', ')
  return failed(failure('bad-input', `${message} Nothing changed. Possible answers here: ${all}.`))
}
