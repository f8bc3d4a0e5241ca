import { minutes } from '../../../../shared/domain/durations.ts'
import { OSDS_START_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { nodeOf } from '../../node-input.ts'
import { exitMicroCeph } from './noout-changes.ts'
import { osdsStep } from './osds-step.ts'
import { areWord, osdNames, type StorageNode } from './storage-node.ts'

/** The node's OSDs run and hold data again (seed 004, storage role, "Activate OSDs"). */
export const startOsds = osdsStep({
  kind: 'start-osds',
  risk: 'reversible',
  why: 'While OSDs are away, every write has fewer copies.',
  title: input => `Start the OSDs of ${nodeOf(input)}`,
  withinMs: minutes(15),
  undo: 'Stop the OSDs again.',
  to: 'up',
  warnings: outWarnings,
  words: {
    already: (node, { own }) => `${osdNames(own)} of ${node} ${areWord(own)} up.`,
    ready: (node, names, are) => `${names} of ${node} ${are} down.`,
    holds: (node, { own }) => {
      const out = own.filter(osd => !osd.in)
      const more = out.length === 0 ? ' and in' : `; ${osdNames(out)} stay out, as somebody wanted`
      return `${osdNames(own)} of ${node} ${areWord(own)} up${more}.`
    },
    remedy: 'Look at the logs of these OSDs; resume the run to start them again.',
    from: 'down',
    into: 'up',
  },
  ask: async (node, { own }, ctx) => {
    const ids = own.filter(osd => !osd.up).map(osd => osd.id)
    if (ids.length === 0) return null
    const { microceph, osds } = ctx.world
    ctx.announce(OSDS_START_REQUESTED, `node/${node}`, { osds: ids })
    const started =
      microceph !== null ? await exitMicroCeph(node, microceph, ctx) : await osds?.setRunning(ids, true, ctx.signal)
    return started?.ok === false ? { kind: 'failed', failure: started.failure } : null
  },
  // An OSD that is not up by then needs a person.
  limitMs: minutes(10),
  advice: 'Look at the logs of the OSDs and retry, skip (a disk that was broken before need not come back), or abort.',
})

/** Ceph takes an OSD in again that it put out itself; one that is up and out was put out by hand. */
function outWarnings({ own }: StorageNode): readonly string[] {
  const out = own.filter(osd => osd.up && !osd.in)
  return out.length === 0 ? [] : [`${osdNames(out)} ${areWord(out)} up but out: somebody put them out by hand.`]
}
