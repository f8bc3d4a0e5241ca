import type { Failure } from '../../../shared/domain/failure.ts'
import { failure } from '../../../shared/domain/failure.ts'
import { shellWord } from '../../../shared/grammar/shell-word.ts'
import type { CommandContext } from './command.ts'
import { confirm } from './follow/questions.ts'
import { renderExecPlugin } from './render/render-exec-plugin.ts'
import { renderWarning } from './render/render-failure.ts'

/**
 * Before a cluster is talked to: asks for consent to a credential command that was never run, opens the session, and shows what is
 * unsafe about it. Null when the cluster may be used.
 */
export async function connectCluster(name: string, context: CommandContext): Promise<Failure | null> {
  const { contract, printer } = context
  const refused = await consentIfNeeded(name, context)
  if (refused !== null) return refused
  const connected = await contract.ask('cluster.connect', { name })
  if (!connected.ok) return connected.failure
  const { warnings, openstack } = connected.value
  for (const warning of warnings) printer.warn(...renderWarning(`${name}: ${warning.message}`, printer.warningLook))
  if (typeof openstack === 'object') {
    printer.warn(...renderWarning(`OpenStack of ${name} cannot be asked: ${openstack.message}`, printer.warningLook))
  }
  return null
}

/** Shows a credential command and asks, when it was never agreed to; null when nothing stands in the way. */
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
      `Nobody ever agreed to this command, and there is no terminal to ask at. Look at it, then agree once: ${command} (with --yes where there is no terminal).`,
      { target: `cluster/${name}` },
    )
  }
  const agreed = await confirm('Run this command now and from now on?', context, new AbortController().signal)
  if (!agreed) {
    return failure(
      'not-consented',
      `Without that command there are no credentials for ${name}. Nothing was run. To agree later: ${command}.`,
      {
        target: `cluster/${name}`,
      },
    )
  }
  const consented = await contract.ask('cluster.consent', { name, fingerprint: plugin.value.fingerprint })
  return consented.ok ? null : consented.failure
}
