import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { awaitLocks, TOLD_STILL_AFTER_MS } from './await-locks.ts'
import {
  countedLocks,
  locksEvidence,
  locksUntold,
  missingLocks,
  readNodeMaintenance,
  waitingFor,
} from './node-maintenance.ts'

/** Every application is back on the node: all its locks are active (seed 001; docs/domain.md A.3). */
export const nodeLocksActive: Step<MaintenanceWorld> = {
  kind: 'node-locks-active',
  role: 'general',
  risk: 'none',
  why: 'A lock is active again only when its controller has seen its application work on the node. Whether OpenStack is connected to RabbitMQ is judged by Nova and Neutron: RabbitMQ itself is not asked.',
  title: input => `Wait until every lock of ${nodeOf(input)} is active`,
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only waits.',
  check: async (input, ctx) => {
    const found = await readNodeMaintenance(nodeOf(input), ctx)
    if (!found.ok) return cannotAsk('The workload locks', found.failure)
    const more = { evidence: [locksEvidence(found.value, ctx)], counted: countedLocks(found.value) }
    const missing = missingLocks(found.value, ctx)
    const open = found.value.locks.filter(lock => lock.state !== 'active')
    return missing === null && open.length === 0 && found.value.requests.length === 0
      ? done('All locks are active.', more)
      : ready(`${open.map(lock => lock.controller).join(', ') || 'All controllers'} to come back.`, more)
  },
  apply: async (input, ctx) =>
    awaitLocks(
      {
        node: nodeOf(input),
        open: found => found.locks.filter(lock => lock.state !== 'active'),
        more: found => missingLocks(found, ctx),
        // It may be of the way in: its controller is given the time to see that the request is gone.
        failedForMs: TOLD_STILL_AFTER_MS,
        remedy: 'Look at what the controllers wait for, mend it and retry.',
        done: found =>
          `All locks are active: ${found.locks.map(lock => lock.controller).join(', ') || 'there are none'}.`,
      },
      ctx,
    ),
  verify: async (input, ctx) => {
    const found = await readNodeMaintenance(nodeOf(input), ctx)
    if (!found.ok) return cannotVerify('The workload locks', found.failure)
    const open = found.value.locks.filter(lock => lock.state !== 'active')
    const seen = [locksEvidence(found.value, ctx)]
    const missing = open.length === 0 ? missingLocks(found.value, ctx) : null
    if (missing !== null) return locksUntold(missing, seen)
    return open.length === 0
      ? holds(`${found.value.locks.map(lock => lock.controller).join(', ') || 'No controller'}: active.`, seen)
      : fails(`Not active: ${waitingFor(open, 'is not back')}.`, 'Look at what the controllers wait for.', seen)
  },
}
