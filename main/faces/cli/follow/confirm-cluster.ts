import { shellWord } from '../../../../shared/grammar/shell-word.ts'
import type { CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { reportUsage } from '../report-failure.ts'
import { askLine, confirm } from './questions.ts'

/** Asks for a confirmation; null if it is refused; an exit code: nobody can be asked. A production cluster needs its typed name or --confirm-cluster; --yes does not replace it. */
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
      `${cluster} is a production cloud, and there is no terminal to type its name. Give --confirm-cluster ${shellWord(cluster)} with --yes.`,
    )
  }
  const typed =
    given ?? (await askLine(`${question} ${cluster} is a production cloud: type its name to continue`, context, never))
  if (typed === cluster) return { typedCluster: typed }
  printer.warn(`You did not type the name of the cloud, ${cluster}.`)
  return null
}
