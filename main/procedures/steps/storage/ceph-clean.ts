import { whyNotWhole } from '../../../../shared/domain/ceph-safety.ts'
import { minutes, seconds } from '../../../../shared/domain/durations.ts'
import { ok } from '../../../../shared/domain/result.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { statusEvidence } from './storage-node.ts'
import { waitForCeph } from './storage-wait.ts'

const LOOK_AGAIN_MS = seconds(5)

/** A recovery that takes longer is asked about; a person may let it go on by itself. */
const LIMIT_MS = minutes(30)

/** Every placement group is active and clean again: the next storage node may go (docs/domain.md C.3). */
export const cephClean: Step<MaintenanceWorld> = {
  kind: 'ceph-clean',
  role: 'storage',
  risk: 'none',
  why: 'Until Ceph has recovered, no other storage node may leave.',
  title: () => 'Ceph is active and clean',
  verifyEarly: false,
  withinMs: LIMIT_MS + minutes(5),
  verifyEveryMs: 5_000,
  undo: 'Nothing to undo: it only waits.',
  check: async (_input, ctx) => {
    const status = await ctx.world.ceph.status(ctx.signal)
    if (!status.ok) return cannotAsk('The status of Ceph', status.failure)
    const evidence = [statusEvidence(status.value, ctx)]
    const unwhole = whyNotWhole(status.value)
    if (!ctx.options.waitForClean) {
      return done(unwhole === null ? WHOLE : 'Ceph recovers by itself: it is not waited for.', {
        evidence,
        warnings:
          unwhole === null ? [] : [`Ceph is not whole yet: ${unwhole}. Take no other storage node before it is.`],
      })
    }
    return ready(unwhole === null ? WHOLE : `Ceph recovers, which is waited for: ${unwhole}.`, { evidence })
  },
  apply: async (_input, ctx) => {
    const missing = async () => {
      const status = await ctx.world.ceph.status(ctx.signal)
      if (!status.ok) return status
      const unwhole = whyNotWhole(status.value)
      return ok(unwhole === null ? null : `Ceph to be whole: ${unwhole}`)
    }
    const ended = await waitForCeph({ subject: 'ceph', everyMs: LOOK_AGAIN_MS, limitMs: LIMIT_MS, missing }, ctx)
    switch (ended.kind) {
      case 'over':
        return { kind: 'applied', note: WHOLE }
      case 'late':
        return {
          kind: 'question',
          question: `Still waiting for ${ended.what}. Retry to wait on, skip (Ceph goes on recovering by itself; take no other storage node before it has), or abort.`,
          choices: ['retry', 'skip', 'abort'],
        }
      case 'stopped':
      case 'failed':
        return ended
    }
  },
  verify: async (_input, ctx) => {
    const status = await ctx.world.ceph.status(ctx.signal)
    if (!status.ok) return cannotVerify('The status of Ceph', status.failure)
    const seen = [statusEvidence(status.value, ctx)]
    const unwhole = whyNotWhole(status.value)
    if (unwhole === null) return holds(WHOLE, seen)
    if (!ctx.options.waitForClean) return holds(`Ceph is not waited for; it is not whole yet: ${unwhole}.`, seen)
    return fails(`Ceph is not whole: ${unwhole}.`, 'Take no other storage node before it is.', seen)
  },
}

const WHOLE = 'Every placement group is active+clean.'
