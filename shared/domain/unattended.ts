import { CommandWork } from './command-work.ts'
import { GateChoice } from './gate-choice.ts'
import type { PlannedStep } from './plan.ts'

export type PlannedAsk =
  | 'SpreadAgain'
  | 'UncordonOfUnknown'
  | 'MachineStillOff'
  | 'WaitOnForCeph'
  | 'WorkDone'
  | 'GoOn'
  | 'BeginDespiteGate'
  | 'ApplicationsUpdated'
  | 'CommandFailed'

export type SafeBecause = 'InstancesStay' | 'OnlyWaitsForCeph'

/** A kind of step that asks although nothing failed, or that has a safe answer without an operator. */
interface PlannedQuestion {
  readonly asks: PlannedAsk
  readonly choices: readonly GateChoice[]
  /** Null if only a person can answer. Else answers that only wait longer or change nothing; the first offered one is taken. */
  readonly unattended: { readonly choices: readonly GateChoice[]; readonly why: SafeBecause } | null
}

/** Other steps ask only on failure, and no automatic answer is safe: a retry acts again, a skip omits work. */
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
  'force-down-compute': {
    asks: 'MachineStillOff',
    // Only a person who checked the machine may continue.
    choices: ['abort'],
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

/** Only a person who checked its result may run a command again or skip it. */
const WORK_OF_A_COMMAND: PlannedQuestion = {
  asks: 'CommandFailed',
  choices: ['abort'],
  unattended: null,
}

/** The answers to any step that fails, cannot start, or gets stuck. */
export const TROUBLE_CHOICES: readonly GateChoice[] = ['retry', 'skip', 'abort']

export function choicesOfKind(kind: string, steps: readonly PlannedStep[]): readonly GateChoice[] {
  return questionsOf(steps).find(each => each.kind === kind)?.question.choices ?? TROUBLE_CHOICES
}

/** The planned questions, each kind once, in order. */
export function questionsOf(
  steps: readonly PlannedStep[],
): readonly { readonly kind: string; readonly question: PlannedQuestion }[] {
  return [...new Set(steps.map(({ kind }) => kind))].flatMap(kind => {
    const isOfCommand = steps.some(step => step.kind === kind && CommandWork.safeParse(step.input.work).success)
    const question = isOfCommand ? WORK_OF_A_COMMAND : PLANNED_QUESTIONS[kind]
    return question === undefined ? [] : [{ kind, question }]
  })
}

/** Safe without an operator; null if no answer is. */
export function safeAnswer(
  kind: string,
  offered: readonly GateChoice[],
): { readonly choice: GateChoice; readonly why: SafeBecause } | null {
  const rule = PLANNED_QUESTIONS[kind]?.unattended ?? null
  const choice = rule?.choices.find(each => offered.includes(each))
  return rule === null || choice === undefined ? null : { choice, why: rule.why }
}
