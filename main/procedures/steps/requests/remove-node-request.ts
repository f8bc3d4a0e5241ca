import type { Failure } from '../../../../shared/domain/failure.ts'
import { runOf } from '../../../../shared/domain/maintenance-api.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { REQUEST_REMOVED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotTell, cannotVerify, done, fails, holds, ready, refusal } from '../../answers.ts'
import { type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { awaitLocks, STALL_REPORTED_AFTER_MS } from './await-locks.ts'
import { readNodeMaintenance, requestsEvidence } from './node-maintenance.ts'

/** Controllers hold the request by finalizers until their application is back (docs/domain.md A.3). */
export const removeNodeRequest: Step<MaintenanceWorld> = {
  kind: 'remove-node-request',
  role: 'general',
  risk: 'reversible',
  ...stepText('remove-node-request'),
  verifyEarly: true,
  withinMs: 12 * 3_600_000,
  verifyEveryMs: 500,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const seen = await readNodeMaintenance(node, ctx)
    if (!seen.ok) return cannotAsk(thing('MaintenanceRequests'), seen.failure)
    const more = { evidence: [requestsEvidence(seen.value, ctx)] }
    const { requests } = seen.value
    // Also by its usual name, because an empty list would skip the step.
    const hidden = requests.length === 0 ? await requestsStillThere([node], ctx) : ok([])
    if (!hidden.ok) return cannotAsk(thing('NodeMaintenanceRequest', { node }), hidden.failure)
    if (hidden.value.length > 0) return cannotAsk(thing('MaintenanceRequests'), notListed(hidden.value))
    if (requests.length === 0) return done(found('NoNodeRequest', { node }), more)
    return ready(found('NodeRequestsToRemove', { requests: requests.map(request => request.name) }), {
      ...more,
      counted: requests.map(({ uid, name }) => ({ kind: 'request', id: uid, name, values: {} })),
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
    const seen = await readNodeMaintenance(node, ctx)
    if (!seen.ok) return { kind: 'failed', failure: seen.failure }
    for (const request of seen.value.requests) {
      const { name, uid, deletingSince } = request
      if (deletingSince !== null) continue
      // An undo removes only the request of the run that it undoes.
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
        step: 'remove-node-request',
        open: now => (now.requests.length === 0 ? [] : now.locks.filter(lock => lock.state !== 'active')),
        more: now =>
          now.requests.length === 0
            ? null
            : found('NodeRequestGoes', { finalizers: now.requests.flatMap(request => request.finalizers) }),
        // The failure may come from the way in: its controller gets time to see that the request is gone.
        failedForMs: STALL_REPORTED_AFTER_MS,
        done: () => found('RequestGone'),
      },
      ctx,
    )
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const now = await readNodeMaintenance(node, ctx)
    if (!now.ok) return cannotVerify(thing('MaintenanceRequests'), now.failure)
    const seen = [requestsEvidence(now.value, ctx)]
    if (now.value.requests.length > 0) {
      return fails(fault('NodeRequestsStillThere', { requests: now.value.requests.map(({ name }) => name) }), seen)
    }
    const names = [node, ...ctx.counted().flatMap(({ kind, name }) => (kind === 'request' ? [name] : []))]
    const hidden = await requestsStillThere(names, ctx)
    if (!hidden.ok) return cannotVerify(thing('MaintenanceRequests'), hidden.failure)
    return hidden.value.length > 0
      ? cannotTell(fault('NodeRequestsHidden', { requests: hidden.value }), seen)
      : holds(found('NoNodeRequest', { node }), seen)
  },
}

/** Read one by one, whatever a list shows. */
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

/** A list that hides these requests is not valid. */
function notListed(requests: readonly string[]): Failure {
  return refusal('unreadable', { ...fault('NodeRequestsHidden', { requests }), remedy: '' })
}
