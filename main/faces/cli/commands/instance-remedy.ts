import type { InstanceRemedy } from '../../../../shared/domain/instance-remedy.ts'
import { REMEDY_WORDS } from '../../../../shared/words/instance-remedies.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import type { ExitCode } from '../exit-code.ts'
import { findInstances } from '../find-instances.ts'
import { confirm } from '../follow/questions.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

export const resetInstance: Command = context => remedy('reset-state', context)
export const stopInstance: Command = context => remedy('stop', context)

/** Changes exactly the instance that was shown, after a confirmation. */
async function remedy(what: InstanceRemedy, context: CommandContext): Promise<ExitCode> {
  const { args, contract, printer, io } = context
  const cluster = args.operand('CLUSTER')
  const { label, cost, effect } = REMEDY_WORDS[what]
  const canAsk = io.canAsk && printer.channel.isTTY
  if (!canAsk && !args.isSet('yes'))
    return reportUsage(context, 'There is no terminal to ask. Give --yes to change it without a question.')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const listed = await contract.ask('instance.list', { cluster, node: null })
  if (!listed.ok) return reportFailure(context, listed.failure)
  const found = findInstances([args.operand('INSTANCE')], listed.value, cluster)
  if (!found.ok) return reportFailure(context, found.failure)
  const [named] = found.value
  const instance = listed.value.instances.find(({ id }) => id === named?.id)
  if (named === undefined || instance === undefined)
    return reportUsage(
      context,
      `${cluster} does not list ${args.operand('INSTANCE')}. \`instances ${cluster}\` lists them.`,
    )
  const { id, name, host, status, taskState } = instance
  printer.say(`${named.words}: ${taskState ?? status} on ${host ?? 'no node'}.`, `${cost}. ${effect(name)}`)
  if (!args.isSet('yes') && !(await confirm(`${label}?`, context, new AbortController().signal))) {
    printer.say('Nothing was changed.')
    return 4
  }
  const seen = { host, status, taskState }
  const answer = await contract.ask('instance.remedy', {
    ...{ cluster, id, remedy: what, seen, reason: args.text('reason') ?? '' },
  })
  if (!answer.ok) return reportFailure(context, answer.failure)
  const { done, status: now } = answer.value
  printer.say(done ? `${name} is ${now} now.` : `Nova still works on ${name}. Check it with \`instances ${cluster}\`.`)
  if (printer.json) printer.value(answer.value)
  return done ? 0 : 4
}
