import type { Command } from '../command.ts'
import { confirm } from '../follow/questions.ts'
import { renderExecPlugin } from '../render/render-exec-plugin.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

/** `cluster consent`: shows the credential command of a kubeconfig and agrees to it. */
export const consentToExecPlugin: Command = async context => {
  const { args, contract, printer, surroundings } = context
  const name = args.operand('NAME')
  const plugin = await contract.ask('cluster.exec-plugin', { name })
  if (!plugin.ok) return reportFailure(context, plugin.failure)
  if (plugin.value === null) {
    printer.say(`The kubeconfig of ${name} runs no command for credentials; there is nothing to agree to.`)
    if (printer.json) printer.value(null)
    return 0
  }
  printer.say(...renderExecPlugin(name, plugin.value, printer.look))
  if (!plugin.value.consented) {
    const interactive = surroundings.canAsk && printer.channel.isTTY
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
