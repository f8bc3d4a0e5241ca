import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, ready, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { idsOf, osdEvidence, readStorageNode } from './storage-node.ts'

/** An OSD that is up proves that the machine runs. */
export const osdsDown = checkStep({
  kind: 'osds-down',
  role: 'storage',
  ...stepText('osds-down'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (!read.ok) {
      // A Ceph that fell silent with this machine does not block a rescue.
      return read.failure.code === 'not-found' || read.failure.retryable
        ? ready(found('OsdsNotKnown'), {
            warnings: [found('CephSilentOfRunningOsds', { node, cause: read.failure.message })],
          })
        : cannotAsk(thing('NodeOsds', { node }), read.failure)
    }
    const { own } = read.value
    const osds = idsOf(own)
    const up = own.filter(osd => osd.up)
    return readyUnless(
      up.length === 0 ? [] : [blocker(fault('OsdsStillRun', { node, osds: idsOf(up) }), BY_FORCE)],
      own.length === 0 ? found('NoOsdsOnNode', { node }) : found('OsdsDown', { node, osds }),
      {
        evidence: [osdEvidence(node, own, ctx)],
        warnings: own.length === 0 ? [] : [found('CephRebuilds', { osds })],
      },
    )
  },
})
