import { DEFAULT_INSTANCE_MATCHERS, DEFAULT_NODE_MATCHERS, signalsOf } from '../../../../../shared/domain/signals.ts'
import { shellWord } from '../../../../../shared/grammar/shell-word.ts'
import { clusterNamed } from '../../../../faces/cli/cluster-named.ts'
import type { Command } from '../../../../faces/cli/command.ts'
import { reportFailure } from '../../../../faces/cli/report-failure.ts'
import { endpointFlags } from '../endpoint-flags.ts'

/** `cluster alertmanager set`: settings that are not given stay. */
export const setAlertmanager: Command = async context => {
  const { args, contract, printer } = context
  const name = args.operand('CLUSTER')
  const cluster = await clusterNamed(name, context)
  if (!cluster.ok) return reportFailure(context, cluster.failure)
  const earlier = signalsOf(cluster.value).alertmanager
  const given = await endpointFlags(earlier?.endpoint ?? null, context)
  if (!given.ok) return reportFailure(context, given.failure)
  const { endpoint, secret } = given.value
  const nodes = args.texts('node-matcher')
  const instances = args.texts('instance-matcher')
  const settings = {
    endpoint,
    nodeMatchers: [...(nodes.length > 0 ? nodes : (earlier?.nodeMatchers ?? DEFAULT_NODE_MATCHERS))],
    instanceMatchers:
      instances.length > 0
        ? instances.filter(text => text !== 'none')
        : [...(earlier?.instanceMatchers ?? DEFAULT_INSTANCE_MATCHERS)],
  }
  const kept = await contract.ask('alertmanager.keep', { cluster: name, settings, secret })
  if (!kept.ok) return reportFailure(context, kept.failure)
  const { alertmanager } = signalsOf(kept.value)
  if (printer.json) printer.value(alertmanager)
  else {
    printer.say(
      `While a run works on a node of ${name}, Alertmanager at ${new URL(endpoint.url).host} silences:`,
      ...[...settings.nodeMatchers, ...settings.instanceMatchers].map(text => `  ${text}`),
      `Try it: \`lockkeeper cluster alertmanager test ${shellWord(name)}\``,
    )
  }
  return 0
}

export const testAlertmanager: Command = async context => {
  const { args, contract, printer } = context
  const tested = await contract.ask('alertmanager.test', { cluster: args.operand('CLUSTER') })
  if (!tested.ok) return reportFailure(context, tested.failure)
  if (printer.json) printer.value(tested.value)
  else printer.say(`Alertmanager ${tested.value.version} answers.`)
  return 0
}

export const removeAlertmanager: Command = async context => {
  const { args, contract, printer } = context
  const name = args.operand('CLUSTER')
  const kept = await contract.ask('alertmanager.keep', { cluster: name, settings: null, secret: null })
  if (!kept.ok) return reportFailure(context, kept.failure)
  if (printer.json) printer.value({ removed: 'alertmanager' })
  else printer.say(`Removed the silence settings of ${name}. Active silences expire within ten minutes.`)
  return 0
}
