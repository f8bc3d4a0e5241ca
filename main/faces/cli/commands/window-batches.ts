import type { BatchOptions, JudgedBatches } from '../../../../shared/domain/batches.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { NodeRole } from '../../../../shared/domain/roles.ts'
import { because } from '../../../../shared/words/reasons.ts'
import { refusal } from '../../../../shared/words/refusal.ts'
import type { ParsedArguments } from '../arguments/parsed-arguments.ts'
import type { Command, CommandContext } from '../command.ts'
import { connectCluster } from '../connect-cluster.ts'
import { renderBatches } from '../render/render-batches.ts'
import { renderWarning } from '../render/render-failure.ts'
import { reportFailure, reportUsage } from '../report-failure.ts'

export const showBatches: Command = async context => {
  const { args, printer } = context
  const given = [args.text('nodes'), args.text('role'), args.texts('batch').length > 0 ? 'batch' : null]
  if (given.filter(each => each !== null).length !== 1) {
    return reportUsage(
      context,
      'Name the nodes: --nodes A,B or --role ROLE for automatic batches, or --batch for each batch that you define.',
    )
  }
  const wish = wishOf(args)
  if (!wish.ok) return reportUsage(context, wish.failure.message)
  const refused = await connectCluster(args.operand('CLUSTER'), context)
  if (refused !== null) return reportFailure(context, refused)
  const judged = await judgedBatches(context, wish.value)
  if (!judged.ok) return reportFailure(context, judged.failure)
  for (const missing of judged.value.unreachable) printer.warn(...renderWarning(missing, printer.warningLook))
  if (printer.json) printer.value(judged.value)
  else printer.say(...renderBatches(judged.value, printer.look))
  const broken = judged.value.batches.some(({ problems }) => problems.some(({ weight }) => weight === 'hard'))
  return broken || judged.value.left.length > 0 ? 3 : 0
}

async function judgedBatches({ args, contract }: CommandContext, wish: BatchOptions): Promise<Result<JudgedBatches>> {
  const cluster = args.operand('CLUSTER')
  const batches = args.texts('batch').map(typed => ({ nodes: namesIn(typed) }))
  if (batches.length > 0) return contract.ask('batches.judge', { cluster, batches, wish })
  const typed = args.text('nodes')
  if (typed !== null) return contract.ask('batches.plan', { cluster, nodes: namesIn(typed), wish })
  const listed = await contract.ask('node.list', { cluster })
  if (!listed.ok) return listed
  const role = NodeRole.options.find(each => each === args.text('role'))
  const nodes = listed.value.nodes
    .filter(node => role !== undefined && node.roles.includes(role) && node.state !== 'decommissioned')
    .map(({ name }) => name)
  if (nodes.length > 0) return contract.ask('batches.plan', { cluster, nodes, wish })
  return failed(refusal('not-found', because('NoNodeOfRole', { cluster, role: role ?? '' })))
}

function wishOf(args: ParsedArguments): Result<BatchOptions> {
  const atOnce: Partial<Record<NodeRole, number>> = {}
  for (const typed of args.texts('at-once')) {
    const [name, many = ''] = typed.split('=', 2)
    const role = NodeRole.options.find(each => each === name)
    if (role === undefined || !/^[1-9]\d{0,3}$/.test(many)) {
      return failed(refusal('bad-input', because('FlagTakesRoleLimit', { given: typed, roles: NodeRole.options })))
    }
    atOnce[role] = Number(many)
  }
  return ok({ zones: args.text('zones') === 'spread' ? 'spread' : 'one-at-a-time', atOnce })
}

function namesIn(typed: string): string[] {
  return typed
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
}
