import type { ForeignEndpoint } from '../../../../shared/contract/cluster.ts'
import type { Command, CommandContext } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { confirm } from '../follow/questions.ts'
import { renderExecPlugin } from '../render/render-exec-plugin.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

/** `cluster consent`: shows the credential command of a kubeconfig and agrees to it. */
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
      printer.say(`The kubeconfig of ${name} runs no command for credentials; there is nothing to agree to.`)
    if (printer.json) printer.value(null)
    return 0
  }
  if (!asked.ok) {
    printer.warn(
      `To which addresses the cloud of ${name} sends tokens could not be looked at, and nothing is agreed about them: ${asked.failure.message}`,
    )
  }
  printer.say(...renderExecPlugin(name, plugin.value, printer.look))
  if (!plugin.value.consented) {
    const interactive = io.canAsk && printer.channel.isTTY
    if (!interactive && !args.isSet('yes'))
      return reportUsage(context, 'There is no terminal to agree at. Give --yes to agree to the command above.')
    if (
      !args.isSet('yes') &&
      !(await confirm('Run this command from now on?', context, new AbortController().signal))
    ) {
      printer.say('Not agreed. The command will not be run.')
      return 4
    }
    const consented = await contract.ask('cluster.consent', { name, fingerprint: plugin.value.fingerprint })
    if (!consented.ok) return reportFailure(context, consented.failure)
  }
  printer.say('Agreed: Lockkeeper runs this command when it needs credentials. Any change to it asks again.')
  if (printer.json) printer.value({ ...plugin.value, consented: true })
  return 0
}

/** Shows where a token would go beside Keystone's own host, and agrees to it. 0 when it was agreed to. */
async function agreeToEndpoints(
  name: string,
  endpoints: readonly ForeignEndpoint[],
  context: CommandContext,
): Promise<ExitCode> {
  const { args, contract, printer, io } = context
  printer.say(
    `The catalogue of ${name} has services on another host than Keystone, or without its encryption. A token lets whoever is there act as you:`,
    ...endpoints.map(({ service, origin, keystone }) => `  ${service} at ${origin} (Keystone: ${keystone})`),
  )
  if (!args.isSet('yes')) {
    if (!(io.canAsk && printer.channel.isTTY))
      return reportUsage(context, 'There is no terminal to agree at. Give --yes to agree to the addresses above.')
    if (!(await confirm('Send tokens there from now on?', context, new AbortController().signal))) {
      printer.say('Not agreed. No token goes there.')
      return 4
    }
  }
  const shown = endpoints.map(({ service, origin, keystone }) => ({ service, origin, keystone }))
  const agreed = await contract.ask('cluster.agree-to-endpoints', { name, endpoints: shown })
  if (!agreed.ok) return reportFailure(context, agreed.failure)
  printer.say('Agreed: tokens go there. Any other address asks again.')
  return 0
}
