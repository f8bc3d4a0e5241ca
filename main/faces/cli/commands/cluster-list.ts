import type { Command } from '../command.ts'
import { renderClusters } from '../render/render-clusters.ts'
import { reportFailure } from '../report-failure.ts'

export const listClusters: Command = async context => {
  const { contract, printer } = context
  const listed = await contract.ask('cluster.list', {})
  if (!listed.ok) return reportFailure(context, listed.failure)
  const clusters = listed.value.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
  if (printer.json) printer.value(clusters)
  else printer.say(...renderClusters(clusters, printer.look))
  return 0
}
