import { rolesOf } from '../../../../shared/domain/roles.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** Another control node can take over (seed 004; a schedulable node counts as active, docs/domain.md B.1). */
export const otherControlNode = checkStep({
  kind: 'other-control-node',
  role: 'control',
  ...stepText('other-control-node'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
    if (!nodes.ok) return cannotAsk(thing('NodeList'), nodes.failure)
    const control = nodes.value.filter(node => rolesOf(node.labels, ctx.world.cluster.roleLabels).includes('control'))
    const others = control.filter(node => node.name !== name && node.readiness === 'ready' && !node.unschedulable)
    return readyUnless(
      others.length > 0 ? [] : [blocker(fault('LastControlNode', { node: name }), BY_FORCE)],
      found('OtherControlNodes', { nodes: others.map(node => node.name) }),
      {
        evidence: [
          evidence('control nodes', ctx.at(), {
            nodes: control.map(node => ({
              name: node.name,
              readiness: node.readiness,
              unschedulable: node.unschedulable,
            })),
          }),
        ],
      },
    )
  },
})
