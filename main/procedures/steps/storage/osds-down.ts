import { BY_FORCE, cannotAsk, ready, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { areWord, osdEvidence, osdNames, readStorageNode } from './storage-node.ts'

/** OSDs of a machine that is off are down. One that is up tells that the machine runs, whatever anybody says of it. */
export const osdsDown = checkStep({
  kind: 'osds-down',
  role: 'storage',
  why: 'An OSD that is up runs, and so does its machine.',
  title: input => `OSDs of ${nodeOf(input)} are down`,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (!read.ok) {
      // A Ceph that does not answer, because it lost the machine too, keeps nobody from rescuing.
      return read.failure.code === 'not-found' || read.failure.retryable
        ? ready('Whether OSDs run there is not known.', {
            warnings: [`Ceph could not be asked whether OSDs of ${node} still run: ${read.failure.message}`],
          })
        : cannotAsk(`The OSDs of ${node}`, read.failure)
    }
    const { own } = read.value
    const up = own.filter(osd => osd.up)
    return readyUnless(
      up.length === 0
        ? []
        : [
            {
              code: 'osds-up',
              message: `${osdNames(up)} of ${node} ${areWord(up)} up by Ceph, so the machine may run.`,
              remedy: 'See that it is off. Ceph notices within a minute that an OSD is gone: try again then.',
              override: BY_FORCE,
            },
          ],
      own.length === 0 ? `Ceph has no OSD on ${node}.` : `${osdNames(own)} of ${node} ${areWord(own)} down.`,
      {
        evidence: [osdEvidence(node, own, ctx)],
        warnings:
          own.length === 0
            ? []
            : [
                `Ceph rebuilds what was on ${osdNames(own)} elsewhere, unless noout keeps it from that: look at \`ceph status\`.`,
              ],
      },
    )
  },
})
