import { BY_FORCE, blocked } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'

/** A storage node is not claimed safe: this procedure does not ask Ceph, so the operator must have done it and say so. */
export const storageUnchecked = checkStep({
  kind: 'storage-unchecked',
  role: 'storage',
  why: 'Stopping OSDs that are not ok to stop makes data unavailable.',
  title: input => `Ceph can spare ${nodeOf(input)}`,
  withinMs: 5_000,
  check: async input =>
    blocked([
      {
        code: 'storage-not-checked',
        message: `${nodeOf(input)} has the storage role, and this procedure does not ask Ceph whether its OSDs may stop.`,
        remedy:
          'Say in the settings of this cluster how its Ceph is asked (--ceph). Or check `ceph osd ok-to-stop` for the OSDs of the node and set noout for it, then give --force with what you found.',
        override: BY_FORCE,
      },
    ]),
})
