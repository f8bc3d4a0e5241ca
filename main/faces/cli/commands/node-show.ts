import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { Command } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { renderWarning } from '../render/render-failure.ts'
import { renderNode } from '../render/render-node.ts'
import { renderNodeDetail } from '../render/render-node-detail.ts'
import { reportFailure } from '../report-failure.ts'

export const showNode: Command = async context => {
  const { args, contract, printer } = context
  const cluster = args.operand('CLUSTER')
  const name = args.operand('NODE')
  const refused = await connectCluster(cluster, context)
  if (refused !== null) return reportFailure(context, refused)
  const listed = await contract.ask('node.list', { cluster })
  if (!listed.ok) return reportFailure(context, listed.failure)
  const node = listed.value.nodes.find(candidate => candidate.name === name)
  if (node === undefined) {
    return reportFailure(
      context,
      refusal('not-found', because('NodesUnknown', { cluster, nodes: [name] }), {
        target: `node/${name}`,
      }),
    )
  }
  for (const missing of listed.value.unreachable) printer.warn(...renderWarning(missing, printer.warningLook))
  const detail = args.isSet('all') ? await contract.ask('node.show', { cluster, node: name }) : null
  if (detail !== null && !detail.ok) return reportFailure(context, detail.failure)
  if (printer.json) printer.value(detail === null ? node : { ...node, detail: detail.value })
  else {
    printer.say(...renderNode(node, printer.look))
    if (detail !== null) printer.say('', ...renderNodeDetail(detail.value, printer.look))
  }
  return 0
}
