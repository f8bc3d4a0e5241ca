import { fault, stepText } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocked, blocker } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** A storage node is not claimed safe: this procedure does not ask Ceph, so the operator must have done it and say so. */
export const storageUnchecked = checkStep({
  kind: 'storage-unchecked',
  role: 'storage',
  ...stepText('storage-unchecked'),
  withinMs: 5_000,
  check: async input => blocked([blocker(fault('StorageNotChecked', { node: nodeOf(input) }), BY_FORCE)]),
})
