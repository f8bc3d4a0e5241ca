import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { signWords } from '../../../../shared/words/steps/away-nodes.ts'
import { cannotAsk, evidence, ready, refusal } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { findMachineMaintenances, findOtherMaintenances, whatRemains } from './other-maintenances.ts'

/** Warns what would remain while another node is out of service; Sunbeam does not (docs/domain.md B.1, defect 6). */
export const otherNodesInMaintenance = checkStep({
  kind: 'other-nodes-in-maintenance',
  role: 'general',
  ...stepText('other-nodes-in-maintenance'),
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const [nodes, computes] = await Promise.all([
      ctx.world.kubernetes.listNodes(ctx.signal),
      ctx.world.openstack?.computeServices(ctx.signal) ?? null,
    ])
    if (!nodes.ok) return cannotAsk(thing('NodeList'), nodes.failure)
    if (nodes.value.every(node => node.name !== name)) {
      return cannotAsk(thing('NodeList'), refusal('unreadable', fault('NodeListNotWhole', { node: name })))
    }
    const services = computes?.ok ? computes.value : null
    const others = await findOtherMaintenances(name, nodes.value, services, ctx)
    if (!others.ok) return cannotAsk(thing('WorkOnOthers'), others.failure)
    const machines = await findMachineMaintenances(name, nodes.value, services, ctx)
    const unread = machines.ok ? [] : [found('MachinesNotKnown', { cause: machines.failure.message })]
    const outside = machines.ok ? machines.value : []
    const away = [...others.value, ...outside]
    if (away.length === 0) {
      return ready(found(machines.ok ? 'NoOtherNodeAway' : 'NoOtherKubernetesNodeAway'), {
        evidence: [evidence('other nodes', ctx.at(), { total: nodes.value.length - 1, inMaintenance: [] })],
        warnings: [
          ...(computes?.ok === false ? [found('OtherComputesNotKnown', { cause: computes.failure.message })] : []),
          ...unread,
        ],
      })
    }
    const out = away.map(({ node, signs }) => ({ node: node.name, signs }))
    const remains = await whatRemains(name, [...nodes.value, ...outside.map(({ node }) => node)], services, away, ctx)
    return ready(found('OthersInMaintenance', { nodes: out }), {
      warnings: [found('NotOnlyOneOut', { node: name, nodes: out }), ...remains, ...unread],
      evidence: [
        evidence('other nodes', ctx.at(), {
          total: nodes.value.length - 1,
          inMaintenance: away.map(({ node, signs }) => ({ name: node.name, signs: signs.map(signWords) })),
          remains: remains.map(({ message }) => message),
        }),
      ],
    })
  },
})
