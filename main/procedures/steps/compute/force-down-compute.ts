import { disabledReasonOf } from '../../../../shared/domain/disabled-reason.ts'
import { FORCED_DOWN_ANNOTATION } from '../../../../shared/domain/rescue.ts'
import {
  COMPUTE_FORCE_DOWN_REQUESTED,
  COMPUTE_LAST_REPORT,
  OPERATOR_ANSWERED,
} from '../../../../shared/domain/run-facts.ts'
import { fault, found, stepText, thing } from '../../../../shared/words/step-texts.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import type { Step } from '../../../runs/engine/step.ts'
import { applied, asks, cannotAsk, cannotVerify, done, fails, holds, ready, refusal } from '../../answers.ts'
import { cloudOf, type MaintenanceContext, nodeOf } from '../../node-input.ts'
import { staysAway } from '../general/machine-away.ts'
import { computeServiceEvidence, readComputeService } from './compute-service.ts'
import { recordLastReport } from './compute-silence.ts'
import { noteInstancesBefore } from './note-instances.ts'

/** If it reported since, the operator decides after checking the machine. */
const CHOICES = ['continue', 'abort'] as const

/** Nova schedules nothing onto a forced-down host, whatever it reports. An annotation on the node records it for the return. */
export const forceDownCompute: Step<MaintenanceWorld> = {
  kind: 'force-down-compute',
  role: 'compute',
  risk: 'disruptive',
  ...stepText('force-down-compute'),
  verifyEarly: true,
  withinMs: 120_000,
  verifyEveryMs: 1_000,
  check: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotAsk(thing('ComputeOfNode', { node: nodeOf(input) }), service.failure)
    const { host, status, state, forcedDown } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    if (forcedDown && status === 'disabled') {
      return isRecorded(ctx)
        ? done(found('ComputeForcedDownAlready', { host }), { evidence: seen })
        : ready(found('ComputeReportToRecord', { host }), { evidence: seen })
    }
    return ready(found('ComputeToForceDown', { host, status, state, forcedDown }), {
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
      const up = fault('ComputeUpNotForcedDown', { host })
      return { kind: 'failed', failure: refusal('conflict', up, { target: `nova-compute/${host}` }) }
    }
    const away = await staysAway(input, ctx)
    if (!away.ok) return ctx.signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: away.failure }
    await noteInstancesBefore(node, ctx)
    if (forcedDown && status === 'disabled') {
      if (isUnrecorded(ctx)) return asks(found('ComputeReportNotRecorded', { host }), CHOICES, { leansOnAnswer: true })
      recordLastReport(service.value, ctx)
      return applied(found('ComputeForcedDownAlready', { host }))
    }
    ctx.announce(COMPUTE_FORCE_DOWN_REQUESTED, `nova-compute/${host}`, { id, machineIsOff: ctx.options.machineIsOff })
    // If someone else forced it down, no note allows a run to undo that.
    const noted = forcedDown
      ? null
      : await ctx.world.kubernetes.annotateNode(node, { [FORCED_DOWN_ANNOTATION]: ctx.runId }, ctx.signal)
    if (noted?.ok === false) return { kind: 'failed', failure: noted.failure }
    const reason = status === 'disabled' ? null : disabledReasonOf(ctx.runId, ctx.options.reason)
    const answer = await cloudOf(ctx).forceComputeServiceDown(id, reason, ctx.signal)
    if (!answer.ok) return { kind: 'failed', failure: answer.failure }
    // Any report from here on shows that its machine runs.
    const after = await ctx.retryTransient(`nova-compute of ${node}`, () => readComputeService(node, ctx))
    if (!after.ok) return { kind: 'failed', failure: after.failure }
    if (after.value.forcedDown) recordLastReport(after.value, ctx)
    return applied(found('ComputeForcedDown', { host }))
  },
  verify: async (input, ctx) => {
    const service = await readComputeService(nodeOf(input), ctx)
    if (!service.ok) return cannotVerify(thing('ComputeOfNode', { node: nodeOf(input) }), service.failure)
    const { host, status, state, forcedDown } = service.value
    const seen = [computeServiceEvidence(service.value, ctx)]
    return forcedDown && state === 'down' && status === 'disabled'
      ? holds(found('ComputeForcedDown', { host }), seen)
      : fails(fault('ComputeChangedMeanwhile', { host, status, state, forcedDown }), seen)
  },
}

function isRecorded(ctx: MaintenanceContext): boolean {
  return ctx.runHistory().some(({ fact }) => fact === COMPUTE_LAST_REPORT)
}

/** Whether this run ended between its force-down and the record of it: reports in between are unknown. */
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
