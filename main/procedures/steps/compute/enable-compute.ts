import { isMaintenanceReason, isOurDisabledReason, isReasonOfNova } from '../../../../shared/domain/disabled-reason.ts'
import { COMPUTE_ENABLE_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { applied, cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { cloudOf, nodeOf } from '../../node-input.ts'
import { computeServiceEvidence, readComputeService } from './compute-service.ts'

/** With a `reason` in the input: only what was disabled for exactly that; otherwise for any maintenance of the host. */
function isToEnable(input: StepInput, disabledReason: string | null): boolean {
  return typeof input.reason === 'string' ? disabledReason === input.reason : isMaintenanceReason(disabledReason)
}

/** Nova schedules onto the node again, if it was disabled for a maintenance, ours or Watcher's (docs/domain.md A.2; seed 004). */
export const enableCompute: Step<MaintenanceWorld> = {
  kind: 'enable-compute',
  role: 'compute',
  risk: 'reversible',
  ...stepText('enable-compute'),
  verifyEarly: false,
  withinMs: 120_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotAsk(thing('ComputeOfNode', { node: nodeOf(input) }), service.failure)
    const { host, status, disabledReason } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    if (status === 'enabled') return done(found('ComputeEnabledAlready', { host }), { evidence: seen })
    if (!isToEnable(input, disabledReason)) {
      return done(found('ComputeReasonNotOurs', { host }), {
        evidence: seen,
        warnings: [
          isReasonOfNova(disabledReason)
            ? found('ComputeEnablesItself', { host, reason: disabledReason })
            : found('ComputeToEnableByHand', { host, reason: disabledReason }),
        ],
      })
    }
    const by = isOurDisabledReason(disabledReason) ? 'us' : 'watcher'
    return ready(found('ComputeDisabledForMaintenance', { host, reason: disabledReason, by }), {
      evidence: seen,
      effects: [{ kind: 'change', target: `nova-compute on ${host}`, from: 'disabled', to: 'enabled' }],
    })
  },
  apply: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return { kind: 'failed', failure: service.failure }
    const { host, status, disabledReason, id } = service.value
    if (status === 'enabled') return applied(found('ComputeEnabledAlready', { host }))
    if (!isToEnable(input, disabledReason)) {
      return applied(found('ComputeNotEnabled', { host, reason: disabledReason }))
    }
    ctx.announce(COMPUTE_ENABLE_REQUESTED, `nova-compute/${host}`, { id })
    const answer = await cloudOf(ctx).enableComputeService(id, ctx.signal)
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    return applied(found('ComputeEnabled', { host }))
  },
  verify: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotVerify(thing('ComputeOfNode', { node: nodeOf(input) }), service.failure)
    const { host, status, state, disabledReason } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    if (status === 'enabled' && state === 'up') return holds(found('ComputeEnabledAndUp', { host }), seen)
    if (status === 'enabled') return fails(fault('ComputeEnabledButDown', { host }), seen)
    if (!isToEnable(input, disabledReason)) {
      return holds(found('ComputeStaysDisabled', { host, reason: disabledReason }), seen)
    }
    return fails(fault('ComputeStillDisabled', { host, reason: disabledReason }), seen)
  },
}
