import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { awaitLocks, STALL_REPORTED_AFTER_MS } from './await-locks.ts'
import {
  controllersOf,
  countedLocks,
  lockSays,
  locksEvidence,
  locksUnreported,
  missingLocks,
  readNodeMaintenance,
} from './node-maintenance.ts'

/** All applications are back on the node: all its locks are active (seed 001; docs/domain.md A.3). */
export const nodeLocksActive: Step<MaintenanceWorld> = {
  kind: 'node-locks-active',
  role: 'general',
  risk: 'none',
  ...stepText('node-locks-active'),
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const seen = await readNodeMaintenance(nodeOf(input), ctx)
    if (!seen.ok) return cannotAsk(thing('WorkloadLocks'), seen.failure)
    const more = { evidence: [locksEvidence(seen.value, ctx)], counted: countedLocks(seen.value) }
    const missing = missingLocks(seen.value, ctx)
    const open = seen.value.locks.filter(lock => lock.state !== 'active')
    return missing === null && open.length === 0 && seen.value.requests.length === 0
      ? done(found('AllNodeLocksActive'), more)
      : ready(found('NodeLocksToComeBack', { controllers: controllersOf(open) }), more)
  },
  apply: async (input, ctx) =>
    awaitLocks(
      {
        node: nodeOf(input),
        step: 'node-locks-active',
        open: seen => seen.locks.filter(lock => lock.state !== 'active'),
        more: seen => missingLocks(seen, ctx),
        // The failure may come from the way in: its controller gets time to see that the request is gone.
        failedForMs: STALL_REPORTED_AFTER_MS,
        done: seen => found('NodeLocksBecameActive', { controllers: controllersOf(seen.locks) }),
      },
      ctx,
    ),
  verify: async (input, ctx) => {
    const seen = await readNodeMaintenance(nodeOf(input), ctx)
    if (!seen.ok) return cannotVerify(thing('WorkloadLocks'), seen.failure)
    const { locks } = seen.value
    const open = locks.filter(lock => lock.state !== 'active')
    const read = [locksEvidence(seen.value, ctx)]
    const missing = open.length === 0 ? missingLocks(seen.value, ctx) : null
    if (missing !== null) return locksUnreported(missing, read)
    return open.length === 0
      ? holds(found('NodeLocksActive', { controllers: controllersOf(locks) }), read)
      : fails(fault('NodeLocksNotBack', { locks: open.map(lockSays) }), read)
  },
}
