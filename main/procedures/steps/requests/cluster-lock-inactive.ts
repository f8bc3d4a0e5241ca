import { ok } from '../../../../shared/domain/result.ts'
import { someOf } from '../../../../shared/grammar/counts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { cannotTell, cannotVerify, fails, holds } from '../../answers.ts'
import { awaitChange } from './await-change.ts'
import {
  clusterLocksEvidence,
  lockStatesOf,
  locksMeant,
  MISSING_REMEDY,
  markOf,
  missingClusterLocks,
} from './cluster-locks.ts'
import { serverNow, whyStill } from './controller-life.ts'

/** An application is updated, or ready for the update: its ClusterWorkloadLock is inactive (seed 003, phase 2). */
export const clusterLockInactive: Step<MaintenanceWorld> = {
  kind: 'cluster-lock-inactive',
  role: 'general',
  risk: 'disruptive',
  why: 'A controller marks its ClusterWorkloadLock as inactive when its application is ready for the nodes to be worked on.',
  title: input => `${nameOf(input)}: ClusterWorkloadLock is inactive`,
  verifyEarly: true,
  withinMs: 24 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'The lock becomes active again when the ClusterMaintenanceRequest is removed.',
  apply: (input, ctx) =>
    awaitChange(
      {
        subject: 'cluster',
        look: async () => {
          const found = await ctx.world.maintenanceApi.objects(ctx.signal)
          if (!found.ok) return found
          const locks = locksMeant(found.value, input)
          if (isMissing(locks, input)) {
            return ok({
              kind: 'waits',
              what: `${nameOf(input)} has no ClusterWorkloadLock: its controller does not run`,
            })
          }
          const missing = typeof input.controller === 'string' ? null : missingClusterLocks(found.value, ctx)
          if (missing !== null) return ok({ kind: 'waits', what: missing })
          const open = locks.filter(({ state }) => state !== 'inactive')
          if (open.length === 0) return ok({ kind: 'so', note: noteOf(locks.map(({ name }) => name)) })
          const failing = open.find(({ state }) => state === 'failed')
          if (failing !== undefined)
            return ok({ kind: 'stuck', why: `${lockStatesOf([failing])}: its controller gave up.` })
          return ok({ kind: 'waits', what: lockStatesOf(open), mark: markOf(locks) })
        },
        still: async () => {
          const found = await ctx.world.maintenanceApi.objects(ctx.signal)
          const open = found.ok ? locksMeant(found.value, input).filter(({ state }) => state !== 'inactive') : []
          const serverNowMs = await serverNow(ctx)
          const whys = await Promise.all(open.map(lock => whyStill(lock, serverNowMs, ctx)))
          return someOf(whys.filter(why => why !== ''))
        },
        remedy:
          'Look at what the controller waits for, mend it and retry. Skipping goes on although the application is not ready.',
        choices: ['retry', 'skip', 'abort'],
      },
      ctx,
    ),
  verify: async (input, ctx) => {
    const found = await ctx.world.maintenanceApi.objects(ctx.signal)
    if (!found.ok) return cannotVerify('The cluster workload locks', found.failure)
    const locks = locksMeant(found.value, input)
    const open = locks.filter(({ state }) => state !== 'inactive')
    const read = [clusterLocksEvidence(locks, ctx)]
    if (isMissing(locks, input)) {
      return fails(`${nameOf(input)} has no ClusterWorkloadLock.`, 'Look whether its controller runs.', read)
    }
    const missing = typeof input.controller === 'string' ? null : missingClusterLocks(found.value, ctx)
    if (missing !== null && open.length === 0) return cannotTell(missing, MISSING_REMEDY, read)
    return open.length === 0
      ? holds(noteOf(locks.map(({ name }) => name)), read)
      : fails(
          `Not inactive: ${lockStatesOf(open)}.`,
          'Find out from the controller why it came back, then resume.',
          read,
        )
  },
}

function isMissing(locks: readonly unknown[], input: StepInput): boolean {
  return typeof input.controller === 'string' && locks.length === 0
}

function noteOf(names: readonly string[]): string {
  return names.length === 0 ? 'No other application has a lock on the cluster.' : `${names.join(', ')}: inactive.`
}

function nameOf(input: StepInput): string {
  return typeof input.controller === 'string' ? input.controller : 'Other applications'
}
