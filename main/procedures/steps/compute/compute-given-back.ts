import { ROCKOON_DISABLED_REASON } from '../../../../shared/domain/maintenance-api.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { applied, cannotAsk, cannotVerify, fails, holds, ready } from '../../answers.ts'
import { nodeOf } from '../../node-input.ts'
import { computeServiceEvidence, readComputeService } from './compute-service.ts'

/** The OpenStack Controller has enabled nova-compute again, if it had disabled it (docs/domain.md A.2). Lockkeeper only checks it here. */
export const computeGivenBack: Step<MaintenanceWorld> = {
  kind: 'compute-given-back',
  role: 'compute',
  risk: 'none',
  ...stepText('compute-given-back'),
  verifyEarly: true,
  withinMs: 300_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotAsk(thing('ComputeOfNode', { node: nodeOf(input) }), service.failure)
    const { host, status, disabledReason } = service.value
    const foreign = status === 'disabled' && disabledReason !== ROCKOON_DISABLED_REASON
    return ready(found('ComputeServiceState', { host, state: status }), {
      evidence: [computeServiceEvidence(service.value, ctx)],
      warnings: foreign ? [found('ComputeNotTheControllers', { host, reason: disabledReason })] : [],
    })
  },
  apply: async input => applied(found('LooksAtCompute', { node: nodeOf(input) })),
  verify: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotVerify(thing('ComputeOfNode', { node: nodeOf(input) }), service.failure)
    const { host, status, state, disabledReason } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    if (state !== 'up') return fails(fault('ComputeDown', { host }), seen)
    if (status === 'enabled') return holds(found('ComputeEnabledAndUp', { host }), seen)
    if (disabledReason !== ROCKOON_DISABLED_REASON) {
      return holds(found('ComputeUpAndStaysDisabled', { host, reason: disabledReason }), seen)
    }
    return fails(fault('ComputeNotGivenBack', { host }), seen)
  },
}
