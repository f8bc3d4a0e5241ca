import type { Command } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { renderOutlook } from '../render/render-estimate.ts'
import { reportFailure } from '../report-failure.ts'

/** `window outlook`: where the work of a window is heading. */
export const showOutlook: Command = async context => {
  const { args, contract, printer } = context
  const shown = await contract.ask('window.show', { id: args.operand('WINDOW') })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const { id, cluster, timeZone } = shown.value.window
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const outlook = await contract.ask('window.outlook', { id })
  if (!outlook.ok) return reportFailure(context, outlook.failure)
  if (printer.json) printer.value(outlook.value)
  else printer.say(...renderOutlook(outlook.value, timeZone, printer.look))
  return outlook.value.verdict === 'may-overrun' || outlook.value.verdict === 'overruns' ? 3 : 0
}
