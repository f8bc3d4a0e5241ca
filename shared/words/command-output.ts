/** What the output of a command begins with when only its last lines are kept. */
export const EARLIER_LINES_LEFT_OUT = '[lockkeeper: earlier lines are not kept]\n'

/** What stands in the output of a command where it was cut while the command wrote. */
export const LINES_MAY_MISS = '[lockkeeper: lines may be missing here]\n'

/** What the output of a command says when the shell did not start; `error`: the system's code. */
export function shellNotStartedWords(error: string | null): string {
  return `lockkeeper: the shell could not be started: ${error ?? 'no more is told'}\n`
}
