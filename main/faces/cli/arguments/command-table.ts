import type { CommandSpec } from './argument-specs.ts'
import { campaignCommands } from './campaign-commands.ts'
import { clusterCommands } from './cluster-commands.ts'
import { controllerCommands } from './controller-commands.ts'
import { definitionCommands } from './definition-commands.ts'
import { demoCommands } from './demo-commands.ts'
import { doctorCommands } from './doctor-commands.ts'
import { historyCommands } from './history-commands.ts'
import { journalCommands } from './journal-commands.ts'
import { mailCommands } from './mail-commands.ts'
import { maintenanceCommands } from './maintenance-commands.ts'
import { modeCommands } from './mode-commands.ts'
import { objectCommands } from './object-commands.ts'
import { reportCommands } from './report-commands.ts'
import { runCommands } from './run-commands.ts'
import { runnerCommands } from './runner-commands.ts'
import { runnerRunCommands } from './runner-run-commands.ts'
import { serveCommands } from './serve-commands.ts'
import { signalCommands } from './signal-commands.ts'
import { updateCommands } from './update-commands.ts'
import { windowBatchesCommands } from './window-batches-commands.ts'
import { windowCommands } from './window-commands.ts'
import { windowEstimateCommands } from './window-estimate-commands.ts'

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
