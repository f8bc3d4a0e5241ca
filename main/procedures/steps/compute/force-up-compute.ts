import { failure } from '../../../../shared/domain/failure.ts'
import { FORCED_DOWN_ANNOTATION } from '../../../../shared/domain/rescue.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { COMPUTE_FORCE_UP_REQUESTED, WAITS_FOR } from '../../../../shared/domain/run-facts.ts'
import { counted } from '../../../../shared/grammar/counts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, fails, holds, ready } from '../../answers.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { computeServiceEvidence, readComputeService } from './compute-service.ts'

const LOOK_EVERY_MS = 1_000

/** Statuses of an evacuation whose copy on the old host is not destroyed yet (nova/compute/manager.py, _destroy_evacuated_instances). */
const UNCLEANED: ReadonlySet<string> = new Set(['accepted', 'pre-migrating', 'done'])

/**
 * nova-compute of a rescued node is forced down no longer, once it reports and has destroyed its copies of what was evacuated. Planned only where a run of
 * Lockkeeper noted that it forced it down; Nova itself refuses while copies are left.
 */
export const forceUpCompute: Step<MaintenanceWorld> = {
  kind: 'force-up-compute',
  role: 'compute',
  risk: 'reversible',
  why: 'While it is forced down, Nova takes the host for failed, whatever it reports.',
  title: input => `Force nova-compute of ${nodeOf(input)} down no longer`,
  verifyEarly: true,
  withinMs: 600_000,
  verifyEveryMs: 1_000,
  undo: 'None: a host that reports is not forced down.',
  check: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotAsk(`nova-compute of ${nodeOf(input)}`, service.failure)
    const { host, forcedDown } = service.value
    return ready(
      forcedDown
        ? `nova-compute on ${host} is forced down since its machine was off.`
        : `nova-compute on ${host} is not forced down any more; the note of it is to go.`,
      {
        evidence: [computeServiceEvidence(service.value, ctx)],
        effects: forcedDown
          ? [{ kind: 'change', target: `nova-compute on ${host}`, from: 'forced down', to: 'as it reports' }]
          : [],
      },
    )
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
    return { kind: 'applied', note: `nova-compute on ${host} is forced down no longer.` }
  },
  verify: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotVerify(`nova-compute of ${nodeOf(input)}`, service.failure)
    const { host, forcedDown, state } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    if (forcedDown) return fails(`nova-compute on ${host} is still forced down.`, 'Resume the run.', seen)
    return state === 'up'
      ? holds(`nova-compute on ${host} is up.`, seen)
      : fails(`nova-compute on ${host} is down.`, 'Look at its pod and log.', seen)
  },
}

/** A service that is forced down shows that it reports by its time alone: it is heard once that moves while we look. */
async function untilCleanedUp(node: string, before: string | null, ctx: MaintenanceContext): Promise<Result<void>> {
  const { clock, signal, stepId } = ctx
  const { returnTimeoutMs } = ctx.world.cluster.limits
  const began = clock.monotonicMs()
  let isHeard = false
  let told: string | null = null
  while (!signal.aborted) {
    const service = await ctx.outlast(`nova-compute of ${node}`, () => readComputeService(node, ctx))
    if (!service.ok) return service
    const { host, updatedAt } = service.value
    isHeard ||= updatedAt !== before
    const records = await ctx.outlast(`migrations of ${host}`, () => cloudOf(ctx).migrations({ host }, signal))
    if (!records.ok) return records
    const left = records.value.filter(
      ({ type, sourceHost, status }) => type === 'evacuation' && sourceHost === host && UNCLEANED.has(status),
    )
    if (isHeard && left.length === 0) {
      if (told !== null) ctx.report(WAITS_FOR, stepId, { what: null })
      return ok(undefined)
    }
    const what = isHeard
      ? `nova-compute on ${host} to destroy its copies of ${counted(left.length, 'instance')} that were evacuated`
      : `nova-compute on ${host} to report`
    if (what !== told) ctx.report(WAITS_FOR, stepId, { what })
    told = what
    if (clock.monotonicMs() - began > returnTimeoutMs) {
      return {
        ok: false,
        failure: failure('timed-out', `Waited in vain for ${what}. Look at its log, then resume.`, {
          target: `nova-compute/${host}`,
        }),
      }
    }
    await clock.sleep(LOOK_EVERY_MS, signal)
  }
  return ok(undefined)
}
