import { failure } from '../../../../shared/domain/failure.ts'
import { cannotAsk, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { findMachineMaintenances, findOtherMaintenances, whatRemains } from './other-maintenances.ts'

/**
 * A second node while one is out of service: not forbidden, but said with what would remain. Sunbeam says nothing (docs/domain.md B.1,
 * defect 6).
 */
export const otherNodesInMaintenance = checkStep({
  kind: 'other-nodes-in-maintenance',
  role: 'general',
  why: 'Two nodes out of service at once may cost what one does not: a quorum, capacity, copies of data.',
  title: input => `What remains beside ${nodeOf(input)}`,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const [nodes, computes] = await Promise.all([
      ctx.world.kubernetes.listNodes(ctx.signal),
      ctx.world.openstack?.computeServices(ctx.signal) ?? null,
    ])
    if (!nodes.ok) return cannotAsk('The list of nodes', nodes.failure)
    if (nodes.value.every(node => node.name !== name)) {
      const doubt = failure('unreadable', `it does not show ${name} itself, so it is not whole.`, { retryable: true })
      return cannotAsk('The list of nodes', doubt)
    }
    const services = computes?.ok ? computes.value : null
    const others = await findOtherMaintenances(name, nodes.value, services, ctx)
    if (!others.ok) return cannotAsk('Who works on the other nodes', others.failure)
    const machines = await findMachineMaintenances(name, nodes.value, services, ctx)
    const unread = machines.ok
      ? []
      : [`Whether a machine outside of Kubernetes is in maintenance is not known: ${machines.failure.message}`]
    const outside = machines.ok ? machines.value : []
    const away = [...others.value, ...outside]
    if (away.length === 0) {
      return ready(`No other node${machines.ok ? '' : ' of Kubernetes'} is in maintenance.`, {
        evidence: [evidence('other nodes', ctx.at(), { total: nodes.value.length - 1, inMaintenance: [] })],
        warnings: [
          ...(computes?.ok === false
            ? [`Whether another node's nova-compute is disabled is not known: ${computes.failure.message}`]
            : []),
          ...unread,
        ],
      })
    }
    const listed = away.map(({ node, signs }) => `${node.name} (${signs.join('; ')})`)
    const remains = await whatRemains(name, [...nodes.value, ...outside.map(({ node }) => node)], services, away, ctx)
    return ready(`In maintenance or on the way: ${listed.join(', ')}.`, {
      warnings: [`${name} would not be the only one out of service: ${listed.join(', ')}.`, ...remains, ...unread],
      evidence: [
        evidence('other nodes', ctx.at(), {
          total: nodes.value.length - 1,
          inMaintenance: away.map(({ node, signs }) => ({ name: node.name, signs: [...signs] })),
          remains: [...remains],
        }),
      ],
    })
  },
})
