import { whyNotWhole } from '../../../../shared/domain/ceph-safety.ts'
import type { Blocker } from '../../../../shared/domain/step-answers.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { osdEvidence, readStorageNode, statusEvidence } from './storage-node.ts'

/** No HEALTH_ERR, and all placement groups active and clean, before a storage node leaves (docs/domain.md E.14). */
export const cephHealthy = checkStep({
  kind: 'ceph-healthy',
  role: 'storage',
  ...stepText('ceph-healthy'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const [read, status] = await Promise.all([readStorageNode(node, ctx), ctx.world.ceph.status(ctx.signal)])
    if (!status.ok) return cannotAsk(thing('CephStatus'), status.failure)
    if (!read.ok) return cannotAsk(thing('NodeOsds', { node }), read.failure)
    const { health, checks } = status.value
    const reported = checks.filter(({ muted }) => !muted).map(({ code, summary }) => ({ code, summary }))
    const unwhole = whyNotWhole(status.value)
    // Once the node's own OSDs are down, placement groups that miss them are no reason to stop.
    const byItself = read.value.own.length > 0 && read.value.own.every(osd => !osd.up || !osd.in)
    const blockers: Blocker[] = []
    if (health === 'HEALTH_ERR' || health === 'unknown') {
      blockers.push(blocker(fault('CephHealthError', { health, checks: reported }), BY_FORCE))
    }
    if (unwhole !== null && !byItself) blockers.push(blocker(fault('CephNotWhole', unwhole), BY_FORCE))
    return readyUnless(blockers, found('CephHealth', { health, isWhole: unwhole === null }), {
      evidence: [statusEvidence(status.value, ctx), osdEvidence(node, read.value.own, ctx)],
      warnings: [
        ...(unwhole !== null && byItself ? [found('CephNotWholeWithoutNode', { node, ...unwhole })] : []),
        ...(health === 'HEALTH_WARN'
          ? reported.map(({ code, summary }) => found('CephWarns', { check: code, summary }))
          : []),
      ],
    })
  },
})
