import type { CommandSpec } from '../../../../main/faces/cli/arguments/argument-specs.ts'
import type { Parts } from '../../../../main/faces/cli/command.ts'

export const mailCommands: readonly CommandSpec[] = []
export const signalCommands: readonly CommandSpec[] = []
export const mailsPart: Parts['mails'] = null
