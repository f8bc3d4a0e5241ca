import { blocked, cannotAsk, done } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { osdEvidence, osdsUnplanned, readStorageNode, unheardOsds } from './storage-node.ts'

/**
 * A node that is brought back without storage steps has no OSDs. A Ceph that is silent is no reason to keep it out of service, and is told; one that
 * contradicts itself, or shows OSDs, is.
 */
export const noOsdsToReturn = checkStep({
  kind: 'no-osds-to-return',
  role: 'storage',
  why: 'OSDs that stay down, or keep their noout, leave data with fewer copies.',
  title: input => `${nodeOf(input)} has no OSDs to bring back`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (read.ok) {
      const { own } = read.value
      const seen = { evidence: [osdEvidence(node, own, ctx)] }
      return own.length === 0 ? done(`Ceph has no OSDs on ${node}.`, seen) : blocked([osdsUnplanned(node, own)], seen)
    }
    if (read.failure.code === 'not-found') return done(`There is no Ceph to have OSDs on ${node}.`)
    if (unheardOsds(read.failure) === 'contradicts') return cannotAsk(`Which OSDs ${node} has`, read.failure)
    return done(`No label and no pod of Ceph tells of OSDs on ${node}.`, {
      warnings: [
        `Ceph could not be asked whether it has OSDs on ${node}: ${read.failure.message} This plan starts none and removes no noout: look with \`ceph osd tree\` when Ceph answers.`,
      ],
    })
  },
})
