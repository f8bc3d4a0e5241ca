import { rolesOf } from '../../../../shared/domain/roles.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** Another control node can take the work (seed 004, control check "Last control role"; counts as active when schedulable, domain.md B.1). */
export const otherControlNode = checkStep({
  kind: 'other-control-node',
  role: 'control',
  why: 'The control plane of the cloud needs at least one active node.',
  title: input => `Another control node than ${nodeOf(input)} is in service`,
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
    if (!nodes.ok) return cannotAsk('The list of nodes', nodes.failure)
    const control = nodes.value.filter(node => rolesOf(node.labels, ctx.world.cluster.roleLabels).includes('control'))
    const others = control.filter(node => node.name !== name && node.readiness === 'ready' && !node.unschedulable)
    return readyUnless(
      others.length > 0
        ? []
        : [
            {
              code: 'last-control-node',
              message: `${name} is the last control node that is ready and schedulable.`,
              remedy: 'Bring another control node back into service first.',
              override: BY_FORCE,
            },
          ],
      `Also in service: ${others.map(node => node.name).join(', ')}.`,
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
