import {
  isFinalPhase,
  type MaintenanceRun,
  type MaintenanceRunControl,
  type MaintenanceRunControlSpec,
  readableStatus,
} from '../../../shared/domain/maintenance-run.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { isoNow } from '../../platform/clock/clock.ts'
import type { ControlAnswers } from './answer-control.ts'
import { askerName } from './asker-name.ts'
import type { CloudRuns } from './cloud-runs.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { type ControlRequest, judgeControl } from './control-run.ts'
import { whyStranded } from './gone-runners.ts'
import { nodesToEmpty } from './own-place.ts'
import type { ResumeInTime } from './resume-in-time.ts'
import { type JournaledRun, statusUnbegun } from './run-status.ts'

interface ControlParts extends CloudWorkParts {
  readonly runs: CloudRuns
  readonly inTime: ResumeInTime
}

interface Answer {
  readonly outcome: 'Accepted' | 'Refused'
  readonly why: Pick<Finding, 'message'>
}

export function createControlObeyer(
  parts: CloudWorkParts,
  runs: CloudRuns,
  { inTime, answers }: { readonly inTime: ResumeInTime; readonly answers: ControlAnswers },
): (control: MaintenanceRunControl) => Promise<void> {
  return async control => {
    const answer = await obey(control, { ...parts, runs, inTime })
    if (answer !== null) await answers.give(control, answer.outcome, answer.why)
  }
}

/** Null if there is no answer yet. */
async function obey(control: MaintenanceRunControl, parts: ControlParts): Promise<Answer | null> {
  const { objects, runs } = parts
  const { spec } = control
  if ('unreadable' in spec) return refused(because('ObjectUnreadable', { unreadable: spec.unreadable }))
  if (spec.campaign !== undefined) {
    const there = await objects.campaign(spec.campaign)
    const isGone = there.ok && there.value === null
    return isGone ? refused(because('CampaignNotThere', { campaign: spec.campaign })) : null
  }
  const { run: asked = '' } = spec
  const run = runs.current().runs.find(({ name }) => name === asked)
  if (run === undefined) {
    const there = await objects.run(asked)
    return there.ok && there.value === null ? refused(because('NoSuchMaintenanceRun', { run: asked })) : null
  }
  const by = askerName(spec.by, await parts.provesMaker(control.createdAt))
  const runId = runs.runIdOf(run)
  return runId === null ? controlUnbegun(control, spec, run, by, parts) : controlBegun(spec, run, runId, by, parts)
}

/** For a run that is not in this journal: it can only be withdrawn. */
async function controlUnbegun(
  { uid }: MaintenanceRunControl,
  { control, reason }: MaintenanceRunControlSpec,
  run: MaintenanceRun,
  by: string,
  parts: ControlParts,
): Promise<Answer | null> {
  const { self, runs, writer, memory, clock } = parts
  const status = readableStatus(run)
  if (status?.driver != null && status.driver.runner !== self.runner) {
    if (parts.gone().has(status.driver.runner)) return refused(whyStranded(status))
    memory.resting.add(uid)
    return null
  }
  if (status !== null && isFinalPhase(status.phase))
    return refused(because('MaintenanceRunOver', { run: run.name, phase: status.phase }))
  if (control !== 'abort') return refused(because('MaintenanceRunNotBegun', { run: run.name }))
  const isHandedOver = !('unreadable' in run.spec) && run.spec.handedOver !== null
  const why = because(isHandedOver ? 'WithdrawnUntaken' : 'WithdrawnUnbegun', { by, reason })
  const ended = statusUnbegun('Aborted', [why], {
    nodesAll: runs.nodesAllOf(run),
    driver: null,
    endedAt: isoNow(clock),
  })
  if (!(await writer.now(run, ended))) return null
  runs.endedHere.add(run.uid)
  return accepted(because(isHandedOver ? 'NotTakenOver' : 'NothingBegun'))
}

