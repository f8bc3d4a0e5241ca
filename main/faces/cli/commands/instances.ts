import type { Command } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { renderWarning } from '../render/render-failure.ts'
import { renderInstances } from '../render/render-instances.ts'
import { reportFailure } from '../report-failure.ts'

export const listInstances: Command = async context => {
  const { args, contract, printer } = context
  const cluster = args.operand('CLUSTER')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const listed = await contract.ask('instance.list', { cluster, node: args.operands.NODE ?? null })
  if (!listed.ok) return reportFailure(context, listed.failure)
  const instances = listed.value.instances.toSorted(
    (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }) || a.id.localeCompare(b.id),
  )
  for (const missing of listed.value.unreachable) printer.warn(...renderWarning(missing, printer.warningLook))
  if (printer.json) printer.value(instances)
  else printer.say(...renderInstances(instances, listed.value.projects, printer.look, printer.verbose))
  return 0
}
