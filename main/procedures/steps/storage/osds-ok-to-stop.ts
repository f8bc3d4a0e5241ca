import { osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import { BY_FORCE, blocked, cannotAsk, done, evidence, ready } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { awayNames, besideAway, readStoresAway } from '../general/other-maintenances.ts'
import { areWord, countedOsds, osdEvidence, osdNames, readStorageNode } from './storage-node.ts'

/** Ceph itself says that the node's OSDs may stop together (seed 004, storage role, "OSDs are ok-to-stop"; docs/domain.md C.3). */
export const osdsOkToStop = checkStep({
  kind: 'osds-ok-to-stop',
  role: 'storage',
  why: 'Stopping OSDs that are not ok to stop makes data unavailable.',
  title: input => `OSDs of ${nodeOf(input)} are ok to stop`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (!read.ok) return cannotAsk(`The OSDs of ${node}`, read.failure)
    const { own, all } = read.value
    const seen = osdEvidence(node, own, ctx)
    if (own.length === 0) return done(`Ceph has no OSDs on ${node}.`, { evidence: [seen] })
    // One that is down serves nothing: whether the others may stop beside it is what Ceph answers.
    const running = own.filter(osd => osd.up)
    if (running.length === 0)
      return done(`${osdNames(own)} of ${node} are down already.`, { evidence: [seen], counted: countedOsds(own) })
    const others = await readStoresAway(node, ctx)
    if (!others.ok) return cannotAsk('Which other nodes are out of service', others.failure)
    const { away, unread: warnings } = others.value
    // A node in maintenance may be switched off at any moment: Ceph is asked about its OSDs together with these.
    const beside = [...away.keys()].filter(name => osdsOfNode(all, name).some(({ up }) => up))
    const theirs = beside.flatMap(name => osdsOfNode(all, name).filter(({ up }) => up))
    const gone = besideAway(away, beside)
    const answer = await ctx.world.ceph.okToStop(
      [...running, ...theirs].map(osd => osd.id),
      ctx.signal,
    )
    if (!answer.ok) return cannotAsk(`Whether the OSDs of ${node} are ok to stop`, answer.failure)
    const told = evidence('ceph osd ok-to-stop', ctx.at(), {
      ok: answer.value.ok,
      osds: [...answer.value.osds],
      pgsAtRisk: answer.value.pgsAtRisk,
      message: answer.value.message,
    })
    if (answer.value.ok) {
      return ready(
        `${osdNames(running)} of ${node} may be stopped${theirs.length > 0 ? ` together with those of ${awayNames(away, beside)}` : running.length === 1 ? '' : ' together'}.`,
        {
          evidence: [seen, told],
          warnings,
          counted: countedOsds(own),
        },
      )
    }
    return blocked(
      [
        {
          code: 'osds-not-ok-to-stop',
          message: `${osdNames([...running, ...theirs])} of ${node}${gone} ${areWord([...running, ...theirs])} not ok to stop${running.length + theirs.length === 1 ? '' : ' together'}: ${answer.value.message}.`,
          remedy:
            'Let Ceph recover, or bring the OSDs of other nodes back first; `ceph osd ok-to-stop` tells when it is so.',
          override: BY_FORCE,
        },
      ],
      { evidence: [seen, told], warnings, counted: countedOsds(own) },
    )
  },
})
