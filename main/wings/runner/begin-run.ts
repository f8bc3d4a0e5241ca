import type { Failure } from '../../../shared/domain/failure.ts'
import { type MaintenanceRun, type MaintenanceRunSpec, readableStatus } from '../../../shared/domain/maintenance-run.ts'
import type { Plan } from '../../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { campaignWaitFound } from '../../../shared/wings/runner/words/campaign-waits.ts'
import { because } from '../../../shared/words/reasons.ts'
import { findingIn } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { maintenanceSteps } from '../../procedures/registry.ts'
import { askerName } from './asker-name.ts'
import { campaignGateNow } from './campaign-gate.ts'
import { type CloudRuns, LOOK_AGAIN_MS } from './cloud-runs.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { acceptedOf, judgeRun } from './judge-run.ts'
import { firstNodes, whyNotInTime } from './not-after.ts'
import { whyOtherPlan } from './other-plan.ts'
import { nodesEmptied, stopsStorage, whyVolume } from './own-place.ts'
import { whyNotMade } from './plan-of-spec.ts'
import { statusUnbegun } from './run-status.ts'

interface StartParts extends CloudWorkParts {
  readonly runs: CloudRuns
}

/** A run that nothing known without a request keeps from starting. */
interface MayBegin {
  readonly run: MaintenanceRun
  readonly plan: Plan
  readonly spec: MaintenanceRunSpec
}

interface Obstacle {
  readonly kind: 'refused' | 'later'
  readonly why: Finding
}

/** Checks a MaintenanceRun that has no run in this journal, and starts it if it may start. */
export function createRunBeginner(parts: CloudWorkParts, runs: CloudRuns): (run: MaintenanceRun) => Promise<void> {
  return run => considerRun(run, { ...parts, runs })
}

async function considerRun(run: MaintenanceRun, parts: StartParts): Promise<void> {
  const { runs, memory, log } = parts
  const judgement = judgeNow(run, parts)
  switch (judgement.kind) {
    case 'left-alone':
      if (run.status !== null && readableStatus(run) === null) log.warn('run-status-unreadable', { name: run.name })
      memory.resting.add(run.uid)
      return
    case 'refused':
      return runs.refuse(run, judgement.why)
    case 'aborted':
      return runs.refuse(run, judgement.why, 'Aborted')
    case 'not-yet':
      return runs.holdBack(
        run,
        judgement.phase,
        judgement.why,
        ...(await foreseenObstacle(run, judgement.phase, parts)),
      )
    case 'may-begin':
      break
  }
  if (runs.isForLater(run)) return
  const wanted = { run, plan: judgement.plan, spec: judgement.spec }
  const obstacle = await findObstacle(wanted, parts)
  if (obstacle === null) return claimAndBegin(wanted, parts)
  if (obstacle.kind === 'refused') runs.refuse(run, obstacle.why)
  else waitForNow(run, obstacle.why, runs)
}

function judgeNow(run: MaintenanceRun, { cloud, self, registry, memory, clock, notNow, runs }: StartParts) {
  const { runs: all, campaigns } = runs.current()
  return judgeRun(run, {
    nowMs: clock.now(),
    runner: self.runner,
    cloud: cloud === null ? { kind: 'known' } : registry.status(cloud),
    all,
    campaigns,
    planOf: memory.planOf,
    notNow: notNow(),
  })
}

function waitForNow(run: MaintenanceRun, why: Finding, runs: CloudRuns): void {
  runs.lookLater(run, LOOK_AGAIN_MS)
  runs.holdBack(run, 'Pending', why)
}

/** What keeps a run from starting, by the cloud as it is now; null if nothing does. */
async function findObstacle({ run, plan, spec }: MayBegin, parts: StartParts): Promise<Obstacle | null> {
  const { runs, runnerApp, clock } = parts
  const unmade = whyNotMade(plan, maintenanceSteps)
  if (unmade !== null) return { kind: 'refused', why: unmade }
  const remade = await runnerApp.remake(plan)
  if (!remade.ok) {
    const { code, message } = remade.failure
    // A cluster may be missing only for a moment: when its Secret changes, it is removed and added again.
    return { kind: code === 'bad-input' ? 'refused' : 'later', why: because('PlanNotRemade', { cause: message }) }
  }
  const other = whyOtherPlan(plan, remade.value, spec.handedOver !== null)
  if (other !== null) return { kind: 'refused', why: other }
  const onNode = await runs.whyRunnerOnNode(nodesEmptied(plan))
  if (onNode !== null) return { kind: 'later', why: onNode }
  const volume = await whyOwnVolume(plan, parts)
  if (volume !== null) return { kind: 'refused', why: volume }
  const estimate = await runs.estimateOnce(run, plan)
  if (!estimate.ok && spec.notAfter !== null)
    return { kind: 'later', why: because('DurationUnknown', { cause: estimate.failure.message }) }
  // The end of a run that already started is checked when it is resumed.
  if (spec.handedOver !== null) return null
  const late = whyNotInTime(spec.notAfter, clock.now(), firstNodes(plan), estimate.ok ? estimate.value : null)
  return late === null ? null : { kind: 'refused', why: late }
}

