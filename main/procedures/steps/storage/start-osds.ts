import { minutes } from '../../../../shared/domain/durations.ts'
import { OSDS_START_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import { exitMicroCeph } from './noout-changes.ts'
import { osdsStep } from './osds-step.ts'
import { idsOf, leftOverOsds, type StorageNode } from './storage-node.ts'

/** The node's OSDs run and hold data again (seed 004). */
export const startOsds = osdsStep({
  kind: 'start-osds',
  risk: 'reversible',
  ...stepText('start-osds'),
  withinMs: minutes(15),
  to: 'up',
  warnings: outWarnings,
  words: {
    already: (node, { own }) => found('OsdsUp', { node, osds: idsOf(own) }),
    ready: (node, osds) => found('OsdsDown', { node, osds }),
    holds: (node, { own }) => found('OsdsUpAndIn', { node, osds: idsOf(own), out: idsOf(own.filter(osd => !osd.in)) }),
    fails: (node, osds) => fault('OsdsNotUp', { node, osds }),
    awaited: osds => found('OsdsToComeUp', { osds }),
    late: (node, osds) => found('OsdsStillDown', { node, osds }),
    applied: node => found('OsdsStarted', { node }),
    from: 'down',
    into: 'up',
  },
  request: async (node, { own }, ctx) => {
    const ids = idsOf(own.filter(osd => !osd.up))
    if (ids.length === 0) return null
    const { microceph, osds } = ctx.world
    ctx.announce(OSDS_START_REQUESTED, `node/${node}`, { osds: ids })
    const started =
      microceph !== null ? await exitMicroCeph(node, microceph, ctx) : await osds?.setRunning(ids, true, ctx.signal)
    return started?.ok === false ? { kind: 'failed', failure: started.failure } : null
  },
  // Then an operator must check the OSD.
  limitMs: minutes(10),
})

/** Ceph brings in OSDs that it marked out; one that is up and out was marked out by hand. */
function outWarnings({ own, leftOver }: StorageNode): readonly Finding[] {
  const osds = idsOf(own.filter(osd => osd.up && !osd.in))
  const out = osds.length === 0 ? [] : [found('OsdsUpButOut', { osds })]
  return [...out, ...leftOverOsds(leftOver)]
}
