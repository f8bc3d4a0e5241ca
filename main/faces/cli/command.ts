import type { Contract } from '../../../shared/contract/index.ts'
import type { ParsedArguments } from './arguments/parsed-arguments.ts'
import type { ExitCode } from './exit-code.ts'
import type { Interruptions } from './interruptions.ts'
import type { Printer } from './printer.ts'
import type { CliProcess } from './process-io.ts'

export interface CommandContext {
  readonly args: ParsedArguments
  readonly printer: Printer
  readonly io: CliProcess
  readonly interruptions: Interruptions
  /** The application. A command without `needs: 'contract'` opens it itself, or not at all. */
  readonly contract: Contract
  /** Registers a cleanup that runs however the command ends, the newest first. */
  readonly atEnd: (close: () => Promise<void>) => void
}

/** Turns arguments into requests, and answers into lines and an exit code. */
export type Command = (context: CommandContext) => Promise<ExitCode>
