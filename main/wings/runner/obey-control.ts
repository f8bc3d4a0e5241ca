import {
  isFinalPhase,
  type MaintenanceRun,
  type MaintenanceRunControl,
} from '../../../shared/domain/maintenance-run.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { isoNow } from '../../platform/clock/clock.ts'
import { byWords } from './by-words.ts'
import type { CloudRuns } from './cloud-runs.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { type ControlRequest, controlOf } from './control-run.ts'
import { whyStranded } from './gone-runners.ts'
import { nodesToEmpty } from './own-place.ts'
import type { ResumeInTime } from './resume-in-time.ts'
import { type JournaledRun, statusUnbegun } from './run-status.ts'
import type { ControlSayer } from './say-control.ts'

/** Follows the controls of one cloud's runs, each once. */
interface ControlObeyer {
  obey(control: MaintenanceRunControl): Promise<void>
}

export function createControlObeyer(
  parts: CloudWorkParts,
  runs: CloudRuns,
  { inTime, sayer }: { readonly inTime: ResumeInTime; readonly sayer: ControlSayer },
): ControlObeyer {
  const { self, runnerApp, objects, writer, memory, clock } = parts
  const { current, statusIn, memoryOf, runIdOf, journaledRun, endedHere, whyUnderOwnFeet, holdInTime } = runs

  async function obey(control: MaintenanceRunControl): Promise<void> {
    const { spec } = control
    const answer = (outcome: 'Accepted' | 'Refused', why: Pick<Finding, 'message'>) => sayer.say(control, outcome, why)
    if ('unreadable' in spec) return answer('Refused', because('ObjectUnreadable', { unreadable: spec.unreadable }))
    if (spec.campaign !== undefined) {
      const there = await objects.campaign(spec.campaign)
      return there.ok && there.value === null
        ? answer('Refused', because('CampaignNotThere', { campaign: spec.campaign }))
        : undefined
    }
    const { run: asked = '' } = spec
    const run = current().runs.find(({ name }) => name === asked)
    if (run === undefined) {
      const there = await objects.run(asked)
      return there.ok && there.value === null
        ? answer('Refused', because('NoSuchMaintenanceRun', { run: asked }))
        : undefined
    }
    const status = statusIn(run)
    const by = byWords(spec.by, await parts.provesMaker(control.createdAt))
    const runId = runIdOf(run)
    if (runId === null) {
      if (status?.driver != null && status.driver.runner !== self.runner) {
        if (parts.gone().has(status.driver.runner)) return answer('Refused', whyStranded(status))
        return void memory.resting.add(control.uid)
      }
      if (status !== null && isFinalPhase(status.phase))
        return answer('Refused', because('MaintenanceRunOver', { run: run.name, phase: status.phase }))
      if (spec.control !== 'abort') return answer('Refused', because('MaintenanceRunNotBegun', { run: run.name }))
      const isHandedOver = !('unreadable' in run.spec) && run.spec.handedOver !== null
      const why = because(isHandedOver ? 'WithdrawnUntaken' : 'WithdrawnUnbegun', { by, reason: spec.reason })
      const ended = statusUnbegun('Aborted', [why], {
        nodesAll: runs.nodesAllOf(run),
        driver: null,
        endedAt: isoNow(clock),
      })
      if (await writer.now(run, ended)) {
        endedHere.add(run.uid)
        return answer('Accepted', because(isHandedOver ? 'NotTakenOver' : 'NothingBegun'))
      }
      return
    }
    const journaled = journaledRun(run, runId)
    if (!journaled.ok) return answer('Refused', journaled.failure)
    const obeying = controlOf(spec, by, journaled.value)
    if (obeying.kind === 'refused') return answer('Refused', obeying.why)
    if (obeying.kind === 'is-so') return answer('Accepted', obeying.why)
    if (obeying.request.name === 'run.resume') {
      const refusal =
        (await whyNotNow(journaled.value)) ??
        (await inTime.whyNot(run, journaled.value)) ??
        (await inTime.hold(run, journaled.value))
      if (refusal !== null) return answer('Refused', refusal)
    }
    const going = obeying.request.name === 'run.unpause' ? await unpaused(run, journaled.value) : obeying.request
    if ('message' in going) return answer('Refused', going)
    const done = await request(going, by)
    if (going.name === 'run.resume' || going.name === 'run.unpause') {
      memory.resting.delete(run.uid)
      memory.heldBefore.delete(runId)
      memoryOf(run).isTakenUp = done.ok
      if (done.ok) await holdInTime(run, journaled.value)
      // Written before the answer: if this process dies now, no runner would continue a run whose status says that it ended.
      const now = done.ok && status !== null && isFinalPhase(status.phase) ? journaledRun(run, runId) : null
      if (now?.ok === true && !(await runs.reportNow(run, now.value))) return
    }
    return done.ok ? answer('Accepted', because('DoneAsAsked', { by })) : answer('Refused', done.failure)
  }

  /** Why a run cannot be resumed although a person asks for it. */
  async function whyNotNow({ view }: JournaledRun): Promise<Finding | null> {
    return parts.notNow() ?? (await whyUnderOwnFeet(nodesToEmpty(view)))
  }

  /**
   * How a run that is paused, or about to be, goes on; a finding: why it does not. To go on calls off that no other node is begun, so where one must not be begun a paused
   * run is left first, told so, and taken up then: none is begun in between.
   */
  async function unpaused(run: MaintenanceRun, journaled: JournaledRun): Promise<ControlRequest | Finding> {
    const runId = journaled.view.id
    const may = await inTime.left(run, journaled)
    if (may.kind === 'untold') return may.why
    if (may.kind === 'free') return { name: 'run.unpause', input: { runId } }
    if (journaled.view.state.kind !== 'paused') {
      return because('PausesForItsEnd', { notAfter: may.until })
    }
    const notNow = await whyNotNow(journaled)
    if (notNow !== null) return notNow
    await runnerApp.leave([runId])
    const left = journaledRun(run, runId)
    if (!left.ok) return findingIn(left.failure)
    return (await inTime.hold(run, left.value)) ?? { name: 'run.resume', input: { runId } }
  }

  async function request(asked: ControlRequest, by: string): Promise<Result<unknown>> {
    const ask = runnerApp.as({ operator: by })
    // One call a name: each has its own input.
    switch (asked.name) {
      case 'run.abort':
        return ask(asked.name, asked.input)
      case 'run.answer':
        return ask(asked.name, asked.input)
      case 'run.skip-node':
        return ask(asked.name, asked.input)
      case 'run.decide':
        return ask(asked.name, asked.input)
      default:
        return ask(asked.name, asked.input)
    }
  }

  return { obey }
}
