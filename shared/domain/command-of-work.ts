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

/** The command that does the work on a node, or starts the update of an application, as the facts of its step tell: what was seen last. */
export interface CommandOfWork {
  /** Under which it is kept on the machine that was to start it. */
  readonly name: string
  readonly attempt: number
  readonly machine: string
  /** The application whose update it starts; null: it works on a node. */
  readonly application: string | null
  /** Its process group; null: no fact tells. */
  readonly group: number | null
  /** `asked`: it was to be started, and whether it was no fact tells. `unseen`: it is gone, and nobody saw how it ended. */
  readonly state: 'asked' | 'runs' | 'called-off' | 'failed' | 'unseen' | 'done'
  /** Whether somebody said since its end that it is to be run again. */
  readonly isToBeRunAgain: boolean
}

/** The last command that a step was to start; null: none was yet. */
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

/** Whether a command was to be started and no end of it was seen: it may be under way. */
export function mayBeUnderWay(command: CommandOfWork | null): command is CommandOfWork {
  return command !== null && (command.state === 'asked' || command.state === 'runs')
}

/** A command that an early end of a run leaves under way. `hasBegun`: it was seen to begin. */
export interface CommandLeft extends Pick<CommandOfWork, 'application' | 'machine' | 'group'> {
  readonly code: 'CommandUnseen'
  readonly hasBegun: boolean
}

/** What an early end of a run leaves under way of the work of a step; none: nothing of it may be. */
export function commandLeft(step: Pick<StepView, 'facts'>): readonly CommandLeft[] {
  const command = commandOfWork(step.facts)
  if (!mayBeUnderWay(command)) return []
  const { application, state, machine, group } = command
  return [{ code: 'CommandUnseen', application, hasBegun: state !== 'asked', machine, group }]
}
