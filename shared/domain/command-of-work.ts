import type { RunFact, StepView } from './run.ts'
import {
  APPLICATION_UPDATE_STARTED,
  factName,
  factNumber,
  factText,
  NODE_WORKED,
  TRY_AGAIN,
  WORK_COMMAND_CALLED_OFF,
  WORK_COMMAND_FAILED,
  WORK_COMMAND_REQUESTED,
  WORK_COMMAND_RUNS,
  WORK_COMMAND_UNSEEN,
} from './run-facts.ts'

/** A command that works on a node or updates an application, by its last state in the facts of its step. */
export interface CommandOfWork {
  /** The machine that starts it stores it under this name. */
  readonly name: string
  readonly attempt: number
  readonly machine: string
  /** Null if it works on a node. */
  readonly application: string | null
  /** Its process group; null if no fact has it. */
  readonly group: number | null
  /** `asked`: no fact says whether the start happened. `unseen`: it ended unobserved. */
  readonly state: 'asked' | 'runs' | 'called-off' | 'failed' | 'unseen' | 'done'
  readonly isToBeRunAgain: boolean
}

/** Null if there is none yet. */
export function commandOfWork(facts: readonly RunFact[]): CommandOfWork | null {
  return facts.reduce<CommandOfWork | null>(commandAfter, null)
}

function commandAfter(before: CommandOfWork | null, fact: RunFact): CommandOfWork | null {
  const name = factText(fact, 'name') ?? ''
  switch (factName(fact)) {
    case WORK_COMMAND_REQUESTED:
      return {
        name,
        attempt: factNumber(fact, 'attempt') ?? 1,
        machine: factText(fact, 'machine') ?? '',
        application: factText(fact, 'application'),
        group: null,
        state: 'asked',
        isToBeRunAgain: false,
      }
    case WORK_COMMAND_RUNS:
      return before && { ...before, state: 'runs', group: factNumber(fact, 'group') ?? before.group }
    case WORK_COMMAND_CALLED_OFF:
      return before && { ...before, state: 'called-off' }
    case WORK_COMMAND_FAILED:
      return before && { ...before, state: 'failed' }
    case WORK_COMMAND_UNSEEN:
      return before && { ...before, state: 'unseen' }
    case NODE_WORKED:
    case APPLICATION_UPDATE_STARTED:
      return before && { ...before, state: 'done' }
    case TRY_AGAIN:
      return before && { ...before, isToBeRunAgain: before.state === 'failed' || before.state === 'unseen' }
    default:
      return before
  }
}

export function mayBeUnderWay(command: CommandOfWork | null): command is CommandOfWork {
  return command !== null && (command.state === 'asked' || command.state === 'runs')
}

/** A stopped run may leave it running. `hasBegun`: its start was observed. */
export interface CommandLeft extends Pick<CommandOfWork, 'application' | 'machine' | 'group'> {
  readonly code: 'CommandUnseen'
  readonly hasBegun: boolean
}

export function commandLeft(step: Pick<StepView, 'facts'>): readonly CommandLeft[] {
  const command = commandOfWork(step.facts)
  if (!mayBeUnderWay(command)) return []
  const { application, state, machine, group } = command
  return [{ code: 'CommandUnseen', application, hasBegun: state !== 'asked', machine, group }]
}
