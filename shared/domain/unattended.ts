import type { PlannedStep } from './plan.ts'
import type { OpenGate } from './run.ts'

/** What a question may be answered with. */
export type GateChoice = OpenGate['choices'][number]

/** A kind of step that asks although nothing went wrong, or that has an answer which is safe without anybody looking. */
interface PlannedQuestion {
  /** What it asks, as a phrase. */
  readonly asks: string
  readonly choices: readonly GateChoice[]
  /** Null: nobody but a person can answer it. Else the answers that only wait longer or touch nothing, the first that is offered is taken. */
  readonly unattended: { readonly choices: readonly GateChoice[]; readonly why: string } | null
}

/**
 * Steps that ask by plan. Whatever is not here asks when it fails or does not move any more, and has no answer that would be safe unseen: a
 * retry acts again, a skip leaves something undone.
 */
export const PLANNED_QUESTIONS: Readonly<Record<string, PlannedQuestion>> = {
  'rebalance-instances': {
    asks: 'whether instances are spread again as Watcher recommends',
    choices: ['continue', 'retry', 'skip', 'abort'],
    unattended: { choices: ['skip'], why: 'instances stay where they are' },
  },
  'ceph-clean': {
    asks: 'whether to wait on for Ceph, when it takes long to recover',
    choices: ['retry', 'skip', 'abort'],
    unattended: { choices: ['retry'], why: 'Ceph is waited for on' },
  },
  'node-work': {
    asks: 'whether the work on the node is done',
    choices: ['continue', 'retry', 'skip', 'abort'],
    unattended: null,
  },
  'pause-here': {
    asks: 'whether to go on with what is next',
    choices: ['continue', 'retry', 'skip', 'abort'],
    unattended: null,
  },
  'other-applications': {
    asks: 'whether applications that have no lock are updated',
    choices: ['continue', 'retry', 'skip', 'abort'],
    unattended: null,
  },
}

/** What any step may be answered when it fails, cannot be begun, or does not move any more. */
export const TROUBLE_CHOICES: readonly GateChoice[] = ['retry', 'skip', 'abort']

/** What may be said beforehand to the questions of a kind of step. */
export function choicesOfKind(kind: string): readonly GateChoice[] {
  return PLANNED_QUESTIONS[kind]?.choices ?? TROUBLE_CHOICES
}

/** The questions that these steps may ask by plan, each kind once, in their order. */
export function questionsOf(
  steps: readonly PlannedStep[],
): readonly { readonly kind: string; readonly question: PlannedQuestion }[] {
  return [...new Set(steps.map(({ kind }) => kind))].flatMap(kind => {
    const question = PLANNED_QUESTIONS[kind]
    return question === undefined ? [] : [{ kind, question }]
  })
}

/** The answer to a question of this kind of step that is safe although nobody looks; null: there is none. */
export function safeAnswer(
  kind: string,
  offered: readonly GateChoice[],
): { readonly choice: GateChoice; readonly why: string } | null {
  const rule = PLANNED_QUESTIONS[kind]?.unattended ?? null
  const choice = rule?.choices.find(each => offered.includes(each))
  return rule === null || choice === undefined ? null : { choice, why: rule.why }
}