async function whyOwnVolume(plan: Plan, { cloud, registry, place, self, runs }: StartParts): Promise<Finding | null> {
  if (!stopsStorage(plan)) return null
  const cephNamespace = cloud === null ? '' : (registry.cluster(cloud)?.maintenanceApi.cephNamespace ?? '')
  const isOwn = await runs.isOwnKubernetes()
  return whyVolume(plan, await place.volume(), { isOwn, cephNamespace, isElsewhere: self.isVolumeElsewhere })
}

/** Claims a run in its status, and starts it, or continues it if a console handed it over. */
async function claimAndBegin({ run, plan, spec }: MayBegin, parts: StartParts): Promise<void> {
  const { runs, self, runnerApp, objects, lease, writer } = parts
  const by = askerName(spec.confirmedBy, await parts.provesMaker(run.createdAt))
  // The object as received may be old: another runner may have taken it, or someone deleted it.
  const fresh = await objects.run(run.name)
  if (!fresh.ok) return waitForNow(run, findingIn(fresh.failure), runs)
  if (fresh.value?.uid !== run.uid || judgeNow(fresh.value, parts).kind !== 'may-begin') return
  const accept = because(spec.handedOver === null ? 'AcceptedToBegin' : 'AcceptedToContinue')
  const accepted = statusUnbegun('Pending', [accept], {
    nodesAll: runs.nodesAllOf(run),
    driver: { runner: self.runner, id: runnerApp.driver.id, epoch: lease.epoch },
  })
  // Written first, on the version that was judged: if this process dies before the next line, no other journal starts it, and of two runners that
  // judged the same version only one has it.
  const only = { seen: fresh.value.resourceVersion, by: self.runner }
  if (!(await writer.now(run, accepted, only)) || !lease.isHeld()) return
  const held = await whyHeldByCampaign(run, spec, parts)
  if (held !== null) return runs.holdBack(run, 'Scheduled', held)
  const started =
    spec.handedOver === null
      ? await begin({ run, plan, spec }, by, parts)
      : runnerApp.takeOver({ handedOver: spec.handedOver, plan, asked: acceptedOf(run, spec), operator: by })
  runs.memoryOf(run).runId = undefined
  if (started.ok) parts.log.info('run-begun', { name: run.name, cloud: parts.cloud, run: started.value, by })
  else reportNotBegun(run, plan, started.failure, parts)
}

function reportNotBegun(
  run: MaintenanceRun,
  plan: Plan,
  failure: Failure,
  { cloud, runs, runnerApp, log }: StartParts,
) {
  log.warn('run-could-not-begin', { name: run.name, cloud, code: failure.code })
  if (runnerApp.journal.runOfPlan(plan.id) !== null) return
  if (failure.code === 'bad-input') runs.refuse(run, findingIn(failure))
  else waitForNow(run, findingIn(failure), runs)
}

/** For a run that is scheduled: whether this version would plan it differently. At its time no one could plan it again. */
async function foreseenObstacle(
  run: MaintenanceRun,
  phase: 'Pending' | 'Scheduled',
  { runs, memory, runnerApp }: StartParts,
): Promise<readonly Finding[]> {
  const kept = runs.memoryOf(run)
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
 * Why the campaign of a run no longer lets it start; null if it does. Reads the campaign after the claim: an operator who pauses it writes first and
 * checks claims then, so each of the two sees the other.
 */
async function whyHeldByCampaign(
  run: MaintenanceRun,
  { campaign: name }: MaintenanceRunSpec,
  { runs, objects }: StartParts,
): Promise<Finding | null> {
  if (name === null) return null
  const fresh = await objects.campaign(name)
  if (!fresh.ok) {
    runs.lookLater(run, LOOK_AGAIN_MS)
    return because('CampaignUnread', { campaign: name, cause: fresh.failure.message })
  }
  const gate = campaignGateNow(run, {
    campaigns: fresh.value === null ? [] : [fresh.value],
    runs: runs.current().runs,
  })
  if (gate.kind === 'open') return null
  return gate.kind === 'waits' ? campaignWaitFound(gate.wait) : gate.why
}

async function begin({ run, plan, spec }: MayBegin, by: string, { runnerApp }: StartParts): Promise<Result<string>> {
  // A window of the console where it was confirmed is not in this journal.
  const window = plan.window?.kind === 'in' ? await runnerApp.contract.ask('window.show', { id: plan.window.id }) : null
  runnerApp.keepPlan(window?.ok === false ? { ...plan, window: null } : plan)
  const why = plan.window?.kind === 'outside' ? `${plan.window.reason} ` : ''
  const started = await runnerApp.as({ operator: by, asked: acceptedOf(run, spec) })('run.start', {
    planId: plan.id,
    typedCluster: plan.cluster,
    outsideWindow: `${why}${because('BegunForObject', { run: run.name, by }).message}`,
  })
  return started.ok ? ok(started.value.id) : failed(started.failure)
}
