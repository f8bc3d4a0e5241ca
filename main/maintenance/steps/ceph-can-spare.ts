import { isActiveClean } from '../../../shared/domain/ceph.ts'
import type { Blocker } from '../../../shared/domain/plan.ts'
import type { Step } from '../../engine/step.ts'
import { BY_FORCE, cannotAsk, done, evidence, readyUnless } from '../answers.ts'
import { nodeOf } from '../node-input.ts'
import type { MaintenanceWorld } from '../ports.ts'

/** Ceph can spare the OSDs of the node: ok to stop together, every placement group active and clean (docs/domain.md C.3, E.14). */
export const cephCanSpare: Step<MaintenanceWorld> = {
  kind: 'ceph-can-spare',
  role: 'storage',
  risk: 'none',
  why: 'Stopping OSDs that are not ok to stop makes data unavailable.',
  title: input => `Ceph can spare ${nodeOf(input)}`,
  verifyEarly: false,
  withinMs: 60_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only reads.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const { ceph } = ctx.world
    const osds = await ceph.osds(ctx.signal)
    if (!osds.ok) return cannotAsk('Ceph', osds.failure)
    const own = osds.value.filter(osd => osd.host === node || osd.host === (node.split('.')[0] ?? node))
    if (own.length === 0) return done(`Ceph has no OSD on ${node}.`)
    const [okToStop, status] = await Promise.all([
      ceph.okToStop(
        own.map(osd => osd.id),
        ctx.signal,
      ),
      ceph.status(ctx.signal),
    ])
    if (!okToStop.ok) return cannotAsk('Whether the OSDs are ok to stop', okToStop.failure)
    if (!status.ok) return cannotAsk('The status of Ceph', status.failure)
    const clean = isActiveClean(status.value)
    const blockers: Blocker[] = [
      ...(okToStop.value.ok
        ? []
        : [
            {
              code: 'osds-not-ok-to-stop',
              message: `The OSDs of ${node} (${own.map(osd => osd.id).join(', ')}) are not ok to stop: ${okToStop.value.message}.`,
              remedy: 'Let Ceph recover, or bring the other OSDs back first.',
              override: BY_FORCE,
            },
          ]),
      ...(clean
        ? []
        : [
            {
              code: 'ceph-not-clean',
              message: `Not every placement group is active+clean: ${Object.entries(status.value.pgs.byState)
                .map(([state, groups]) => `${groups} ${state}`)
                .join(', ')}.`,
              remedy: 'Wait until Ceph has recovered; the next storage node is taken only then.',
              override: BY_FORCE,
            },
          ]),
    ]
    return readyUnless(blockers, `${own.length} OSDs of ${node} are ok to stop.`, {
      evidence: [
        evidence('ceph', ctx.at(), {
          health: status.value.health,
          osds: own.map(osd => ({ id: osd.id, up: osd.up, in: osd.in, noout: osd.noout })),
          okToStop: okToStop.value.ok,
          pgs: { ...status.value.pgs.byState },
        }),
      ],
      warnings: [
        'Rook removes noout by itself after its osdMaintenanceTimeout (30 minutes by default): a longer maintenance starts rebalancing.',
      ],
    })
  },
}
