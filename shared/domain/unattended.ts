import { CommandWork } from './command-work.ts'
import { GateChoice } from './gate-choice.ts'
import type { PlannedStep } from './plan.ts'

/** What a kind of step asks by plan. */
export type PlannedAsk =
  | 'SpreadAgain'
  /** Kubernetes does not tell who cordoned the node. */
  | 'UncordonOfUnknown'
  | 'MachineStillOff'
  | 'WaitOnForCeph'
  | 'WorkDone'
  | 'GoOn'
  | 'BeginDespiteGate'
  | 'ApplicationsUpdated'
  | 'CommandFailed'

/** Why an answer is safe although nobody looks. */
export type SafeBecause = 'InstancesStay' | 'OnlyWaitsForCeph'

/** A kind of step that asks although nothing went wrong, or that has an answer which is safe without anybody looking. */
interface PlannedQuestion {
  readonly asks: PlannedAsk
  readonly choices: readonly GateChoice[]
  /** Null: nobody but a person can answer it. Else the answers that only wait longer or touch nothing, the first that is offered is taken. */
  readonly unattended: { readonly choices: readonly GateChoice[]; readonly why: SafeBecause } | null
}

/**
 * Steps that ask by plan. Whatever is not here asks when it fails or does not move any more, and has no answer that would be safe unseen: a
 * retry acts again, a skip leaves something undone.
 */
export const PLANNED_QUESTIONS: Readonly<Record<string, PlannedQuestion>> = {
  'rebalance-instances': {
    asks: 'SpreadAgain',
    choices: GateChoice.options,
    unattended: { choices: ['skip'], why: 'InstancesStay' },
  },
  'take-back-cordon': {
    asks: 'UncordonOfUnknown',
    choices: ['continue', 'skip', 'abort'],
    unattended: null,
  },
  // Nobody can say beforehand that a machine is still off.
  'force-down-compute': {
    asks: 'MachineStillOff',
    choices: ['retry', 'skip', 'abort'],
    unattended: null,
  },
  'ceph-clean': {
    asks: 'WaitOnForCeph',
    choices: ['retry', 'skip', 'abort'],
    unattended: { choices: ['retry'], why: 'OnlyWaitsForCeph' },
  },
  'node-work': {
    asks: 'WorkDone',
    choices: ['continue', 'abort'],
    unattended: null,
  },
  'pause-here': {
    asks: 'GoOn',
    choices: ['continue', 'abort'],
    unattended: null,
  },
  'health-gates': {
    asks: 'BeginDespiteGate',
    choices: GateChoice.options,
    unattended: null,
  },
  'other-applications': {
    asks: 'ApplicationsUpdated',
    choices: ['continue', 'retry', 'abort'],
    unattended: null,
  },
}

/** The work on a node where a command does it: it is run again, or passed, by a person who looked what became of it, never by what was said beforehand. */
const WORK_OF_A_COMMAND: PlannedQuestion = {
  asks: 'CommandFailed',
  choices: ['abort'],
  unattended: null,
}

/** What any step may be answered when it fails, cannot be begun, or does not move any more. */
export const TROUBLE_CHOICES: readonly GateChoice[] = ['retry', 'skip', 'abort']

/** What may be said beforehand to the questions of a kind of step of a plan. */
export function choicesOfKind(kind: string, steps: readonly PlannedStep[]): readonly GateChoice[] {
  return questionsOf(steps).find(each => each.kind === kind)?.question.choices ?? TROUBLE_CHOICES
}

/** The questions that these steps may ask by plan, each kind once, in their order. */
export function questionsOf(
  steps: readonly PlannedStep[],
): readonly { readonly kind: string; readonly question: PlannedQuestion }[] {
  return [...new Set(steps.map(({ kind }) => kind))].flatMap(kind => {
    const isOfCommand = steps.some(step => step.kind === kind && CommandWork.safeParse(step.input.work).success)
    const question = isOfCommand ? WORK_OF_A_COMMAND : PLANNED_QUESTIONS[kind]
    return question === undefined ? [] : [{ kind, question }]
  })
}

/** The answer to a question of this kind of step that is safe although nobody looks; null: there is none. */
export function safeAnswer(
  kind: string,
  offered: readonly GateChoice[],
): { readonly choice: GateChoice; readonly why: SafeBecause } | null {
  const rule = PLANNED_QUESTIONS[kind]?.unattended ?? null
  const choice = rule?.choices.find(each => offered.includes(each))
  return rule === null || choice === undefined ? null : { choice, why: rule.why }
}
