import { osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocked, blocker, cannotAsk, done, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { awayAmong, readStoresAway } from '../general/other-maintenances.ts'
import { countedOsds, idsOf, leftOverOsds, osdEvidence, readStorageNode } from './storage-node.ts'

/** Ceph itself confirms that the node's OSDs may stop together (seed 004; docs/domain.md C.3). */
export const osdsOkToStop = checkStep({
  kind: 'osds-ok-to-stop',
  role: 'storage',
  ...stepText('osds-ok-to-stop'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (!read.ok) return cannotAsk(thing('NodeOsds', { node }), read.failure)
    const { own, all, leftOver } = read.value
    const seen = osdEvidence(node, own, ctx)
    if (own.length === 0) return done(found('NoOsdsOnNode', { node }), { evidence: [seen] })
    // OSDs that are down serve nothing: Ceph answers for the others.
    const running = own.filter(osd => osd.up)
    if (running.length === 0) {
      return done(found('OsdsDownAlready', { node, osds: idsOf(own) }), { evidence: [seen], counted: countedOsds(own) })
    }
    const others = await readStoresAway(node, ctx)
    if (!others.ok) return cannotAsk(thing('OtherNodesAway'), others.failure)
    const { away, unread } = others.value
    const warnings = [...unread, ...leftOverOsds(leftOver)]
    // A node in maintenance may be switched off at any moment: its OSDs count with these.
    const beside = [...away.keys()].filter(name => osdsOfNode(all, name).some(({ up }) => up))
    const theirs = idsOf(beside.flatMap(name => osdsOfNode(all, name).filter(({ up }) => up)))
    const osds = idsOf(running)
    const answer = await ctx.world.ceph.okToStop([...osds, ...theirs], ctx.signal)
    if (!answer.ok) return cannotAsk(thing('OkToStop', { node }), answer.failure)
    const answered = evidence('ceph osd ok-to-stop', ctx.at(), {
      ok: answer.value.ok,
      osds: [...answer.value.osds],
      pgsAtRisk: answer.value.pgsAtRisk,
      message: answer.value.message,
    })
    const more = { evidence: [seen, answered], warnings, counted: countedOsds(own) }
    if (answer.value.ok) {
      return ready(found('OsdsMayStop', { node, osds, beside: awayAmong(away, beside) }), more)
    }
    const gone = awayAmong(away, beside)
    const output = answer.value.message
    return blocked([blocker(fault('OsdsNotOkToStop', { node, osds, gone, beside: theirs, output }), BY_FORCE)], more)
  },
})
