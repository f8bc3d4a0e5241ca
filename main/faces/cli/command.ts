import type { Contract } from '../../../shared/contract/index.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'
import type { ExitCode } from './exit-code.ts'
import type { Interruptions } from './interruptions.ts'
import type { Printer } from './printer.ts'
import type { CliProcess } from './process-io.ts'

/** What every command gets. */
export interface CommandContext {
  readonly args: ParsedArguments
  readonly printer: Printer
  readonly io: CliProcess
  readonly interruptions: Interruptions
  /** The application. A command whose table entry needs nothing opens it itself, or not at all. */
  readonly contract: Contract
  /** Has something undone when the command ends, however it ends; the newest first. */
  readonly atEnd: (close: () => Promise<void>) => void
}

/** A command: translates arguments into requests and answers into lines, and says how it ended. */
export type Command = (context: CommandContext) => Promise<ExitCode>
