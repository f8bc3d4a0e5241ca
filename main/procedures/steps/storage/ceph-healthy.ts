import { whyNotWhole } from '../../../../shared/domain/ceph-safety.ts'
import type { Blocker } from '../../../../shared/domain/plan.ts'
import { BY_FORCE, cannotAsk, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { osdEvidence, readStorageNode, statusEvidence } from './storage-node.ts'

/** Ceph is whole before a storage node leaves: no HEALTH_ERR, every placement group active and clean (docs/domain.md E.14). */
export const cephHealthy = checkStep({
  kind: 'ceph-healthy',
  role: 'storage',
  why: 'A Ceph that is being repaired has fewer copies than it should: each further OSD may be the last one.',
  title: () => 'Ceph is healthy',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const [read, status] = await Promise.all([readStorageNode(node, ctx), ctx.world.ceph.status(ctx.signal)])
    if (!status.ok) return cannotAsk('The status of Ceph', status.failure)
    if (!read.ok) return cannotAsk(`The OSDs of ${node}`, read.failure)
    const { health, checks } = status.value
    const told = checks.filter(({ muted }) => !muted).map(({ code, summary }) => `${code}: ${summary}`)
    const unwhole = whyNotWhole(status.value)
    // Once the node's own OSDs are down, by this run or before it, groups that miss them are no reason to stop.
    const byItself = read.value.own.length > 0 && read.value.own.every(osd => !osd.up || !osd.in)
    const blockers: Blocker[] = []
    if (health === 'HEALTH_ERR' || health === 'unknown') {
      blockers.push({
        code: 'ceph-health-error',
        message: `Ceph is ${health === 'unknown' ? 'in a state that it does not tell' : health}: ${told.join('; ') || 'no reason given'}.`,
        remedy: 'Mend what `ceph health detail` lists.',
        override: BY_FORCE,
      })
    }
    if (unwhole !== null && !byItself) {
      blockers.push({
        code: 'ceph-not-clean',
        message: `Ceph is not whole: ${unwhole}.`,
        remedy: 'Wait until Ceph has recovered; the next storage node is taken only then.',
        override: BY_FORCE,
      })
    }
    return readyUnless(blockers, `Ceph is ${health}${unwhole === null ? ', all placement groups active+clean' : ''}.`, {
      evidence: [statusEvidence(status.value, ctx), osdEvidence(node, read.value.own, ctx)],
      warnings: [
        ...(unwhole !== null && byItself ? [`Ceph is not whole, for the OSDs of ${node} are down: ${unwhole}.`] : []),
        ...(health === 'HEALTH_WARN' ? told.map(text => `Ceph warns: ${text}`) : []),
      ],
    })
  },
})
