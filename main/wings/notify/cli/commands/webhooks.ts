import { signalsOf } from '../../../../../shared/domain/signals.ts'
import { testedWords } from '../../../../../shared/words/signals.ts'
import { clusterNamed } from '../../../../faces/cli/cluster-named.ts'
import type { Command } from '../../../../faces/cli/command.ts'
import { confirm } from '../../../../faces/cli/follow/questions.ts'
import { reportFailure, reportUsage } from '../../../../faces/cli/report-failure.ts'
import { renderWebhooks } from '../render/render-webhooks.ts'

/** `cluster webhook list`: shows hosts, never addresses and keys. */
export const listWebhooks: Command = async context => {
  const { args, printer } = context
  const name = args.operand('CLUSTER')
  const cluster = await clusterNamed(name, context)
  if (!cluster.ok) return reportFailure(context, cluster.failure)
  const { webhooks } = signalsOf(cluster.value)
  if (printer.json) printer.value(webhooks)
  else printer.say(...renderWebhooks(webhooks, printer.look))
  return 0
}

export const testWebhook: Command = async context => {
  const { args, contract, printer } = context
  const [cluster, name] = [args.operand('CLUSTER'), args.operand('WEBHOOK')]
  const tested = await contract.ask('webhook.test', { cluster, name })
  if (!tested.ok) return reportFailure(context, tested.failure)
  const { arrived } = tested.value
  if (printer.json) printer.value(tested.value)
  else printer.say(testedWords(`webhook ${name}`, tested.value))
  return arrived ? 0 : 1
}

export const removeWebhook: Command = async context => {
  const { args, contract, printer, io } = context
  const [cluster, name] = [args.operand('CLUSTER'), args.operand('WEBHOOK')]
  const interactive = io.canAsk && printer.channel.isTTY
  if (!interactive && !args.isSet('yes')) {
    return reportUsage(context, 'There is no terminal to ask. Give --yes to remove it without a question.')
  }
  const question = `Remove webhook ${name} of ${cluster} with its address and key?`
  if (!args.isSet('yes') && !(await confirm(question, context, new AbortController().signal))) {
    printer.say('Nothing was removed.')
    return 4
  }
  const removed = await contract.ask('webhook.remove', { cluster, name })
  if (!removed.ok) return reportFailure(context, removed.failure)
  printer.say(`Removed webhook ${name} of ${cluster} with its address and key.`)
  if (printer.json) printer.value({ removed: name })
  return 0
}
