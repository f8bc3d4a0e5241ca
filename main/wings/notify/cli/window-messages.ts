import type { Envelope } from '../../../../shared/contract/index.ts'
import type { OwnerMessages } from '../../../../shared/domain/mail.ts'
import { failed } from '../../../../shared/domain/result.ts'
import type { CommandContext } from '../../../faces/cli/command.ts'
import { connectCluster } from '../../../faces/cli/connect-cluster.ts'

/** The messages of a window as they would be sent now; connects its cluster. */
export async function windowMessages(id: string, context: CommandContext): Promise<Envelope<OwnerMessages>> {
  const shown = await context.contract.ask('window.show', { id })
  if (!shown.ok) return shown
  const refused = await connectCluster(shown.value.window.cluster, context)
  return refused === null ? context.contract.ask('window.messages', { id }) : failed(refused)
}
