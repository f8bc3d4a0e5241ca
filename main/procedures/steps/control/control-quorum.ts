import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { rolesOf } from '../../../../shared/domain/roles.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { besideAway, readNodesAway } from '../general/other-maintenances.ts'

/** How many of `total` members must be ready for a quorum (etcd, dqlite: total//2+1, domain.md B.1). */
export function quorumOf(total: number): number {
  return Math.floor(total / 2) + 1
}

/** The control plane keeps its quorum without the node: judged by control nodes that are ready and not in maintenance. */
export const controlQuorum = checkStep({
  kind: 'control-quorum',
  role: 'control',
  why: 'Without a quorum of its datastore the Kubernetes control plane stops.',
  title: input => `The control plane keeps its quorum without ${nodeOf(input)}`,
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
    if (!nodes.ok) return cannotAsk('The list of nodes', nodes.failure)
    const control = nodes.value.filter(node => rolesOf(node.labels, ctx.world.cluster.roleLabels).includes('control'))
    const isControl = (node: ClusterNode) => control.some(other => other.name === node.name)
    const others = await readNodesAway(name, ctx, isControl)
    if (!others.ok) return cannotAsk('Which other nodes are out of service', others.failure)
    const { away, unread } = others.value
    const remaining = control.filter(node => node.name !== name && !away.has(node.name))
    const gone = besideAway(away)
    const needed = quorumOf(control.length)
    return readyUnless(
      remaining.length >= needed
        ? []
        : [
            {
              code: 'quorum-lost',
              message: `Of ${control.length} control nodes ${remaining.length} would be left ready without ${name}${gone}; a quorum needs ${needed}.`,
              remedy: 'Bring the other control nodes back to Ready first.',
              override: BY_FORCE,
            },
          ],
      `${remaining.length} of ${control.length} control nodes stay ready without ${name}${gone}; a quorum needs ${needed}.`,
      {
        evidence: [
          evidence('control nodes', ctx.at(), {
            total: control.length,
            needed,
            remainingReady: remaining.map(node => node.name),
          }),
        ],
        warnings: [
          ...unread,
          ...(control.length === 2 ? ['Two control nodes have no redundancy: a quorum of two needs both.'] : []),
        ],
      },
    )
  },
})
