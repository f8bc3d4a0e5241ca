import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { instancesInTheWay } from '../compute/instances-in-the-way.ts'
import { noteInstancesAfter, noteInstancesBefore } from '../compute/note-instances.ts'
import { awaitLocks } from './await-locks.ts'
import {
  countedLocks,
  locksEvidence,
  locksUntold,
  missingLocks,
  type NodeMaintenance,
  readNodeMaintenance,
  waitingFor,
} from './node-maintenance.ts'

/** All application controllers are done with the node: LCM acts only when ALL its locks are inactive (seed 003; docs/domain.md A.4). */
export const nodeLocksInactive: Step<MaintenanceWorld> = {
  kind: 'node-locks-inactive',
  role: 'general',
  risk: 'disruptive',
  why: 'An active lock means that an application is not ready for the node to be worked on.',
  title: input => `Wait until every lock of ${nodeOf(input)} is inactive`,
  verifyEarly: true,
  withinMs: 24 * 3_600_000,
  verifyEveryMs: 1_000,
  undo: 'The locks become active again when the maintenance request is removed.',
  check: async (input, ctx) => {
    const found = await readNodeMaintenance(nodeOf(input), ctx)
    if (!found.ok) return cannotAsk('The workload locks', found.failure)
    const more = { evidence: [locksEvidence(found.value, ctx)], counted: countedLocks(found.value) }
    const isWhole = missingLocks(found.value, ctx) === null
    if (isWhole && found.value.locks.length > 0 && isPrepared(found.value))
      return done('All locks are inactive already.', more)
    return ready(`${found.value.locks.map(lock => lock.controller).join(', ') || 'No controller'} to answer.`, more)
  },
  apply: async (input, ctx) => {
    await noteInstancesBefore(nodeOf(input), ctx)
    const answer = await awaitLocks(
      {
        node: nodeOf(input),
        open: found => found.locks.filter(lock => lock.state !== 'inactive'),
        more: found => missingLocks(found, ctx),
        vain: found =>
          found.requests.some(request => request.deletingSince === null)
            ? null
            : `The maintenance request of ${found.node} is gone: somebody removed it, and the controllers bring the node back. Find out who. Abort, or make the request again and retry.`,
        failedForMs: 0,
        remedy:
          'Change the mode of the host or of the instances named, move or stop them, or look at the controller; then retry. Skipping goes on although an application is not ready.',
        detail: open => instancesInTheWay(nodeOf(input), open, ctx),
        done: found =>
          `All locks are inactive: ${found.locks.map(lock => lock.controller).join(', ') || 'there are none'}.`,
      },
      ctx,
    )
    if (answer.kind === 'applied' || answer.kind === 'question') await noteInstancesAfter(nodeOf(input), ctx)
    return answer
  },
  verify: async (input, ctx) => {
    const found = await readNodeMaintenance(nodeOf(input), ctx)
    if (!found.ok) return cannotVerify('The workload locks', found.failure)
    const open = found.value.locks.filter(lock => lock.state !== 'inactive')
    const seen = [locksEvidence(found.value, ctx)]
    const missing = open.length === 0 ? missingLocks(found.value, ctx) : null
    if (missing !== null) return locksUntold(missing, seen)
    return open.length === 0
      ? holds(`${found.value.locks.map(lock => lock.controller).join(', ') || 'No controller'}: inactive.`, seen)
      : fails(
          `Not inactive: ${waitingFor(open, 'is not ready')}.`,
          'Do not touch the node: an application is not ready, or came back. Find out why, then resume.',
          seen,
        )
  },
}

function isPrepared(found: NodeMaintenance): boolean {
  return found.locks.every(lock => lock.state === 'inactive')
}
