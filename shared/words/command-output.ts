/** The first line of the output of a command of which only the last lines are kept. */
export const EARLIER_LINES_LEFT_OUT = '[lockkeeper: earlier lines are not kept]\n'

/** The line where the output of a command was cut while the command wrote. */
export const LINES_MAY_MISS = '[lockkeeper: lines may be missing here]\n'

/** The output of a command whose shell did not start; `error`: the system's code. */
export function shellNotStartedWords(error: string | null): string {
  return `lockkeeper: the shell could not start: ${error ?? 'unknown reason'}\n`
}
