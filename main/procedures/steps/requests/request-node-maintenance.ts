import { nodeLease } from '../../../../shared/domain/lease-name.ts'
import {
  REQUEST_OPERATOR_ANNOTATION,
  REQUEST_REASON_ANNOTATION,
  REQUEST_RUN_ANNOTATION,
} from '../../../../shared/domain/maintenance-api.ts'
import { REQUEST_CREATED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, evidence, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { noteInstancesBefore } from '../compute/note-instances.ts'
import { heldMessage } from '../general/node-lease.ts'
import { readNodeMaintenance, requestsEvidence } from './node-maintenance.ts'

/** The NodeMaintenanceRequest by which the controllers learn of the maintenance (seed 001; seed 003 phases 3 and 4). */
export const requestNodeMaintenance: Step<MaintenanceWorld> = {
  kind: 'request-node-maintenance',
  role: 'general',
  risk: 'disruptive',
  why: 'The application controllers prepare the node when they see this request.',
  title: input => `Request maintenance of ${nodeOf(input)}, scope ${scopeOf(input)}`,
  verifyEarly: true,
  withinMs: 60_000,
  verifyEveryMs: 500,
  undo: 'Remove the NodeMaintenanceRequest: the leave procedure does it, and the controllers bring their applications back.',
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const found = await readNodeMaintenance(node, ctx)
    if (!found.ok) return cannotAsk('The node maintenance API', found.failure)
    const live = found.value.requests.find(request => request.deletingSince === null)
    const more = { evidence: [requestsEvidence(found.value, ctx)] }
    if (live !== undefined && live.scope === scopeOf(input)) {
      return done(`The request ${live.name} is there already, with scope ${live.scope}.`, more)
    }
    // Nothing keeps anybody from rebooting it: that the scope does not allow that is said where the node is asked for.
    const drain = scopeOf(input) === 'drain' ? ` Scope drain: do not reboot ${node}, its instances stay on it.` : ''
    return ready(`No request for ${node} yet.${drain}`, {
      ...more,
      effects: [
        { kind: 'change', target: `NodeMaintenanceRequest of ${node}`, from: 'absent', to: `scope ${scopeOf(input)}` },
      ],
    })
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const found = await readNodeMaintenance(node, ctx)
    if (!found.ok) return { kind: 'failed', failure: found.failure }
    const holder = await ctx.world.kubernetes.leases.holder(nodeLease(node), ctx.signal)
    if (!holder.ok) return { kind: 'failed', failure: holder.failure }
    if (holder.value !== null && holder.value.runId !== ctx.runId) {
      return {
        kind: 'question',
        question: `${heldMessage(node, holder.value)} Retry when that run is over, or abort.`,
        choices: ['retry', 'abort'],
      }
    }
    const live = found.value.requests.find(request => request.deletingSince === null)
    if (live !== undefined) return { kind: 'applied', note: `The request ${live.name} is there already.` }
    const going = found.value.requests[0]
    if (going !== undefined) {
      return {
        kind: 'question',
        question: `${node} is still coming back from an earlier maintenance: its request ${going.name} is Terminating since ${going.deletingSince ?? 'some time'} and is held by ${going.finalizers.join(', ') || 'nobody'}. Retry when it is gone, or abort.`,
        choices: ['retry', 'abort'],
      }
    }
    // Before anybody who prepares the node stops one of them.
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
    if (made.ok) return { kind: 'applied', note: `The request ${made.value.name} is made.` }
    // Somebody was as fast, or our own earlier process: the world is looked at, not the answer.
    const now = await readNodeMaintenance(node, ctx)
    const there = now.ok && now.value.requests.some(request => request.deletingSince === null)
    return there ? { kind: 'applied', note: 'A request is there.' } : { kind: 'failed', failure: made.failure }
  },
  verify: async (input, ctx) => {
    const node = nodeOf(input)
    const found = await readNodeMaintenance(node, ctx)
    if (!found.ok) return cannotVerify('The node maintenance API', found.failure)
    const seen = [requestsEvidence(found.value, ctx)]
    const live = found.value.requests.find(request => request.deletingSince === null)
    if (live === undefined) {
      return fails(
        `There is no maintenance request for ${node}.`,
        'Somebody removed it; find out who before going on.',
        seen,
      )
    }
    if (live.scope !== scopeOf(input)) {
      return fails(
        `The request ${live.name} has scope ${live.scope ?? 'none'}, not ${scopeOf(input)}.`,
        `Remove it if it is not needed (kubectl delete nodemaintenancerequest ${live.name}), then try again.`,
        seen,
        false,
      )
    }
    return holds(`The request ${live.name} is there, scope ${live.scope}.`, [
      ...seen,
      evidence(`nodemaintenancerequest/${live.name}`, ctx.at(), { uid: live.uid, createdAt: live.createdAt }),
    ])
  },
}

/** The scope of a request step. */
export function scopeOf(input: StepInput): 'drain' | 'os' {
  return input.scope === 'drain' ? 'drain' : 'os'
}
