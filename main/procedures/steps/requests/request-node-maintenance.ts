import { nodeLease } from '../../../../shared/domain/lease-name.ts'
import {
  REQUEST_OPERATOR_ANNOTATION,
  REQUEST_REASON_ANNOTATION,
  REQUEST_RUN_ANNOTATION,
} from '../../../../shared/domain/maintenance-api.ts'
import { REQUEST_CREATED } from '../../../../shared/domain/run-facts.ts'
import { heldMessage } from '../../../../shared/words/leases.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { applied, asks, cannotAsk, cannotVerify, done, evidence, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { noteInstancesBefore } from '../compute/note-instances.ts'
import { readNodeMaintenance, requestsEvidence } from './node-maintenance.ts'

/** Announces the maintenance to the controllers (seed 001; seed 003 phases 3 and 4). */
export const requestNodeMaintenance: Step<MaintenanceWorld> = {
  kind: 'request-node-maintenance',
  role: 'general',
  risk: 'disruptive',
  ...stepText('request-node-maintenance'),
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const scope = scopeOf(input)
    const seen = await readNodeMaintenance(node, ctx)
    if (!seen.ok) return cannotAsk(thing('NodeMaintenanceApi'), seen.failure)
    const live = seen.value.requests.find(request => request.deletingSince === null)
    const more = { evidence: [requestsEvidence(seen.value, ctx)] }
    if (live !== undefined && live.scope === scope) {
      return done(found('NodeRequestIsThere', { request: live.name, scope }), more)
    }
    // Nothing prevents a reboot: the plan's options warn where the scope does not allow one.
    return ready(found('NodeNotRequested', { node, scope }), {
      ...more,
      effects: [{ kind: 'change', target: `NodeMaintenanceRequest of ${node}`, from: 'absent', to: `scope ${scope}` }],
    })
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const seen = await readNodeMaintenance(node, ctx)
    if (!seen.ok) return { kind: 'failed', failure: seen.failure }
    const holder = await ctx.world.kubernetes.leases.holder(nodeLease(node), ctx.signal)
    if (!holder.ok) return { kind: 'failed', failure: holder.failure }
    if (holder.value !== null && holder.value.runId !== ctx.runId) {
      const held = fault('NodeHeldAtRequest', { node, holder: heldMessage(node, holder.value) })
      return asks(held, ['retry', 'abort'])
    }
    const live = seen.value.requests.find(request => request.deletingSince === null)
    if (live !== undefined) return applied(found('NodeWasRequested', { request: live.name }))
    const going = seen.value.requests[0]
    if (going !== undefined) {
      const { name: request, deletingSince: since, finalizers } = going
      return asks(fault('NodeStillComesBack', { node, request, since, finalizers }), ['retry', 'abort'])
    }
    // Before a controller stops any of them.
    await noteInstancesBefore(node, ctx)
    ctx.announce(REQUEST_CREATED, `node/${node}`, { name: node, scope: scopeOf(input) })
    const made = await ctx.world.maintenanceApi.createNodeRequest(
      {
        name: node,
        nodeName: node,
        scope: scopeOf(input),
        release: typeof input.release === 'string' ? input.release : null,
        annotations: {
          [REQUEST_RUN_ANNOTATION]: ctx.runId,
          [REQUEST_OPERATOR_ANNOTATION]: ctx.operator,
          ...(ctx.options.reason === '' ? {} : { [REQUEST_REASON_ANNOTATION]: ctx.options.reason }),
        },
      },
      ctx.signal,
    )
    if (made.ok) return applied(found('NodeRequested', { request: made.value.name }))
    // Another client, or our earlier process, was faster: the state counts, not the answer.
    const now = await readNodeMaintenance(node, ctx)
    const there = now.ok && now.value.requests.some(request => request.deletingSince === null)
    return there ? applied(found('NodeRequestMadeUnseen')) : { kind: 'failed', failure: made.failure }
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const wanted = scopeOf(input)
    const now = await readNodeMaintenance(node, ctx)
    if (!now.ok) return cannotVerify(thing('NodeMaintenanceApi'), now.failure)
    const seen = [requestsEvidence(now.value, ctx)]
    const live = now.value.requests.find(request => request.deletingSince === null)
    if (live === undefined) return fails(fault('NodeRequestRemoved', { node }), seen)
    const { name: request, scope, uid, createdAt } = live
    return scope === wanted
      ? holds(found('NodeRequestStays', { request, scope }), [
          ...seen,
          evidence(`nodemaintenancerequest/${request}`, ctx.at(), { uid, createdAt }),
        ])
      : fails(fault('NodeRequestScopeDiffers', { request, scope, wanted }), seen, false)
  },
}

export function scopeOf(input: StepInput): 'drain' | 'os' {
  return input.scope === 'drain' ? 'drain' : 'os'
}
