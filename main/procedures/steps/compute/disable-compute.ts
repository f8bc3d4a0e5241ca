import { disabledReasonOf, isMaintenanceReason } from '../../../../shared/domain/disabled-reason.ts'
import { isDisabledAndUp } from '../../../../shared/domain/node-conditions.ts'
import { COMPUTE_DISABLE_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { cloudOf, nodeOf } from '../../node-input.ts'
import { computeServiceEvidence, readComputeService } from './compute-service.ts'
import { noteInstancesBefore } from './note-instances.ts'

/** nova-compute of the node takes no new instances, with a reason that carries the run; it stays up (seed 004, verify "Nova is disabled"). */
export const disableCompute: Step<MaintenanceWorld> = {
  kind: 'disable-compute',
  role: 'compute',
  risk: 'reversible',
  why: 'Nova must not schedule new instances onto the node.',
  title: input => `Disable nova-compute of ${nodeOf(input)}`,
  verifyEarly: true,
  withinMs: 120_000,
  verifyEveryMs: 1_000,
  undo: 'Enable nova-compute again: the leave procedure does it.',
  check: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotAsk(`nova-compute of ${nodeOf(input)}`, service.failure)
    const { host, status, disabledReason } = service.value
    if (status === 'enabled') {
      return ready(`nova-compute on ${host} is enabled.`, {
        evidence: [computeServiceEvidence(service.value, ctx)],
        effects: [{ kind: 'change', target: `nova-compute on ${host}`, from: 'enabled', to: 'disabled' }],
      })
    }
    const foreign = !isMaintenanceReason(disabledReason)
    return done(`nova-compute on ${host} is disabled already: ${disabledReason ?? 'no reason given'}.`, {
      evidence: [computeServiceEvidence(service.value, ctx)],
      warnings: foreign
        ? [
            `Somebody else disabled nova-compute on ${host} (${disabledReason ?? 'no reason given'}). The reason is kept, and leave will not enable it.`,
          ]
        : [],
    })
  },
  apply: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return { kind: 'failed', failure: service.failure }
    await noteInstancesBefore(nodeOf(input), ctx)
    if (service.value.status === 'disabled')
      return { kind: 'applied', note: `nova-compute on ${service.value.host} is disabled already.` }
    const reason = disabledReasonOf(ctx.runId, ctx.options.reason)
    ctx.announce(COMPUTE_DISABLE_REQUESTED, `nova-compute/${service.value.host}`, { id: service.value.id, reason })
    const answer = await cloudOf(ctx).disableComputeService(service.value.id, reason, ctx.signal)
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    return { kind: 'applied', note: `nova-compute on ${answer.value.host} is disabled: ${reason}.` }
  },
  verify: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotVerify(`nova-compute of ${nodeOf(input)}`, service.failure)
    const seen = [computeServiceEvidence(service.value, ctx)]
    const disabled = isDisabledAndUp(service.value, false)
    if (disabled.holds === 'holds') return holds(disabled.text, seen)
    return fails(
      disabled.text,
      service.value.status === 'disabled'
        ? 'Bring nova-compute back: the hypervisor service has to stay active.'
        : 'Somebody enabled it again; find out who before going on.',
      seen,
    )
  },
}
