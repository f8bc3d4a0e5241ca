import { ROCKOON_DISABLED_REASON } from '../../../../shared/domain/maintenance-api.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { computeServiceEvidence, readComputeService } from './compute-service.ts'

/**
 * The OpenStack Controller has enabled nova-compute again, where the reason it was disabled for was its own; any other reason stays
 * (docs/domain.md A.2). Only looked at: on this flavour the service is the controller's.
 */
export const computeGivenBack: Step<MaintenanceWorld> = {
  kind: 'compute-given-back',
  role: 'compute',
  risk: 'none',
  why: 'A host whose nova-compute stays disabled takes no instances, and nobody notices.',
  title: input => `nova-compute of ${nodeOf(input)} is given back`,
  verifyEarly: true,
  withinMs: 300_000,
  verifyEveryMs: 1_000,
  undo: 'Nothing to undo: it only looks.',
  check: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotAsk(`nova-compute of ${nodeOf(input)}`, service.failure)
    const { host, status, disabledReason } = service.value
    const foreign = status === 'disabled' && disabledReason !== ROCKOON_DISABLED_REASON
    return ready(`nova-compute on ${host} is ${status}.`, {
      evidence: [computeServiceEvidence(service.value, ctx)],
      warnings: foreign
        ? [
            `nova-compute on ${host} was disabled by somebody else (${disabledReason ?? 'no reason given'}) and stays disabled: the OpenStack Controller enables only what it disabled itself.`,
          ]
        : [],
    })
  },
  apply: async input => ({ kind: 'applied', note: `Looking at nova-compute of ${nodeOf(input)}.` }),
  verify: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotVerify(`nova-compute of ${nodeOf(input)}`, service.failure)
    const { host, status, state, disabledReason } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    if (state !== 'up') return fails(`nova-compute on ${host} is down.`, 'Look at its pod and log.', seen)
    if (status === 'enabled') return holds(`nova-compute on ${host} is enabled and up.`, seen)
    if (disabledReason !== ROCKOON_DISABLED_REASON) {
      return holds(
        `nova-compute on ${host} is up; it stays disabled by somebody else: ${disabledReason ?? 'no reason given'}.`,
        seen,
      )
    }
    return fails(
      `nova-compute on ${host} is still disabled by the OpenStack Controller.`,
      'Look at what the controller waits for; do not enable it by hand.',
      seen,
    )
  },
}
