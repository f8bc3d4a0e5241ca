import type { Command } from '../command.ts'
import { plannedWork } from '../planned-work.ts'
import { renderEstimate } from '../render/render-estimate.ts'
import { reportFailure } from '../report-failure.ts'

/** `window estimate`: how long the work may take. */
export const showEstimate: Command = async context => {
  const { contract, printer } = context
  const work = await plannedWork(context)
  if (!work.ok) return reportFailure(context, work.failure)
  const { cluster, plan } = work.value
  const made = await contract.ask('estimate.make', { cluster, plan })
  if (!made.ok) return reportFailure(context, made.failure)
  if (printer.json) printer.value(made.value)
  else printer.say(...renderEstimate(made.value, printer.look))
  return 0
}
