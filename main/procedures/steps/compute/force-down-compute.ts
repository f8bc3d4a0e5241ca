import { disabledReasonOf } from '../../../../shared/domain/disabled-reason.ts'
import { failure } from '../../../../shared/domain/failure.ts'
import { FORCED_DOWN_ANNOTATION } from '../../../../shared/domain/rescue.ts'
import {
  COMPUTE_FORCE_DOWN_REQUESTED,
  COMPUTE_LAST_REPORT,
  OPERATOR_ANSWERED,
} from '../../../../shared/domain/run-facts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { cannotAsk, cannotVerify, done, fails, holds, ready } from '../../answers.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { staysAway } from '../general/machine-away.ts'
import { computeServiceEvidence, readComputeService } from './compute-service.ts'
import { recordLastReport } from './compute-silence.ts'
import { noteInstancesBefore } from './note-instances.ts'

/**
 * Nova is told that the host failed, and schedules nothing onto it before somebody brings it back: until then its nova-compute counts as down, whatever it
 * reports. The node carries a note of it, for whoever does.
 */
export const forceDownCompute: Step<MaintenanceWorld> = {
  kind: 'force-down-compute',
  role: 'compute',
  risk: 'disruptive',
  why: 'Nova rebuilds instances elsewhere only where it knows that their host failed.',
  title: input => `Force nova-compute of ${nodeOf(input)} down`,
  verifyEarly: true,
  withinMs: 120_000,
  verifyEveryMs: 1_000,
  undo: 'Bring the node back into service once its machine runs: that forces it down no longer.',
  check: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotAsk(`nova-compute of ${nodeOf(input)}`, service.failure)
    const { host, status, forcedDown } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    if (forcedDown && status === 'disabled') {
      const words = `nova-compute on ${host} is forced down and disabled already`
      return isRecorded(ctx)
        ? done(`${words}.`, { evidence: seen })
        : ready(`${words}; when it last reported is recorded.`, { evidence: seen })
    }
    return ready(`nova-compute on ${host} is ${status} and ${forcedDown ? 'forced down' : service.value.state}.`, {
      evidence: seen,
      effects: [
        {
          kind: 'change',
          target: `nova-compute on ${host}`,
          from: forcedDown ? `${status}, forced down` : status,
          to: 'disabled, forced down',
        },
      ],
    })
  },
  apply: async (input, ctx) => {
    const node = nodeOf(input)
    const service = await readComputeService(node, ctx)
    if (!service.ok) return { kind: 'failed', failure: service.failure }
    const { host, id, status, state, forcedDown } = service.value
    if (state === 'up') {
      return {
        kind: 'failed',
        failure: failure('conflict', `nova-compute on ${host} is up: its machine runs. Nothing was forced down.`, {
          target: `nova-compute/${host}`,
        }),
      }
    }
    const away = await staysAway(input, ctx)
    if (!away.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: away.failure }
    await noteInstancesBefore(node, ctx)
    if (forcedDown && status === 'disabled') {
      if (isUnrecorded(ctx)) return { kind: 'question', ...unrecordedQuestion(host) }
      recordLastReport(service.value, ctx)
      return { kind: 'applied', note: `nova-compute on ${host} is forced down and disabled already.` }
    }
    ctx.announce(COMPUTE_FORCE_DOWN_REQUESTED, `nova-compute/${host}`, { id, machineIsOff: ctx.options.machineIsOff })
    // What somebody else forced down is theirs: no note says that it may be undone.
    const noted = forcedDown
      ? null
      : await ctx.world.kubernetes.annotateNode(node, { [FORCED_DOWN_ANNOTATION]: ctx.runId }, ctx.signal)
    if (noted?.ok === false) return { kind: 'failed', failure: noted.failure }
    const reason = status === 'disabled' ? null : disabledReasonOf(ctx.runId, ctx.options.reason)
    const answer = await cloudOf(ctx).forceComputeServiceDown(id, reason, ctx.signal)
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    // What it reports from here on shows that its machine runs.
    const after = await ctx.outlast(`nova-compute of ${node}`, () => readComputeService(node, ctx))
    if (!after.ok) return { kind: 'failed', failure: after.failure }
    if (after.value.forcedDown) recordLastReport(after.value, ctx)
    return { kind: 'applied', note: `nova-compute on ${host} is forced down and disabled.` }
  },
  verify: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotVerify(`nova-compute of ${nodeOf(input)}`, service.failure)
    const { host, status, state, forcedDown } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    return forcedDown && state === 'down' && status === 'disabled'
      ? holds(`nova-compute on ${host} is forced down and disabled.`, seen)
      : fails(
          `nova-compute on ${host} is ${status} and ${state}${forcedDown ? ', forced down' : ''}.`,
          'Somebody changed it meanwhile; find out who before going on.',
          seen,
        )
  },
}

function isRecorded(ctx: MaintenanceContext): boolean {
  return ctx.runHistory().some(({ fact }) => fact === COMPUTE_LAST_REPORT)
}

/** Whether this run was ended between its force-down and the record of it: what nova-compute reported between the two is not known. A person's answer is a new decision. */
function isUnrecorded(ctx: MaintenanceContext): boolean {
  const last = ctx
    .history()
    .findLast(
      ({ fact, values }) =>
        fact === COMPUTE_FORCE_DOWN_REQUESTED ||
        fact === COMPUTE_LAST_REPORT ||
        (fact === OPERATOR_ANSWERED && values.choice === 'continue'),
    )
  return last?.fact === COMPUTE_FORCE_DOWN_REQUESTED
}

function unrecordedQuestion(host: string) {
  return {
    question: `Lockkeeper was ended just as it forced nova-compute on ${host} down: whether it reported since is not known, and Nova shows it as down whatever it does. Look at the machine again. Continue if it is off, or abort.`,
    choices: ['continue', 'abort'] as const,
    leansOnAnswer: true as const,
  }
}
