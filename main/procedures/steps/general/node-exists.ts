import { maintenancesOf } from '../../../../shared/domain/foreign-maintenance.ts'
import { taintsOfOthers } from '../../../../shared/domain/node-taints.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { namesOf } from '../../../../shared/words/steps/coded.ts'
import { blocked, blocker, cannotAsk, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { matchComputeService } from '../compute/compute-host.ts'

/** The node must exist (seed 004). Never overridable. */
export const nodeExists = checkStep({
  kind: 'node-exists',
  role: 'general',
  ...stepText('node-exists'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const name = nodeOf(input)
    const nodes = await ctx.world.kubernetes.listNodes(ctx.signal)
    if (!nodes.ok) return cannotAsk(thing('NodeList'), nodes.failure)
    const node = nodes.value.find(candidate => candidate.name === name)
    if (node) {
      const taints = taintsOfOthers(node.taints, ctx.world.cluster.roleLabels)
      const foreign = await ctx.world.kubernetes.listForeignMaintenances(ctx.signal)
      return ready(found('NodeThere', { node: name }), {
        warnings: [
          ...taints.map(({ taint, owner }) => found('TaintOfOthers', { node: name, taint, owner })),
          ...(foreign.ok ? maintenancesOf(node, foreign.value.found, nodes.value) : []).map(each =>
            found('MaintainedByOthers', each),
          ),
          ...(foreign.ok ? foreign.value.unread : [foreign.failure]).map(({ message }) =>
            found('MaintenanceByOthersNotRead', { cause: message }),
          ),
        ],
        evidence: [evidence(`node/${name}`, ctx.at(), { uid: node.uid, resourceVersion: node.resourceVersion })],
      })
    }
    const outside = await knownOutside(name, ctx)
    if (outside !== null) return blocked([outside])
    const names = nodes.value.map(candidate => candidate.name).sort()
    const unknown = fault('NodeUnknown', { node: name, nodes: namesOf(names) })
    return blocked([blocker(unknown)], { evidence: [evidence('nodes', ctx.at(), { count: names.length })] })
  },
})

/** A machine that Nova or Juju knows and Kubernetes does not, and for which there is no separate plan (machine-found.ts). */
async function knownOutside(name: string, { world, signal }: MaintenanceContext): Promise<Blocker | null> {
  if (world.cluster.flavour !== 'sunbeam') return null
  const [services, status] = await Promise.all([
    world.openstack?.computeServices(signal) ?? null,
    world.juju?.status(signal) ?? null,
  ])
  const inNova = services?.ok === true && matchComputeService([name], services.value) !== null
  const units = status?.ok ? status.value.units.filter(({ hostname }) => hostname === name).map(unit => unit.name) : []
  return inNova || units.length > 0 ? blocker(fault('MachineWithoutNode', { node: name, inNova, units })) : null
}
