import type { MaintenanceRun, MaintenanceRunSpec } from '../../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../../shared/domain/plan.ts'
import { failed, type Result } from '../../../shared/domain/result.ts'
import { campaignWaitFound } from '../../../shared/wings/runner/words/campaign-waits.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { maintenanceSteps } from '../../procedures/steps/registry.ts'
import { byWords } from './by-words.ts'
import { campaignGateNow } from './campaign-gate.ts'
import { type CloudRuns, LOOK_AGAIN_MS } from './cloud-runs.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { acceptedOf, judgeRun } from './judge-run.ts'
import { firstNodes, whyNotInTime } from './not-after.ts'
import { whyOtherPlan } from './other-plan.ts'
import { nodesEmptied, stopsStorage, whyVolume } from './own-place.ts'
import { whyNotMade } from './plan-of-spec.ts'
import { statusUnbegun } from './run-status.ts'

/** Checks a MaintenanceRun that has no run in this journal, and begins it if it may begin. */
export function createRunBeginner(parts: CloudWorkParts, runs: CloudRuns): (run: MaintenanceRun) => Promise<void> {
  const { cloud, self, runnerApp, objects, book, place, lease, writer, memory, clock, log } = parts
  const { current, statusIn, memoryOf, refuse, holdBack, lookLater, whyUnderOwnFeet, estimateOnce } = runs

  async function lookAtUnbegun(run: MaintenanceRun): Promise<void> {
    const status = cloud === null ? ({ kind: 'known' } as const) : book.status(cloud)
    const judged = (of: MaintenanceRun) =>
      judgeRun(of, {
        nowMs: clock.now(),
        runner: self.runner,
        cloud: status,
        all: current().runs,
        campaigns: current().campaigns,
        planOf: memory.planOf,
        notNow: parts.notNow(),
      })
    const judgement = judged(run)
    switch (judgement.kind) {
      case 'left-alone':
        if (statusIn(run) === null && run.status !== null) log.warn('run-status-unreadable', { name: run.name })
        memory.resting.add(run.uid)
        return
      case 'refused':
        return refuse(run, judgement.why)
      case 'aborted':
        return refuse(run, judgement.why, 'Aborted')
      case 'not-yet':
        return holdBack(run, judgement.phase, judgement.why, ...(await foreseen(run, judgement.phase)))
      case 'may-begin':
        break
    }
    if (runs.isForLater(run)) return
    const { plan, spec } = judgement
    const strange = whyNotMade(plan, maintenanceSteps)
    if (strange !== null) return refuse(run, strange)
    const later = (why: Finding) => {
      lookLater(run, LOOK_AGAIN_MS)
      holdBack(run, 'Pending', why)
    }
    const remade = await runnerApp.remake(plan)
    if (!remade.ok) {
      const { code, message } = remade.failure
      const why = because('PlanNotRemade', { cause: message })
      // A cluster may be missing only for a moment: when its Secret changes, it is removed and added again.
      return code === 'bad-input' ? refuse(run, why) : later(why)
    }
    const other = whyOtherPlan(plan, remade.value, spec.handedOver !== null)
    if (other !== null) return refuse(run, other)
    const underFeet = await whyUnderOwnFeet(nodesEmptied(plan))
    if (underFeet !== null) return later(underFeet)
    if (stopsStorage(plan)) {
      const cephNamespace = cloud === null ? '' : (book.cluster(cloud)?.maintenanceApi.cephNamespace ?? '')
      const where = { isOwn: await runs.isOwnKubernetes(), cephNamespace, isElsewhere: self.isVolumeElsewhere }
      const why = whyVolume(plan, await place.volume(), where)
      if (why !== null) return refuse(run, why)
    }
    const estimate = await estimateOnce(run, plan)
    if (!estimate.ok && spec.notAfter !== null)
      return later(because('DurationUnknown', { cause: estimate.failure.message }))
    // The end of a run that already began is checked when it is resumed.
    const late =
      spec.handedOver !== null
        ? null
        : whyNotInTime(spec.notAfter, clock.now(), firstNodes(plan), estimate.ok ? estimate.value : null)
    if (late !== null) return refuse(run, late)
    const by = byWords(spec.confirmedBy, await parts.provesMaker(run.createdAt))
    // The object as received may be old: another runner may have taken it, or someone deleted it.
    const fresh = await objects.run(run.name)
    if (!fresh.ok) return later(findingIn(fresh.failure))
    if (fresh.value === null || fresh.value.uid !== run.uid || judged(fresh.value).kind !== 'may-begin') return
    const claim = { runner: self.runner, id: runnerApp.driver.id, epoch: lease.epoch }
    const accept = because(spec.handedOver === null ? 'AcceptedToBegin' : 'AcceptedToContinue')
    const accepted = statusUnbegun('Pending', [accept], {
      nodesAll: runs.nodesAllOf(run),
      driver: claim,
    })
    // Written first, on the version that was judged: if this process dies before the next line, no other journal begins it, and of two runners that judged
    // the same version only one has it.
    const only = { seen: fresh.value.resourceVersion, by: self.runner }
    if (!(await writer.now(run, accepted, only)) || !lease.isHeld()) return
    const held = await whyHeld(run, spec)
    if (held !== null) return holdBack(run, 'Scheduled', held)
    const started =
      spec.handedOver === null
        ? await begin(run, plan, spec, by)
        : runnerApp.takeOver({ handedOver: spec.handedOver, plan, asked: acceptedOf(run, spec), operator: by })
    memoryOf(run).runId = undefined
    if (started.ok) {
      log.info('run-begun', { name: run.name, cloud, run: started.value, by })
      return
    }
    log.warn('run-could-not-begin', { name: run.name, cloud, code: started.failure.code })
    if (runnerApp.journal.runOfPlan(plan.id) !== null) return
    if (started.failure.code === 'bad-input') return refuse(run, findingIn(started.failure))
    later(findingIn(started.failure))
  }

  /** A run for a later night shows at once that this version would plan it differently: at night no one would plan again. */
  async function foreseen(run: MaintenanceRun, phase: 'Pending' | 'Scheduled'): Promise<readonly Finding[]> {
    const kept = memoryOf(run)
    if (phase !== 'Scheduled') return []
    if (kept.foreseen === undefined) {
      const read = memory.planOf(run)
      if (read.kind !== 'plan') return []
      const remade = await runnerApp.remake(read.plan)
      if (!remade.ok) return [because('PlanForecastUnknown', { cause: remade.failure.message })]
      kept.foreseen = whyNotMade(read.plan, maintenanceSteps) ?? whyOtherPlan(read.plan, remade.value)
    }
    return kept.foreseen === null ? [] : [because('PlanWouldBeRefused', { why: kept.foreseen })]
  }

  /**
   * Why the campaign of a run does not begin it any more; null: it does. Asked once the run is claimed: who pauses a campaign writes first and looks at claims then,
   * so that of a pause and a begin at one instant each knows of the other.
   */
  async function whyHeld(run: MaintenanceRun, { campaign: name }: MaintenanceRunSpec): Promise<Finding | null> {
    if (name === null) return null
    const fresh = await objects.campaign(name)
    if (!fresh.ok) {
      lookLater(run, LOOK_AGAIN_MS)
      return because('CampaignUnread', { campaign: name, cause: fresh.failure.message })
    }
    const gate = campaignGateNow(run, {
      campaigns: fresh.value === null ? [] : [fresh.value],
      runs: current().runs,
    })
    if (gate.kind === 'open') return null
    return gate.kind === 'waits' ? campaignWaitFound(gate.wait) : gate.why
  }

  async function begin(run: MaintenanceRun, plan: Plan, spec: MaintenanceRunSpec, by: string): Promise<Result<string>> {
    // A window of the console where it was confirmed is not in this journal.
    const window =
      plan.window?.kind === 'in' ? await runnerApp.contract.ask('window.show', { id: plan.window.id }) : null
    runnerApp.keepPlan(window?.ok === false ? { ...plan, window: null } : plan)
    const why = plan.window?.kind === 'outside' ? `${plan.window.reason} ` : ''
    const started = await runnerApp.as({ operator: by, asked: acceptedOf(run, spec) })('run.start', {
      planId: plan.id,
      typedCluster: plan.cluster,
      outsideWindow: `${why}${because('BegunForObject', { run: run.name, by }).message}`,
    })
    return started.ok ? { ok: true, value: started.value.id } : failed(started.failure)
  }

  return lookAtUnbegun
}
