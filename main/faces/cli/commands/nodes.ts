import type { Command } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { renderWarning } from '../render/render-failure.ts'
import { renderNodes } from '../render/render-nodes.ts'
import { reportFailure } from '../report-failure.ts'

export const listNodes: Command = async context => {
  const { args, contract, printer } = context
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const listed = await contract.ask('node.list', { cluster })
  if (!listed.ok) return reportFailure(context, listed.failure)
  const nodes = listed.value.nodes.toSorted((a, b) => compareNames(a.name, b.name))
  for (const missing of listed.value.unreachable) printer.warn(...renderWarning(missing, printer.warningLook))
  if (printer.json) printer.value(nodes)
  else printer.say(...renderNodes(nodes, printer.look))
  return 0
}

function compareNames(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true })
}
