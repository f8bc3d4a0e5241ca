import type { Command } from '../command.ts'
import { confirm } from '../follow/questions.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

export const removeCluster: Command = async context => {
  const { args, contract, printer, io } = context
  const name = args.operand('NAME')
  const interactive = io.canAsk && printer.channel.isTTY
  if (!interactive && !args.isSet('yes')) {
    return reportUsage(context, 'There is no terminal to ask. Give --yes to remove the cloud without a question.')
  }
  const question = `Remove cloud ${name}? Its kubeconfig, clouds.yaml and runs stay.`
  if (!args.isSet('yes') && !(await confirm(question, context, new AbortController().signal))) {
    printer.say('Nothing was removed.')
    return 4
  }
  const removed = await contract.ask('cluster.remove', { name })
  if (!removed.ok) return reportFailure(context, removed.failure)
  printer.say(`Removed cloud ${name}.`)
  if (printer.json) printer.value({ removed: name })
  return 0
}
