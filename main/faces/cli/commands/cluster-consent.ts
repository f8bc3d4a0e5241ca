import type { ForeignEndpoint } from '../../../../shared/contract/cluster.ts'
import type { Command, CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { confirm } from '../follow/questions.ts'
import { renderExecPlugin } from '../render/render-exec-plugin.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

/** `cluster consent`: shows the credential command of a kubeconfig and asks for consent. */
export const consentToExecPlugin: Command = async context => {
  const { args, contract, printer, io } = context
  const name = args.operand('NAME')
  const plugin = await contract.ask('cluster.exec-plugin', { name })
  if (!plugin.ok) return reportFailure(context, plugin.failure)
  const asked = await contract.ask('cluster.endpoints', { name })
  const endpoints = asked.ok ? asked.value.filter(({ agreed }) => !agreed) : []
  if (endpoints.length > 0) {
    const answer = await agreeToEndpoints(name, endpoints, context)
    if (answer !== 0) return answer
  }
  if (plugin.value === null) {
    if (!asked.ok) return reportFailure(context, asked.failure)
    if (endpoints.length === 0)
      printer.say(`The kubeconfig of ${name} runs no credential command, so no consent is needed.`)
    if (printer.json) printer.value(null)
    return 0
  }
  if (!asked.ok) {
    printer.warn(
      `Could not read the addresses that get tokens of ${name}, so you agreed to none of them: ${asked.failure.message}`,
    )
  }
  printer.say(...renderExecPlugin(name, plugin.value, printer.look))
  if (!plugin.value.consented) {
    const interactive = io.canAsk && printer.channel.isTTY
    if (!interactive && !args.isSet('yes'))
      return reportUsage(context, 'There is no terminal to ask. Give --yes to agree to the command above.')
    if (
      !args.isSet('yes') &&
      !(await confirm('Run this command from now on?', context, new AbortController().signal))
    ) {
      printer.say('You did not agree. Lockkeeper does not run the command.')
      return 4
    }
    const consented = await contract.ask('cluster.consent', { name, fingerprint: plugin.value.fingerprint })
    if (!consented.ok) return reportFailure(context, consented.failure)
  }
  printer.say('Agreed: Lockkeeper runs this command when it needs credentials. If the command changes, it asks again.')
  if (printer.json) printer.value({ ...plugin.value, consented: true })
  return 0
}

/** Shows services on other hosts than Keystone's, which would get tokens, and asks for consent; 0: agreed. */
async function agreeToEndpoints(
  name: string,
  endpoints: readonly ForeignEndpoint[],
  context: CommandContext,
): Promise<ExitCode> {
  const { args, contract, printer, io } = context
  printer.say(
    `The catalogue of ${name} has services on other hosts than Keystone, or without its encryption. Such a host can act as you with your token:`,
    ...endpoints.map(({ service, origin, keystone }) => `  ${service} at ${origin} (Keystone: ${keystone})`),
  )
  if (!args.isSet('yes')) {
    if (!(io.canAsk && printer.channel.isTTY))
      return reportUsage(context, 'There is no terminal to ask. Give --yes to agree to the addresses above.')
    if (!(await confirm('Send tokens there from now on?', context, new AbortController().signal))) {
      printer.say('You did not agree. Lockkeeper sends no token there.')
      return 4
    }
  }
  const shown = endpoints.map(({ service, origin, keystone }) => ({ service, origin, keystone }))
  const agreed = await contract.ask('cluster.agree-to-endpoints', { name, endpoints: shown })
  if (!agreed.ok) return reportFailure(context, agreed.failure)
  printer.say('Agreed: Lockkeeper sends tokens there. It asks again for any other address.')
  return 0
}
