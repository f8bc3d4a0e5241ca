import type { Failure } from '../../../shared/domain/failure.ts'
import type { CommandContext } from './command.ts'
import { type ExitCode, exitOfFailure } from './exit-code.ts'
import { renderFailure } from './render/render-failure.ts'

/** Prints a failure: text on standard error, `{"failure": ...}` for scripts. Returns the exit code. */
export function reportFailure({ printer }: Pick<CommandContext, 'printer'>, failure: Failure): ExitCode {
  printer.warn(...renderFailure(failure, printer.warningLook, printer.verbose))
  if (printer.json) printer.value({ failure })
  return exitOfFailure(failure)
}

/** Prints a usage error that the table of arguments cannot detect. Returns the exit code. */
export function reportUsage({ printer }: Pick<CommandContext, 'printer'>, message: string): ExitCode {
  printer.warn(message)
  return 2
}
