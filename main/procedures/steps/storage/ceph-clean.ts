import { type CephNotWhole, whyNotWhole } from '../../../../shared/domain/ceph-safety.ts'
import { minutes, seconds } from '../../../../shared/domain/durations.ts'
import { ok } from '../../../../shared/domain/result.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { applied, asks, cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { statusEvidence } from './storage-node.ts'
import { waitForCeph } from './storage-wait.ts'

const LOOK_AGAIN_MS = seconds(5)

/** Then the run asks: the operator may let the recovery continue alone. */
const LIMIT_MS = minutes(30)

/** All placement groups are active and clean: the next storage node may go (docs/domain.md C.3). */
export const cephClean: Step<MaintenanceWorld> = {
  kind: 'ceph-clean',
  role: 'storage',
  risk: 'none',
  ...stepText('ceph-clean'),
  verifyEarly: false,
  withinMs: LIMIT_MS + minutes(5),
  verifyEveryMs: 5_000,
  check: async (_input, ctx) => {
    const status = await ctx.world.ceph.status(ctx.signal)
    if (!status.ok) return cannotAsk(thing('CephStatus'), status.failure)
    const evidence = [statusEvidence(status.value, ctx)]
    const unwhole = whyNotWhole(status.value)
    if (!ctx.options.waitForClean) {
      return unwhole === null
        ? done(found('CephIsWhole'), { evidence })
        : done(found('CephRecovers'), { evidence, warnings: [found('CephNotWholeYet', unwhole)] })
    }
    return ready(unwhole === null ? found('CephIsWhole') : found('CephRecoveryAwaited', unwhole), { evidence })
  },
  apply: async (_input, ctx) => {
    const missing = async () => {
      const status = await ctx.world.ceph.status(ctx.signal)
      if (!status.ok) return status
      return ok(whyNotWhole(status.value))
    }
    const words = (missing: CephNotWhole) => found('CephToBeWhole', missing)
    const ended = await waitForCeph({ subject: 'ceph', everyMs: LOOK_AGAIN_MS, limitMs: LIMIT_MS, missing, words }, ctx)
    switch (ended.kind) {
      case 'over':
        return applied(found('CephIsWhole'))
      case 'late':
        return asks(found('CephStillNotWhole', ended.missing), ['retry', 'skip', 'abort'])
      case 'stopped':
      case 'failed':
        return ended
    }
  },
  verify: async (_input, ctx) => {
    const status = await ctx.world.ceph.status(ctx.signal)
    if (!status.ok) return cannotVerify(thing('CephStatus'), status.failure)
    const seen = [statusEvidence(status.value, ctx)]
    const unwhole = whyNotWhole(status.value)
    if (unwhole === null) return holds(found('CephIsWhole'), seen)
    if (!ctx.options.waitForClean) return holds(found('CephNotAwaited', unwhole), seen)
    return fails(fault('CephStillRecovers', unwhole), seen)
  },
}
