import { disabledReasonOf, isMaintenanceReason, isReasonOfNova } from '../../../../shared/domain/disabled-reason.ts'
import { isDisabledAndUp } from '../../../../shared/domain/node-conditions.ts'
import { COMPUTE_DISABLE_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { applied, cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { cloudOf, nodeOf } from '../../node-input.ts'
import { computeServiceEvidence, readComputeService } from './compute-service.ts'
import { noteInstancesBefore } from './note-instances.ts'

/** Nova schedules nothing onto the node; nova-compute stays up, and its disabled reason names the run (seed 004). */
export const disableCompute: Step<MaintenanceWorld> = {
  kind: 'disable-compute',
  role: 'compute',
  risk: 'reversible',
  ...stepText('disable-compute'),
  verifyEarly: true,
  withinMs: 120_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotAsk(thing('ComputeOfNode', { node: nodeOf(input) }), service.failure)
    const { host, status, disabledReason } = service.value
    if (status === 'enabled') {
      return ready(found('ComputeEnabled', { host }), {
        evidence: [computeServiceEvidence(service.value, ctx)],
        effects: [{ kind: 'change', target: `nova-compute on ${host}`, from: 'enabled', to: 'disabled' }],
      })
    }
    if (isReasonOfNova(disabledReason)) {
      return ready(found('ComputeDisabledItself', { host, reason: disabledReason }), {
        evidence: [computeServiceEvidence(service.value, ctx)],
        effects: [{ kind: 'change', target: `nova-compute on ${host}`, from: 'disabled by Nova', to: 'disabled' }],
      })
    }
    const foreign = !isMaintenanceReason(disabledReason)
    return done(found('ComputeDisabledAlready', { host, reason: disabledReason }), {
      evidence: [computeServiceEvidence(service.value, ctx)],
      warnings: foreign ? [found('ComputeReasonKept', { host, reason: disabledReason })] : [],
    })
  },
  apply: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return { kind: 'failed', failure: service.failure }
    await noteInstancesBefore(nodeOf(input), ctx)
    const { host, id, status, disabledReason } = service.value
    const before = status === 'disabled' ? disabledReason : null
    if (status === 'disabled' && !isReasonOfNova(before)) return applied(found('ComputeWasDisabled', { host }))
    const reason = disabledReasonOf(ctx.runId, ctx.options.reason)
    ctx.announce(COMPUTE_DISABLE_REQUESTED, `nova-compute/${host}`, {
      id,
      reason,
      ...(before === null ? {} : { before }),
    })
    const answer = await cloudOf(ctx).disableComputeService(id, reason, ctx.signal)
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    return applied(found('ComputeDisabled', { host: answer.value.host, reason }))
  },
  verify: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotVerify(thing('ComputeOfNode', { node: nodeOf(input) }), service.failure)
    const seen = [computeServiceEvidence(service.value, ctx)]
    const { host, status, disabledReason } = service.value
    if (status === 'disabled' && isReasonOfNova(disabledReason)) {
      return fails(fault('ComputeWouldEnableItself', { host, reason: disabledReason }), seen)
    }
    if (isDisabledAndUp(service.value, false).holds === 'holds') {
      return holds(found('ComputeDisabledAndUp', { host }), seen)
    }
    return fails(
      status === 'disabled' ? fault('ComputeDisabledButDown', { host }) : fault('ComputeEnabledAgain', { host }),
      seen,
    )
  },
}
