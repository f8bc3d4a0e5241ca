import type { Failure } from '../../../shared/domain/failure.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { shellWord } from '../../../shared/grammar/shell-word.ts'
import type { CommandContext } from './command.ts'
import { confirm } from './follow/questions.ts'
import { renderExecPlugin } from './render/render-exec-plugin.ts'
import { renderWarning } from './render/render-failure.ts'

/** Opens the session of a cluster: first asks for consent to a new credential command, then shows warnings. Null if the cluster can be used. */
export async function connectCluster(name: string, context: CommandContext): Promise<Failure | null> {
  const { contract, printer } = context
  const refused = await consentIfNeeded(name, context)
  if (refused !== null) return refused
  const connected = await contract.ask('cluster.connect', { name })
  if (!connected.ok) return connected.failure
  const { warnings } = connected.value
  for (const warning of warnings) printer.warn(...renderWarning(`${name}: ${warning.message}`, printer.warningLook))
  // An OpenStack that does not answer is reported by each request that needs it, so not here too.
  return null
}

/** Shows a credential command without consent and asks; null if the operator agreed, or there is no command. */
export async function consentIfNeeded(name: string, context: CommandContext): Promise<Failure | null> {
  const { contract, printer, io } = context
  const plugin = await contract.ask('cluster.exec-plugin', { name })
  if (!plugin.ok) return plugin.failure
  if (plugin.value === null || plugin.value.consented) return null
  printer.warn(...renderExecPlugin(name, plugin.value, printer.warningLook))
  const command = `\`lockkeeper cluster consent ${shellWord(name)}\``
  if (!io.canAsk || !printer.channel.isTTY) {
    return failure(
      'not-consented',
      `You have not agreed to this command yet, and there is no terminal to ask. Check it, then agree once: ${command} (without a terminal add --yes).`,
      { target: `cluster/${name}` },
    )
  }
  const agreed = await confirm('Run this command now and from now on?', context, new AbortController().signal)
  if (!agreed) {
    return failure(
      'not-consented',
      `Without that command there are no credentials for ${name}. Nothing was run. Agree later: ${command}`,
      {
        target: `cluster/${name}`,
      },
    )
  }
  const consented = await contract.ask('cluster.consent', { name, fingerprint: plugin.value.fingerprint })
  return consented.ok ? null : consented.failure
}