async function controlBegun(
  spec: MaintenanceRunControlSpec,
  run: MaintenanceRun,
  runId: string,
  by: string,
  parts: ControlParts,
): Promise<Answer | null> {
  const { runs } = parts
  const journaled = runs.journaledRun(run, runId)
  if (!journaled.ok) return refused(journaled.failure)
  const judged = judgeControl(spec, by, journaled.value)
  if (judged.kind === 'refused') return refused(judged.why)
  if (judged.kind === 'done') return accepted(judged.why)
  const request = await requestInTime(judged.request, run, journaled.value, parts)
  if ('message' in request) return refused(request)
  const done = await askAs(by, request, parts)
  if (request.name === 'run.resume' || request.name === 'run.unpause') {
    const isWritten = await noteContinued(run, journaled.value, done.ok, parts)
    if (!isWritten) return null
  }
  return done.ok ? accepted(because('DoneAsAsked', { by })) : refused(done.failure)
}

/** The request that a control becomes now; a finding: why it is refused. */
async function requestInTime(
  request: ControlRequest,
  run: MaintenanceRun,
  journaled: JournaledRun,
  parts: ControlParts,
): Promise<ControlRequest | Finding> {
  const { inTime } = parts
  if (request.name === 'run.unpause') return unpauseRequest(run, journaled, parts)
  if (request.name !== 'run.resume') return request
  const why =
    (await whyNotNow(journaled, parts)) ?? (await inTime.whyNot(run, journaled)) ?? (await inTime.hold(run, journaled))
  return why ?? request
}

/**
 * Notes that a run continues, and returns whether its status says so. Written before the answer: if this process dies now, no runner would continue a run
 * whose status says that it ended.
 */
async function noteContinued(
  run: MaintenanceRun,
  journaled: JournaledRun,
  isDone: boolean,
  { runs, memory }: ControlParts,
): Promise<boolean> {
  const runId = journaled.view.id
  memory.resting.delete(run.uid)
  memory.heldBefore.delete(runId)
  runs.memoryOf(run).isTakenUp = isDone
  if (!isDone) return true
  await runs.holdInTime(run, journaled)
  const status = readableStatus(run)
  if (status === null || !isFinalPhase(status.phase)) return true
  const now = runs.journaledRun(run, runId)
  return !now.ok || runs.reportNow(run, now.value)
}

async function whyNotNow({ view }: JournaledRun, { notNow, runs }: ControlParts): Promise<Finding | null> {
  return notNow() ?? (await runs.whyRunnerOnNode(nodesToEmpty(view)))
}

/**
 * The request that continues a paused run; a finding: why it does not continue. To unpause lets a run start its next node. If that node must not start, the
 * runner leaves the run, tells it to stop after its node, and resumes it: no node starts in between.
 */
async function unpauseRequest(
  run: MaintenanceRun,
  journaled: JournaledRun,
  parts: ControlParts,
): Promise<ControlRequest | Finding> {
  const { runs, inTime, runnerApp } = parts
  const runId = journaled.view.id
  const may = await inTime.left(run, journaled)
  if (may.kind === 'unknown') return may.why
  if (may.kind === 'free') return { name: 'run.unpause', input: { runId } }
  if (journaled.view.state.kind !== 'paused') return because('PausesForItsEnd', { notAfter: may.until })
  const notNow = await whyNotNow(journaled, parts)
  if (notNow !== null) return notNow
  await runnerApp.leave([runId])
  const left = runs.journaledRun(run, runId)
  if (!left.ok) return findingIn(left.failure)
  return (await inTime.hold(run, left.value)) ?? { name: 'run.resume', input: { runId } }
}

async function askAs(by: string, asked: ControlRequest, { runnerApp }: ControlParts): Promise<Result<unknown>> {
  const send = runnerApp.as({ operator: by })
  // One call for each name: each has its own input.
  switch (asked.name) {
    case 'run.abort':
      return send(asked.name, asked.input)
    case 'run.answer':
      return send(asked.name, asked.input)
    case 'run.skip-node':
      return send(asked.name, asked.input)
    case 'run.decide':
      return send(asked.name, asked.input)
    default:
      return send(asked.name, asked.input)
  }
}

function accepted(why: Answer['why']): Answer {
  return { outcome: 'Accepted', why }
}

function refused(why: Answer['why']): Answer {
  return { outcome: 'Refused', why }
}
