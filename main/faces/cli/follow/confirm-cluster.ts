import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import type { CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { reportUsage } from '../report-failure.ts'
import { askLine, confirm } from './questions.ts'

/**
 * Has something on a cluster confirmed; null: it was not; an exit code: it cannot be asked. Of a production cluster the name is typed instead of a yes: at
 * the terminal, or by a script that knows where it is. --yes does not stand for it.
 */
export async function confirmOnCluster(
  cluster: string,
  question: string,
  { yes, production }: { readonly yes: boolean; readonly production: boolean },
  context: CommandContext,
): Promise<{ readonly typedCluster?: string } | ExitCode | null> {
  const { args, io, printer } = context
  const never = new AbortController().signal
  if (!production) return yes || (await confirm(question, context, never)) ? {} : null
  const given = args.text('confirm-cluster')
  if (given === null && !(io.canAsk && printer.channel.isTTY)) {
    return reportUsage(
      context,
      `${cluster} is a production cluster, and there is no terminal to type its name at. Give --confirm-cluster ${shellWord(cluster)} beside --yes.`,
    )
  }
  const typed =
    given ?? (await askLine(`${question} ${cluster} is a production cluster: type its name to go on`, context, never))
  if (typed === cluster) return { typedCluster: typed }
  printer.warn(`The name of the cluster is ${cluster}: something else was typed.`)
  return null
}
