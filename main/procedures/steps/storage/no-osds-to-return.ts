import { found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { blocked, cannotAsk, done } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { osdEvidence, osdsUnplanned, readStorageNode, silentOsds } from './storage-node.ts'

/** A node that returns without storage steps has no OSDs. A silent Ceph only warns; contradictory answers or OSDs block. */
export const noOsdsToReturn = checkStep({
  kind: 'no-osds-to-return',
  role: 'storage',
  ...stepText('no-osds-to-return'),
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const read = await readStorageNode(node, ctx)
    if (read.ok) {
      const { own } = read.value
      const seen = { evidence: [osdEvidence(node, own, ctx)] }
      return own.length === 0 ? done(found('NoOsdsOnNode', { node }), seen) : blocked([osdsUnplanned(node, own)], seen)
    }
    if (read.failure.code === 'not-found') return done(found('NoCeph', { node }))
    if (silentOsds(read.failure) === 'contradicts') return cannotAsk(thing('WhichOsds', { node }), read.failure)
    return done(found('NothingTellsOfOsds', { node }), {
      warnings: [found('OsdsToReturnNotKnown', { node, cause: read.failure.message })],
    })
  },
})
