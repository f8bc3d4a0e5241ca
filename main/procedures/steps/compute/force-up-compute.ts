import { FORCED_DOWN_ANNOTATION } from '../../../../shared/domain/rescue.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import { COMPUTE_FORCE_UP_REQUESTED, WAITS_FOR } from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { applied, cannotAsk, cannotVerify, fails, holds, ready, refusal } from '../../answers.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { computeServiceEvidence, readComputeService } from './compute-service.ts'

const LOOK_EVERY_MS = 1_000

/** Evacuations whose copy on the old host still exists (nova/compute/manager.py, _destroy_evacuated_instances). */
const UNCLEANED: ReadonlySet<string> = new Set(['accepted', 'pre-migrating', 'done'])

/** Lifts a run's own force-down after nova-compute has destroyed its copies of evacuated instances; Nova refuses while they exist. */
export const forceUpCompute: Step<MaintenanceWorld> = {
  kind: 'force-up-compute',
  role: 'compute',
  risk: 'reversible',
  ...stepText('force-up-compute'),
  verifyEarly: true,
  withinMs: 600_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotAsk(thing('ComputeOfNode', { node: nodeOf(input) }), service.failure)
    const { host, forcedDown } = service.value
    return ready(forcedDown ? found('ComputeToForceUp', { host }) : found('ComputeNoteToRemove', { host }), {
      evidence: [computeServiceEvidence(service.value, ctx)],
      effects: forcedDown
        ? [{ kind: 'change', target: `nova-compute on ${host}`, from: 'forced down', to: 'as it reports' }]
        : [],
    })
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const service = await readComputeService(node, ctx)
    if (!service.ok) return { kind: 'failed', failure: service.failure }
    const { host, id, forcedDown } = service.value
    if (forcedDown) {
      const back = await untilCleanedUp(node, service.value.updatedAt, ctx)
      if (ctx.signal.aborted) return { kind: 'stopped' }
      if (!back.ok) return { kind: 'failed', failure: back.failure }
      ctx.announce(COMPUTE_FORCE_UP_REQUESTED, `nova-compute/${host}`, { id })
      const answer = await cloudOf(ctx).forceComputeServiceUp(id, ctx.signal)
      if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    }
    const noted = await ctx.world.kubernetes.annotateNode(node, { [FORCED_DOWN_ANNOTATION]: null }, ctx.signal)
    if (!noted.ok) return { kind: 'failed', failure: noted.failure }
    return applied(found('ComputeForcedUp', { host }))
  },
  verify: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotVerify(thing('ComputeOfNode', { node: nodeOf(input) }), service.failure)
    const { host, forcedDown, state } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    if (forcedDown) return fails(fault('ComputeStillForcedDown', { host }), seen)
    return state === 'up' ? holds(found('ComputeIsUp', { host }), seen) : fails(fault('ComputeDown', { host }), seen)
  },
}

/** Only its changed time shows that a forced-down service reports. */
async function untilCleanedUp(node: string, before: string | null, ctx: MaintenanceContext): Promise<Result<void>> {
  const { clock, signal, stepId } = ctx
  const { returnTimeoutMs } = ctx.world.cluster.limits
  const began = clock.monotonicMs()
  let isAnswering = false
  let reported: Finding | null = null
  while (!signal.aborted) {
    const service = await ctx.retryTransient(`nova-compute of ${node}`, () => readComputeService(node, ctx))
    if (!service.ok) return service
    const { host, updatedAt } = service.value
    isAnswering ||= updatedAt !== before
    const records = await ctx.retryTransient(`migrations of ${host}`, () => cloudOf(ctx).migrations({ host }, signal))
    if (!records.ok) return records
    const left = records.value.filter(
      ({ type, sourceHost, status }) => type === 'evacuation' && sourceHost === host && UNCLEANED.has(status),
    )
    if (isAnswering && left.length === 0) {
      if (reported !== null) ctx.report(WAITS_FOR, stepId, { what: null })
      return ok(undefined)
    }
    const copies = isAnswering ? left.length : null
    const what =
      copies === null ? found('ComputeToReport', { host }) : found('ComputeToDestroyCopies', { host, copies })
    if (what.code !== reported?.code || what.values.copies !== reported.values.copies) {
      ctx.report(WAITS_FOR, stepId, { what: what.message, code: what.code, values: what.values })
    }
    reported = what
    if (clock.monotonicMs() - began > returnTimeoutMs) {
      const late = fault('ComputeNotBackInTime', { host, copies })
      return failed(refusal('timed-out', late, { target: `nova-compute/${host}` }))
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  return ok(undefined)
}
