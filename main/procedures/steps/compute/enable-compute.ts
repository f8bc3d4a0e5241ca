import { isMaintenanceReason, isOurDisabledReason } from '../../../../shared/domain/disabled-reason.ts'
import { COMPUTE_ENABLE_REQUESTED } from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step, StepInput } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { cloudOf, nodeOf } from '../../node-input.ts'
import { computeServiceEvidence, readComputeService } from './compute-service.ts'

/** Whether it is disabled for what is over: with a `reason` in its input for that very one, else for any maintenance of its host. */
function isToEnable(input: StepInput, disabledReason: string | null): boolean {
  return typeof input.reason === 'string' ? disabledReason === input.reason : isMaintenanceReason(disabledReason)
}

/**
 * nova-compute takes instances again, only if it is disabled for a maintenance of its host, ours or Watcher's (as Rockoon does with its own,
 * docs/domain.md A.2; Sunbeam enables it on the way back, seed 004).
 */
export const enableCompute: Step<MaintenanceWorld> = {
  kind: 'enable-compute',
  role: 'compute',
  risk: 'reversible',
  why: 'Nova may schedule instances onto the node again.',
  title: input => `Enable nova-compute of ${nodeOf(input)}`,
  verifyEarly: false,
  withinMs: 120_000,
  verifyEveryMs: 1_000,
  undo: 'Disable nova-compute again.',
  check: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotAsk(`nova-compute of ${nodeOf(input)}`, service.failure)
    const { host, status, disabledReason } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    if (status === 'enabled') return done(`nova-compute on ${host} is enabled already.`, { evidence: seen })
    if (!isToEnable(input, disabledReason)) {
      return done(`nova-compute on ${host} stays disabled: the reason is not ours.`, {
        evidence: seen,
        warnings: [
          `nova-compute on ${host} was disabled by somebody else (${disabledReason ?? 'no reason given'}) and stays disabled. Enable it yourself when that reason is gone.`,
        ],
      })
    }
    const by = isOurDisabledReason(disabledReason) ? 'us' : "Watcher's host maintenance"
    return ready(`nova-compute on ${host} is disabled by ${by}: ${disabledReason ?? ''}.`, {
      evidence: seen,
      effects: [{ kind: 'change', target: `nova-compute on ${host}`, from: 'disabled', to: 'enabled' }],
    })
  },
  apply: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return { kind: 'failed', failure: service.failure }
    const { host, status, disabledReason, id } = service.value
    if (status === 'enabled') return { kind: 'applied', note: `nova-compute on ${host} is enabled already.` }
    if (!isToEnable(input, disabledReason)) {
      return {
        kind: 'applied',
        note: `nova-compute on ${host} stays disabled: ${disabledReason ?? 'no reason given'} is not ours.`,
      }
    }
    ctx.announce(COMPUTE_ENABLE_REQUESTED, `nova-compute/${host}`, { id })
    const answer = await cloudOf(ctx).enableComputeService(id, ctx.signal)
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    return { kind: 'applied', note: `nova-compute on ${host} is enabled.` }
  },
  verify: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotVerify(`nova-compute of ${nodeOf(input)}`, service.failure)
    const { host, status, state, disabledReason } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    if (status === 'enabled' && state === 'up') return holds(`nova-compute on ${host} is enabled and up.`, seen)
    if (status === 'enabled')
      return fails(`nova-compute on ${host} is enabled but down.`, 'Bring nova-compute back.', seen)
    if (!isToEnable(input, disabledReason)) {
      return holds(
        `nova-compute on ${host} stays disabled by somebody else: ${disabledReason ?? 'no reason given'}.`,
        seen,
      )
    }
    return fails(
      `nova-compute on ${host} is still disabled: ${disabledReason ?? ''}.`,
      'Resume the run, or enable it with the openstack client.',
      seen,
    )
  },
}
