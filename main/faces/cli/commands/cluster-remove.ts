import type { Command } from '../command.ts'
import { confirm } from '../follow/questions.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

/** `cluster remove`: forgets a cluster, after a confirmation. */
export const removeCluster: Command = async context => {
  const { args, contract, printer, io } = context
  const name = args.operand('NAME')
  const interactive = io.canAsk && printer.channel.isTTY
  if (!interactive && !args.isSet('yes')) {
    return reportUsage(
      context,
      'There is no terminal to confirm at. Give --yes to remove the cluster without a question.',
    )
  }
  const question = `Forget cluster ${name}? Its kubeconfig, clouds.yaml and runs stay where they are.`
  if (!args.isSet('yes') && !(await confirm(question, context, new AbortController().signal))) {
    printer.say('Nothing was removed.')
    return 4
  }
  const removed = await contract.ask('cluster.remove', { name })
  if (!removed.ok) return reportFailure(context, removed.failure)
  printer.say(`Cluster ${name} is forgotten.`)
  if (printer.json) printer.value({ removed: name })
  return 0
}
