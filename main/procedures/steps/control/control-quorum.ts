import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { rolesOf } from '../../../../shared/domain/roles.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { awayAmong, readNodesAway } from '../general/other-maintenances.ts'

/** Members that must be ready for a quorum (etcd, dqlite: total//2+1, docs/domain.md B.1). */
export function quorumOf(total: number): number {
  return Math.floor(total / 2) + 1
}

/** The control plane keeps its quorum without the node: only control nodes that are ready and not in maintenance count. */
export const controlQuorum = checkStep({
  kind: 'control-quorum',
  role: 'control',
  ...stepText('control-quorum'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
    if (!nodes.ok) return cannotAsk(thing('NodeList'), nodes.failure)
    const control = nodes.value.filter(node => rolesOf(node.labels, ctx.world.cluster.roleLabels).includes('control'))
    const isControl = (node: ClusterNode) => control.some(other => other.name === node.name)
    const others = await readNodesAway(name, ctx, isControl)
    if (!others.ok) return cannotAsk(thing('OtherNodesAway'), others.failure)
    const { away, unread } = others.value
    const remaining = control.filter(node => node.name !== name && !away.has(node.name))
    const gone = awayAmong(away)
    const needed = quorumOf(control.length)
    const quorum = { node: name, gone, total: control.length, staying: remaining.length, needed }
    return readyUnless(
      remaining.length >= needed ? [] : [blocker(fault('ControlQuorumLost', quorum), BY_FORCE)],
      found('ControlQuorumStays', quorum),
      {
        evidence: [
          evidence('control nodes', ctx.at(), {
            total: control.length,
            needed,
            remainingReady: remaining.map(node => node.name),
          }),
        ],
        warnings: [...unread, ...(control.length === 2 ? [found('TwoControlNodes')] : [])],
      },
    )
  },
})
