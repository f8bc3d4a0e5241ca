import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { instancesInTheWay } from '../compute/instances-in-the-way.ts'
import { noteInstancesAfter, noteInstancesBefore } from '../compute/note-instances.ts'
import { awaitLocks } from './await-locks.ts'
import {
  controllersOf,
  countedLocks,
  lockSays,
  locksEvidence,
  locksUnreported,
  missingLocks,
  readNodeMaintenance,
} from './node-maintenance.ts'

/** LCM acts only when ALL locks of the node are inactive (seed 003; docs/domain.md A.4). */
export const nodeLocksInactive: Step<MaintenanceWorld> = {
  kind: 'node-locks-inactive',
  role: 'general',
  risk: 'disruptive',
  ...stepText('node-locks-inactive'),
  verifyEarly: true,
  withinMs: 24 * 3_600_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const seen = await readNodeMaintenance(nodeOf(input), ctx)
    if (!seen.ok) return cannotAsk(thing('WorkloadLocks'), seen.failure)
    const { locks } = seen.value
    const more = { evidence: [locksEvidence(seen.value, ctx)], counted: countedLocks(seen.value) }
    const isPrepared = locks.length > 0 && locks.every(lock => lock.state === 'inactive')
    return isPrepared && missingLocks(seen.value, ctx) === null
      ? done(found('AllNodeLocksInactive'), more)
      : ready(found('NodeLocksToAnswer', { controllers: controllersOf(locks) }), more)
  },
  apply: async (input, ctx) => {
    await noteInstancesBefore(nodeOf(input), ctx)
    const answer = await awaitLocks(
      {
        node: nodeOf(input),
        step: 'node-locks-inactive',
        open: seen => seen.locks.filter(lock => lock.state !== 'inactive'),
        more: seen => missingLocks(seen, ctx),
        vain: ({ node, requests }) =>
          requests.some(request => request.deletingSince === null) ? null : fault('NodeRequestVanished', { node }),
        failedForMs: 0,
        instances: open => instancesInTheWay(nodeOf(input), open, ctx),
        done: seen => found('NodeLocksBecameInactive', { controllers: controllersOf(seen.locks) }),
      },
      ctx,
    )
    if (answer.kind === 'applied' || answer.kind === 'question') await noteInstancesAfter(nodeOf(input), ctx)
    return answer
  },
  verify: async (input, ctx) => {
    const seen = await readNodeMaintenance(nodeOf(input), ctx)
    if (!seen.ok) return cannotVerify(thing('WorkloadLocks'), seen.failure)
    const { locks } = seen.value
    const open = locks.filter(lock => lock.state !== 'inactive')
    const read = [locksEvidence(seen.value, ctx)]
    const missing = open.length === 0 ? missingLocks(seen.value, ctx) : null
    if (missing !== null) return locksUnreported(missing, read)
    return open.length === 0
      ? holds(found('NodeLocksInactive', { controllers: controllersOf(locks) }), read)
      : fails(fault('NodeLocksNotReady', { locks: open.map(lockSays) }), read)
  },
}
