import { failure } from '../../../../shared/domain/failure.ts'
import { runOf } from '../../../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { REQUEST_REMOVED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotTell, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { awaitLocks, TOLD_STILL_AFTER_MS } from './await-locks.ts'
import { readNodeMaintenance, requestsEvidence } from './node-maintenance.ts'

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
  undo: 'Take the node out of service again.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const found = await readNodeMaintenance(nodeOf(input), ctx)
    if (!found.ok) return cannotAsk('The maintenance requests', found.failure)
    const more = { evidence: [requestsEvidence(found.value, ctx)] }
    const { requests } = found.value
    // A request by its usual name is asked for by itself: with nothing to do the step is passed.
    const hidden = requests.length === 0 ? await requestsStillThere([node], ctx) : ok([])
    if (!hidden.ok) return cannotAsk(`The maintenance request of ${node}`, hidden.failure)
    if (hidden.value.length > 0)
      return cannotAsk('The maintenance requests', failure('unreadable', hiddenWords(hidden.value)))
    if (requests.length === 0) return done(`There is no maintenance request for ${nodeOf(input)}.`, more)
    return ready(
      `To be removed: ${requests.length === 1 ? 'the request' : 'the requests'} ${requests.map(request => request.name).join(', ')}.`,
      {
        ...more,
        counted: requests.map(({ uid, name }) => ({ kind: 'request', id: uid, name, values: {} })),
        effects: requests.map(request => ({
          kind: 'change' as const,
          target: `NodeMaintenanceRequest ${request.name}`,
          from: request.deletingSince === null ? `scope ${request.scope ?? 'none'}` : 'Terminating',
          to: 'absent',
        })),
      },
    )
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const found = await readNodeMaintenance(node, ctx)
    if (!found.ok) return { kind: 'failed', failure: found.failure }
    for (const request of found.value.requests) {
      const { name, uid, deletingSince } = request
      if (deletingSince !== null) continue
      // An undo takes back the request of the run that it undoes, and no other.
      if (typeof input.of === 'string' && runOf(request) !== input.of) continue
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
        // It may be of the way in: its controller is given the time to see that the request is gone.
        failedForMs: TOLD_STILL_AFTER_MS,
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
    if (found.value.requests.length > 0) {
      return fails(
        `The request ${found.value.requests.map(request => request.name).join(', ')} is still there.`,
        'Look at what its finalizers wait for, then resume.',
        seen,
      )
    }
    const names = [nodeOf(input), ...ctx.counted().flatMap(({ kind, name }) => (kind === 'request' ? [name] : []))]
    const hidden = await requestsStillThere(names, ctx)
    if (!hidden.ok) return cannotVerify('The maintenance requests', hidden.failure)
    return hidden.value.length > 0
      ? cannotTell(hiddenWords(hidden.value), 'Look with `kubectl get nodemaintenancerequests`, then resume.', seen)
      : holds(`There is no maintenance request for ${nodeOf(input)}.`, seen)
  },
}

/** Those of these requests that are there when asked for by themselves, whatever a list of them says. */
async function requestsStillThere(
  names: readonly string[],
  { world, signal }: MaintenanceContext,
): Promise<Result<readonly string[]>> {
  const there: string[] = []
  for (const name of new Set(names)) {
    const uid = await world.maintenanceApi.uidOf({ kind: 'NodeMaintenanceRequest', name }, signal)
    if (!uid.ok) return uid
    if (uid.value !== null) there.push(name)
  }
  return ok(there)
}

function hiddenWords(names: readonly string[]): string {
  return `The list of maintenance requests does not show ${names.join(', ')}, which is there when asked for by itself.`
}
