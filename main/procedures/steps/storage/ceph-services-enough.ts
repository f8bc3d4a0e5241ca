import { cephServicesRuleOf, servicesWithout } from '../../../../shared/domain/ceph-services.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, evidence, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { awayAmong, readStoresAway } from '../general/other-maintenances.ts'

/** Enough monitors, managers and metadata servers run besides the node's (seed 004; docs/domain.md C.1). */
export const cephServicesEnough = checkStep({
  kind: 'ceph-services-enough',
  role: 'storage',
  ...stepText('ceph-services-enough'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const [services, others] = await Promise.all([ctx.world.ceph.services(ctx.signal), readStoresAway(node, ctx)])
    if (!services.ok) return cannotAsk(thing('CephServices'), services.failure)
    if (!others.ok) return cannotAsk(thing('OtherNodesAway'), others.failure)
    const { away, unread } = others.value
    const gone = awayAmong(away)
    const { release, monsTotal } = services.value
    const rule = cephServicesRuleOf(ctx.world.cluster, release)
    const counts = servicesWithout(services.value, [node, ...away.keys()], rule)
    const blockers = counts
      .filter(({ staying, needed }) => staying < needed)
      .map(({ kind, staying, needed, unplaced }) =>
        blocker(
          fault('CephServicesNotEnough', { node, gone, kind, staying, needed, monsTotal, rule, unplaced }),
          BY_FORCE,
        ),
      )
    const staying = counts.map(({ kind, staying, needed }) => ({ kind, staying, needed }))
    return readyUnless(blockers, found('CephServicesStay', { node, gone, services: staying }), {
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
    })
  },
})
