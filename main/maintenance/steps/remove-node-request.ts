import { REQUEST_REMOVED } from '../../../shared/domain/run-facts.ts'
import type { Step } from '../../engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../answers.ts'
import { awaitLocks } from '../await-locks.ts'
import { nodeOf } from '../node-input.ts'
import { readNodeMaintenance, requestsEvidence } from '../node-maintenance.ts'
import type { MaintenanceWorld } from '../ports.ts'

/** The NodeMaintenanceRequest is removed; controllers hold it by finalizers until their application is back (docs/domain.md A.3). */
export const removeNodeRequest: Step<MaintenanceWorld> = {
  kind: 'remove-node-request',
  role: 'general',
  risk: 'reversible',
  why: 'The controllers bring their applications back when the request goes.',
  title: input => `Remove the maintenance request of ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 500,
  undo: 'Enter maintenance again.',
  check: async (input, ctx) => {
    const found = await readNodeMaintenance(nodeOf(input), ctx)
    if (!found.ok) return cannotAsk('The maintenance requests', found.failure)
    const more = { evidence: [requestsEvidence(found.value, ctx)] }
    const { requests } = found.value
    if (requests.length === 0) return done(`There is no maintenance request for ${nodeOf(input)}.`, more)
    return ready(`${requests.map(request => request.name).join(', ')} to remove.`, {
      ...more,
      effects: requests.map(request => ({
        kind: 'change' as const,
        target: `NodeMaintenanceRequest ${request.name}`,
        from: request.deletingSince === null ? `scope ${request.scope ?? 'none'}` : 'Terminating',
        to: 'absent',
      })),
    })
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const found = await readNodeMaintenance(node, ctx)
    if (!found.ok) return { kind: 'failed', failure: found.failure }
    for (const { name, uid, deletingSince } of found.value.requests) {
      if (deletingSince !== null) continue
      ctx.announce(REQUEST_REMOVED, `node/${node}`, { name, uid })
      const gone = await ctx.world.maintenanceApi.deleteRequest(
        { kind: 'NodeMaintenanceRequest', name, uid },
        ctx.signal,
      )
      if (!gone.ok) return { kind: 'failed', failure: gone.failure }
    }
    return awaitLocks(
      {
        node,
        open: now => (now.requests.length === 0 ? [] : now.locks.filter(lock => lock.state !== 'active')),
        more: now =>
          now.requests.length === 0
            ? null
            : `The request is Terminating, held by ${now.requests.flatMap(request => request.finalizers).join(', ') || 'nobody'}`,
        remedy:
          'Look at what the controllers wait for (node Ready, pods ready, agents alive, nova-compute up), mend it and retry. Never remove a finalizer by hand: the controller would forget the node.',
        done: () => 'The request is gone.',
      },
      ctx,
    )
  },
  verify: async (input, ctx) => {
    const found = await readNodeMaintenance(nodeOf(input), ctx)
    if (!found.ok) return cannotVerify('The maintenance requests', found.failure)
    const seen = [requestsEvidence(found.value, ctx)]
    return found.value.requests.length === 0
      ? holds(`There is no maintenance request for ${nodeOf(input)}.`, seen)
      : fails(
          `The request ${found.value.requests.map(request => request.name).join(', ')} is still there.`,
          'Look at what its finalizers wait for, then resume.',
          seen,
        )
  },
}
