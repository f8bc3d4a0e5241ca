import type { DefinitionStatus } from '../../../../shared/domain/maintenance-api.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { confirm } from '../follow/questions.ts'
import { renderDefinitions } from '../render/render-definitions.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

export const diffDefinitions: Command = async context => {
  const { args, contract } = context
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const found = await contract.ask('definitions.status', { cluster })
  if (!found.ok) return reportFailure(context, found.failure)
  printDefinitions(context, found.value)
  return missingOf(found.value).length === 0 ? 0 : 3
}

export const installDefinitions: Command = async context => {
  const { args, contract, printer, io } = context
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const before = await contract.ask('definitions.status', { cluster })
  if (!before.ok) return reportFailure(context, before.failure)
  const missing = missingOf(before.value)
  if (missing.length === 0) {
    printer.say(`Nothing to install: ${cluster} has all six CRDs.`)
    printDefinitions(context, before.value)
    return 0
  }
  if (!args.isSet('yes')) {
    if (!io.canAsk || !printer.channel.isTTY) {
      return reportUsage(context, 'There is no terminal to ask. Give --yes to install without a question.')
    }
    const question = `Install ${missing.map(({ name }) => name).join(', ')} on ${cluster}?`
    if (!(await confirm(question, context, new AbortController().signal))) {
      printer.say('Nothing was installed.')
      return 4
    }
  }
  const after = await contract.ask('definitions.install', { cluster })
  if (!after.ok) return reportFailure(context, after.failure)
  printer.say(`Installed: ${missing.map(({ name }) => name).join(', ')}.`)
  printDefinitions(context, after.value)
  return 0
}

function missingOf(definitions: readonly DefinitionStatus[]): readonly DefinitionStatus[] {
  return definitions.filter(({ state }) => state === 'missing')
}

function printDefinitions({ printer }: CommandContext, definitions: readonly DefinitionStatus[]): void {
  if (printer.json) printer.value(definitions)
  else printer.say(...renderDefinitions(definitions, printer.look))
}
