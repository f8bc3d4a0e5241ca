import { cephServicesRuleOf, servicesWithout } from '../../../../shared/domain/ceph-services.ts'
import { BY_FORCE, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { besideAway, readStoresAway } from '../general/other-maintenances.ts'

/**
 * Enough of Ceph's monitors, managers and metadata servers run beside the node's own (seed 004, storage role, "Non-OSD services are enough";
 * docs/domain.md C.1).
 */
export const cephServicesEnough = checkStep({
  kind: 'ceph-services-enough',
  role: 'storage',
  why: 'Without a quorum of monitors, a manager and a metadata server Ceph does not work, however many OSDs are up.',
  title: input => `Enough of Ceph's services run beside ${nodeOf(input)}`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const [services, others] = await Promise.all([ctx.world.ceph.services(ctx.signal), readStoresAway(node, ctx)])
    if (!services.ok) return cannotAsk("Ceph's services", services.failure)
    if (!others.ok) return cannotAsk('Which other nodes are out of service', others.failure)
    const { away, unread } = others.value
    const gone = besideAway(away)
    const { release, monsTotal } = services.value
    const rule = cephServicesRuleOf(ctx.world.cluster, release)
    const counts = servicesWithout(services.value, [node, ...away.keys()], rule)
    const blockers = counts
      .filter(({ staying, needed }) => staying < needed)
      .map(({ kind, staying, needed, unplaced }) => ({
        code: `ceph-${kind}-not-enough`,
        message: `Without ${node}${gone} Ceph has ${staying} ${kind} running of the ${needed} it needs${
          kind === 'mon' ? (rule === 'fixed' ? ' (fixed rule)' : ` (a majority of ${monsTotal})`) : ''
        }${unplaced.length === 0 ? '' : `; where ${unplaced.join(', ')} runs is not known, so it may be on ${node}`}.`,
        remedy:
          kind === 'mon' && rule === 'fixed'
            ? 'Bring monitors back or add one elsewhere; where your MicroCeph counts a majority, set the rule of this cluster to majority.'
            : `Bring the ${kind} services of other nodes back, or add one elsewhere.`,
        override: BY_FORCE,
      }))
    return readyUnless(
      blockers,
      `Beside ${node}${gone} run ${counts.map(({ kind, staying, needed }) => `${staying} ${kind} (${needed} needed)`).join(', ')}.`,
      {
        evidence: [
          evidence("Ceph's services", ctx.at(), {
            release,
            rule,
            monsTotal,
            daemons: services.value.daemons.map(({ kind, name, node: on, active }) => ({
              kind,
              name,
              node: on,
              active,
            })),
          }),
        ],
        warnings: unread,
      },
    )
  },
})
