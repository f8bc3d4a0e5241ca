import type { Blocker } from '../../../../shared/domain/plan.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import { blocked, cannotAsk, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { matchComputeService } from '../compute/compute-host.ts'

/** The node must exist (seed 004, general check "Node exist"). Never overridable. */
export const nodeExists = checkStep({
  kind: 'node-exists',
  role: 'general',
  why: 'A procedure on a node that is not there would act on nothing, or on a namesake.',
  title: input => `Node ${nodeOf(input)} exists`,
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
    if (!nodes.ok) return cannotAsk('The list of nodes', nodes.failure)
    const node = nodes.value.find(candidate => candidate.name === name)
    if (node) {
      return ready(`Node ${name} is in the cluster.`, {
        evidence: [evidence(`node/${name}`, ctx.at(), { uid: node.uid, resourceVersion: node.resourceVersion })],
      })
    }
    const outside = await knownOutside(name, ctx)
    if (outside !== null) return blocked([outside])
    const names = nodes.value.map(candidate => candidate.name).sort()
    return blocked(
      [
        {
          code: 'node-unknown',
          message: `The cluster has no node named ${name}.`,
          remedy: `Its nodes are: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}.`,
          override: { kind: 'never', why: 'there is nothing to act on' },
        },
      ],
      { evidence: [evidence('nodes', ctx.at(), { count: names.length })] },
    )
  },
})

/**
 * A machine that Nova or Juju knows and Kubernetes does not, and that has no plan of its own (machine-found.ts); null when neither knows it.
 */
async function knownOutside(name: string, { world, signal }: MaintenanceContext): Promise<Blocker | null> {
  if (world.cluster.flavour !== 'sunbeam') return null
  const [services, status] = await Promise.all([
    world.openstack?.computeServices(signal) ?? null,
    world.juju?.status(signal) ?? null,
  ])
  const knowers = [
    ...(services?.ok && matchComputeService([name], services.value) !== null ? ['Nova has a nova-compute on it'] : []),
    ...(status?.ok
      ? status.value.units.filter(({ hostname }) => hostname === name).map(unit => `Juju has ${unit.name} on it`)
      : []),
  ]
  if (knowers.length === 0) return null
  return {
    code: 'node-outside',
    message: `${name} is a machine outside of Kubernetes: ${someOf(knowers)}, and the cluster has no node of that name.`,
    remedy: `Lockkeeper takes it out of service only under Nova's name of it, while its nova-compute is up, or as a storage-only machine with a microceph unit and OSDs. Else use \`sunbeam cluster maintenance\`.`,
    override: { kind: 'never', why: 'there is no node to cordon, to drain, or to hold while it is worked on' },
  }
}
