import { fault, stepText } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocked, blocker } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** Lockkeeper cannot ask Ceph here: the operator must check, and confirm it. */
export const storageUnchecked = checkStep({
  kind: 'storage-unchecked',
  role: 'storage',
  ...stepText('storage-unchecked'),
  withinMs: 5_000,
  check: async input => blocked([blocker(fault('StorageNotChecked', { node: nodeOf(input) }), BY_FORCE)]),
})
