import { failed } from '../../../shared/domain/result.ts'
import type { CommandOutline, CommandSpec } from '../../faces/cli/arguments/argument-specs.ts'
import { clusterCommands } from '../../faces/cli/arguments/cluster-commands.ts'
import { controllerCommands } from '../../faces/cli/arguments/controller-commands.ts'
import { definitionCommands } from '../../faces/cli/arguments/definition-commands.ts'
import { demoCommands } from '../../faces/cli/arguments/demo-commands.ts'
import { doctorCommands } from '../../faces/cli/arguments/doctor-commands.ts'
import { historyCommands } from '../../faces/cli/arguments/history-commands.ts'
import { journalCommands } from '../../faces/cli/arguments/journal-commands.ts'
import { maintenanceCommands } from '../../faces/cli/arguments/maintenance-commands.ts'
import { modeCommands } from '../../faces/cli/arguments/mode-commands.ts'
import { objectCommands } from '../../faces/cli/arguments/object-commands.ts'
import { reportCommands } from '../../faces/cli/arguments/report-commands.ts'
import { runAnswerCommands, runCommands } from '../../faces/cli/arguments/run-commands.ts'
import { serveCommands } from '../../faces/cli/arguments/serve-commands.ts'
import { updateCommands } from '../../faces/cli/arguments/update-commands.ts'
import { windowBatchesCommands } from '../../faces/cli/arguments/window-batches-commands.ts'
import { windowCommands } from '../../faces/cli/arguments/window-commands.ts'
import { windowEstimateCommands } from '../../faces/cli/arguments/window-estimate-commands.ts'
import type { Terminal } from '../../faces/cli/terminal.ts'
import { mailCommands, mailsPart, signalCommands } from '../../wings/notify/cli/door.ts'
import {
  campaignCommands,
  handOverCommands,
  type RunRunner,
  runnerCommands,
  runnerFlags,
  runnerRunCommands,
  runnersPart,
} from '../../wings/runner/cli/door.ts'

/** The commands of the core and of its wings, and what they ask of each other. */
export function terminalOf(runRunner: RunRunner): Terminal {
  return { commands: commandsOf(runRunner), parts: { runners: runnersPart, mails: mailsPart } }
}

function commandsOf(runRunner: RunRunner): readonly CommandSpec[] {
  return [
    ...maintenanceCommands.map(withFlags),
    ...modeCommands,
    ...runCommands,
    ...handOverCommands,
    ...runAnswerCommands,
    ...updateCommands.map(withFlags),
    ...windowCommands.map(withFlags),
    ...windowBatchesCommands,
    ...windowEstimateCommands,
    ...mailCommands,
    ...reportCommands,
    ...historyCommands,
    ...journalCommands,
    ...clusterCommands,
    ...signalCommands,
    ...objectCommands.map(withFlags),
    ...definitionCommands,
    ...controllerCommands,
    ...runnerRunCommands(runRunner),
    ...runnerCommands,
    ...campaignCommands,
    ...doctorCommands,
    ...serveCommands,
    ...demoCommands,
  ]
}

/** Puts the flags and examples of the wings into a command of the core. */
function withFlags(command: CommandOutline): CommandSpec {
  return {
    ...command,
    flags: command.flags.flatMap(flag => ('slot' in flag ? runnerFlags[flag.slot].flags : [flag])),
    examples: command.examples.flatMap(each => (typeof each === 'string' ? [each] : runnerFlags[each.slot].examples)),
  }
}

/** Every command, in the order of the help, for those who read about commands and start none. */
export const commandTable: readonly CommandSpec[] = commandsOf(async () =>
  failed((await import('../../faces/cli/left-out.ts')).leftOut('runners')),
)
