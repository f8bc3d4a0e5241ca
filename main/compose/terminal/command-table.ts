import type { CommandSpec } from '../../faces/cli/arguments/argument-specs.ts'
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
import { runCommands } from '../../faces/cli/arguments/run-commands.ts'
import { serveCommands } from '../../faces/cli/arguments/serve-commands.ts'
import { updateCommands } from '../../faces/cli/arguments/update-commands.ts'
import { windowBatchesCommands } from '../../faces/cli/arguments/window-batches-commands.ts'
import { windowCommands } from '../../faces/cli/arguments/window-commands.ts'
import { windowEstimateCommands } from '../../faces/cli/arguments/window-estimate-commands.ts'
import { mailCommands } from '../../wings/notify/cli/arguments/mail-commands.ts'
import { signalCommands } from '../../wings/notify/cli/arguments/signal-commands.ts'
import { campaignCommands } from '../../wings/runner/cli/arguments/campaign-commands.ts'
import { runnerCommands } from '../../wings/runner/cli/arguments/runner-commands.ts'
import { runnerRunCommands } from '../../wings/runner/cli/arguments/runner-run-commands.ts'

/** Every command, in the order of the help. */
export const commandTable: readonly CommandSpec[] = [
  ...maintenanceCommands,
  ...modeCommands,
  ...runCommands,
  ...updateCommands,
  ...windowCommands,
  ...windowBatchesCommands,
  ...windowEstimateCommands,
  ...mailCommands,
  ...reportCommands,
  ...historyCommands,
  ...journalCommands,
  ...clusterCommands,
  ...signalCommands,
  ...objectCommands,
  ...definitionCommands,
  ...controllerCommands,
  ...runnerRunCommands,
  ...runnerCommands,
  ...campaignCommands,
  ...doctorCommands,
  ...serveCommands,
  ...demoCommands,
]
