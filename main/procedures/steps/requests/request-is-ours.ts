import {
  REQUEST_OPERATOR_ANNOTATION,
  REQUEST_REASON_ANNOTATION,
  REQUEST_RUN_ANNOTATION,
} from '../../../../shared/domain/maintenance-api.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import { BY_FORCE, blocker, cannotAsk, readyUnless, refusal } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { readNodeMaintenance, requestsEvidence } from './node-maintenance.ts'

/** An undo would end the maintenance of LCM, or of a colleague with kubectl (seed 001). */
export const requestIsOurs = checkStep({
  kind: 'request-is-ours',
  role: 'general',
  ...stepText('request-is-ours'),
  withinMs: 30_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const seen = await readNodeMaintenance(node, ctx)
    if (!seen.ok) return cannotAsk(thing('MaintenanceRequests'), seen.failure)
    if (seen.value.requests.length === 0) {
      // LCM and Lockkeeper both name the node's request like this.
      const there = await ctx.world.maintenanceApi.uidOf({ kind: 'NodeMaintenanceRequest', name: node }, ctx.signal)
      if (!there.ok) return cannotAsk(thing('MaintenanceRequests'), there.failure)
      if (there.value !== null) {
        return cannotAsk(thing('MaintenanceRequests'), refusal('unreadable', fault('NodeRequestNotListed', { node })))
      }
    }
    const live = seen.value.requests.filter(({ deletingSince }) => deletingSince === null)
    const others = live.filter(({ annotations }) => annotations[REQUEST_RUN_ANNOTATION] === undefined)
    const ours = live.filter(({ annotations }) => annotations[REQUEST_RUN_ANNOTATION] !== undefined)
    const requests = ours.map(({ name, annotations }) => ({
      request: name,
      by: annotations[REQUEST_OPERATOR_ANNOTATION] ?? null,
      reason: annotations[REQUEST_REASON_ANNOTATION] ?? null,
    }))
    return readyUnless(
      others.map(({ name: request, createdAt: since }) =>
        blocker(fault('NodeRequestOfOthers', { node, request, since }), BY_FORCE),
      ),
      requests.length === 0 ? found('NobodyRequestsNode', { node }) : found('NodeRequestsAreOurs', { requests }),
      { evidence: [requestsEvidence(seen.value, ctx)] },
    )
  },
})
