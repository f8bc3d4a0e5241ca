import { failure } from '../../../../shared/domain/failure.ts'
import {
  REQUEST_OPERATOR_ANNOTATION,
  REQUEST_REASON_ANNOTATION,
  REQUEST_RUN_ANNOTATION,
} from '../../../../shared/domain/maintenance-api.ts'
import { BY_FORCE, cannotAsk, readyUnless } from '../../answers.ts'
import { checkStep } from '../../check-step.ts'
import { nodeOf } from '../../node-input.ts'
import { readNodeMaintenance, requestsEvidence } from './node-maintenance.ts'

/** Nobody else has the node in maintenance: LCM or a colleague with kubectl would lose it under their hands (seed 001). */
export const requestIsOurs = checkStep({
  kind: 'request-is-ours',
  role: 'general',
  why: 'The one who made a request relies on the locks until they remove it themselves.',
  title: input => `The maintenance of ${nodeOf(input)} is Lockkeeper's to end`,
  withinMs: 30_000,
  check: async (input, ctx) => {
    const node = nodeOf(input)
    const found = await readNodeMaintenance(node, ctx)
    if (!found.ok) return cannotAsk('The maintenance requests', found.failure)
    if (found.value.requests.length === 0) {
      // By this name every request for the node is made, by LCM and by us.
      const there = await ctx.world.maintenanceApi.uidOf({ kind: 'NodeMaintenanceRequest', name: node }, ctx.signal)
      if (!there.ok) return cannotAsk('The maintenance requests', there.failure)
      if (there.value !== null) {
        const doubt = `the list of them does not show ${node}, which is there when asked for by itself.`
        return cannotAsk('The maintenance requests', failure('unreadable', doubt, { retryable: true }))
      }
    }
    const live = found.value.requests.filter(({ deletingSince }) => deletingSince === null)
    const others = live.filter(({ annotations }) => annotations[REQUEST_RUN_ANNOTATION] === undefined)
    const ours = live.filter(({ annotations }) => annotations[REQUEST_RUN_ANNOTATION] !== undefined)
    return readyUnless(
      others.map(({ name, createdAt }) => ({
        code: 'request-of-others',
        message: `The request ${name} for ${node} was not made by Lockkeeper (since ${createdAt}): LCM or a person may be at work on the node.`,
        remedy: 'Let whoever made it remove it.',
        override: BY_FORCE,
      })),
      ours
        .map(({ name, annotations }) => {
          const reason = annotations[REQUEST_REASON_ANNOTATION]
          return `The request ${name} was made by ${annotations[REQUEST_OPERATOR_ANNOTATION] ?? 'Lockkeeper'}${reason === undefined ? '' : ` (${reason})`}.`
        })
        .join(' ') || `Nobody requests maintenance of ${node}.`,
      { evidence: [requestsEvidence(found.value, ctx)] },
    )
  },
})
