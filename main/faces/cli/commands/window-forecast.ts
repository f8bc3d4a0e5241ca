import type { Command } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { renderForecast } from '../render/render-estimate.ts'
import { reportFailure } from '../report-failure.ts'

export const showForecast: Command = async context => {
  const { args, contract, printer } = context
  const shown = await contract.ask('window.show', { id: args.operand('WINDOW') })
  if (!shown.ok) return reportFailure(context, shown.failure)
  const { id, cluster, timeZone } = shown.value.window
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const forecast = await contract.ask('window.forecast', { id })
  if (!forecast.ok) return reportFailure(context, forecast.failure)
  if (printer.json) printer.value(forecast.value)
  else printer.say(...renderForecast(forecast.value, timeZone, printer.look))
  return forecast.value.verdict === 'may-overrun' || forecast.value.verdict === 'overruns' ? 3 : 0
}
