import { seconds } from '../../../shared/domain/durations.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import {
  type MaintenanceRun,
  type MaintenanceRunStatus,
  readableStatus,
} from '../../../shared/domain/maintenance-run.ts'
import { isNodePlan, type Plan } from '../../../shared/domain/plan.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { isoNow } from '../../platform/clock/clock.ts'
import type { RunnerObjects } from '../../ports/maintenance-runs.ts'
import type { PlanEstimate } from '../../windows/plan-estimate.ts'
import { acceptedIn, confirmerIn, heldAfterNodeBy } from './accepted.ts'
import type { Memory, RunMemory } from './cloud-memory.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { cloudOf } from './needs-work.ts'
import { holdFromMs } from './not-after.ts'
import { whyOwnNode } from './own-place.ts'
import { type JournaledRun, nodesNotBegun, statusOfRun, statusUnbegun } from './run-status.ts'

/** What beginning, following and obeying share about the MaintenanceRuns of one cloud. */
export interface CloudRuns {
  /** All objects of the namespace, as last received. */
  readonly current: () => RunnerObjects
  /** Those of this cloud. */
  own(): readonly MaintenanceRun[]
  /** Refused or ended before they began, by UID; their objects may still show otherwise. */
  readonly endedHere: Set<string>
  memoryOf(run: MaintenanceRun): RunMemory
  /** Its status, where this version can read it. */
  statusIn(run: MaintenanceRun): MaintenanceRunStatus | null
  /** The run of this journal that a MaintenanceRun is; null: it has none. */
  runIdOf(run: MaintenanceRun): string | null
  journaledRun(run: MaintenanceRun, runId: string): Result<JournaledRun>
  lookLater(run: MaintenanceRun, inMs: number): void
  isForLater(run: MaintenanceRun): boolean
  nodesAllOf(run: MaintenanceRun): number
  /** Writes the state of a run of the journal; `more`: further text. */
  report(run: MaintenanceRun, journaled: JournaledRun, more?: readonly Finding[]): void
  /** The same, written before it resolves; false: it could not be written. */
  reportNow(run: MaintenanceRun, journaled: JournaledRun): Promise<boolean>
  /** Writes that the run will never begin. */
  refuse(run: MaintenanceRun, why: Finding, phase?: 'Refused' | 'Aborted'): void
  /** It is not begun now; a claim of this runner is given back, for its journal has no such run. */
  holdBack(run: MaintenanceRun, phase: 'Pending' | 'Scheduled', ...why: readonly Finding[]): void
  /** Whether the cloud's Kubernetes is the runner's own; null: it cannot be told. */
  isOwnKubernetes(): Promise<boolean | null>
  /** Why these nodes cannot be emptied from where the runner is; null: they can. */
  whyUnderOwnFeet(nodes: readonly string[]): Promise<Finding | null>
  estimateOnce(run: MaintenanceRun, plan: Plan): Promise<Result<PlanEstimate | null>>
  /** No node is begun that would not be finished by the end that was confirmed. */
  holdInTime(run: MaintenanceRun, journaled: JournaledRun): Promise<void>
}

/** How long until an object is checked again that could not be read, or that waits for something temporary. */
export const LOOK_AGAIN_MS = seconds(15)

export function createCloudRuns(parts: CloudWorkParts, current: () => RunnerObjects): CloudRuns {
  const { cloud, self, runnerApp, book, place, writer, memory, clock, log } = parts

  /** Refused or ended before they began; their objects may still show otherwise. */
  const endedHere = new Set<string>()
  const memoryOf = ({ uid }: MaintenanceRun): RunMemory => {
    const known = memory.runs.get(uid)
    if (known !== undefined) return known
    const fresh: RunMemory = {
      notBeforeMs: Number.NEGATIVE_INFINITY,
      seenSpec: null,
      estimate: null,
      isEstimated: false,
      foreseen: undefined,
      answered: new Set(),
      nextResume: null,
      runId: undefined,
      isTakenUp: false,
      journaled: null,
    }
    memory.runs.set(uid, fresh)
    return fresh
  }
  const lookLater = (run: MaintenanceRun, inMs: number): void => {
    const kept = memoryOf(run)
    kept.notBeforeMs = clock.monotonicMs() + inMs
    kept.seenSpec = run.spec
  }
  const isForLater = (run: MaintenanceRun): boolean => {
    const { notBeforeMs, seenSpec } = memoryOf(run)
    return clock.monotonicMs() < notBeforeMs && isSameJson(seenSpec, run.spec)
  }
  const own = (): readonly MaintenanceRun[] => current().runs.filter(run => cloudOf(run) === cloud)
  const statusIn = ({ status }: MaintenanceRun): MaintenanceRunStatus | null => readableStatus(status)

  /** The run of this journal that a MaintenanceRun is; null: it has none. */
  function runIdOf(run: MaintenanceRun): string | null {
    const status = statusIn(run)
    const read = memory.planOf(run)
    if (read.kind === 'plan') {
      const kept = memoryOf(run)
      // Only this process writes the journal: what it does not have now, it gets by a start of ours.
      if (kept.runId === undefined) kept.runId = runnerApp.journal.runOfPlan(read.plan.id)
      return kept.runId
    }
    // Of an object that was changed afterwards, what was accepted stands.
    return status?.driver?.runner === self.runner ? status.runId : null
  }

  function journaledRun(run: MaintenanceRun, runId: string): Result<JournaledRun> {
    const kept = memoryOf(run)
    const seq = runnerApp.journal.headOf(runId)?.seq ?? 0
    const isDriven = runnerApp.runs.active(runId) !== null
    if (isDriven && kept.journaled?.seq === seq && !kept.journaled.interrupted)
      return { ok: true, value: kept.journaled }
    const found = runnerApp.runs.view(runId)
    if (!found.ok) return found
    const { view, events, interrupted, summary } = found.value
    kept.journaled = { view, events, interrupted, condition: summary.condition, seq: events.at(-1)?.seq ?? 0 }
    return { ok: true, value: kept.journaled }
  }

  function statusNow(run: MaintenanceRun, journaled: JournaledRun, more: readonly Finding[]): MaintenanceRunStatus {
    const { estimate } = memoryOf(run)
    const asked = acceptedIn(journaled.events)
    const confirmer = confirmerIn(journaled.events)
    return statusOfRun(journaled, {
      runner: self.runner,
      head: runnerApp.journal.headOf(journaled.view.id),
      now: isoNow(clock),
      estimate,
      notes: [...more, ...whyNoOther(journaled, runnerApp.driver.operator)],
      unproved: asked !== null && asked.confirmedBy !== confirmer ? because('ConfirmedByOther', { confirmer }) : null,
    })
  }

  function refuse(run: MaintenanceRun, why: Finding, phase: 'Refused' | 'Aborted' = 'Refused'): void {
    log.info('run-not-begun', { name: run.name, cloud, phase, why: why.code })
    endedHere.add(run.uid)
    writer.put(
      run,
      statusUnbegun(phase, [why], { nodesAll: nodesAllOf(run, memory), driver: null, endedAt: isoNow(clock) }),
    )
  }

  function holdBack(run: MaintenanceRun, phase: 'Pending' | 'Scheduled', ...why: readonly Finding[]): void {
    writer.put(run, statusUnbegun(phase, why, { nodesAll: nodesAllOf(run, memory), driver: null }))
  }

  async function isOwnKubernetes(): Promise<boolean | null> {
    if (cloud === null) return false
    const cluster = book.cluster(cloud)
    if (cluster === null) return null
    return book.isOwn(cloud) ? true : place.isOwnKubernetes(cluster.kubeconfig)
  }

  async function whyUnderOwnFeet(nodes: readonly string[]): Promise<Finding | null> {
    if (self.nodeName === null || !nodes.includes(self.nodeName)) return null
    return whyOwnNode(nodes, { nodeName: self.nodeName, pod: self.pod, isOwn: await isOwnKubernetes() })
  }

  async function estimateOnce(run: MaintenanceRun, plan: Plan): Promise<Result<PlanEstimate | null>> {
    const kept = memoryOf(run)
    if (kept.isEstimated) return { ok: true, value: kept.estimate }
    const made = await runnerApp.estimate(plan)
    if (!made.ok) return made
    kept.estimate = made.value
    kept.isEstimated = true
    return made
  }

  /** No node is begun that would not be finished by the end that was confirmed. */
  async function holdInTime(run: MaintenanceRun, { view, events }: JournaledRun): Promise<void> {
    const notAfter = acceptedIn(events)?.notAfter ?? null
    if (notAfter === null || runnerApp.runs.active(view.id) === null) return
    const left = nodesNotBegun({ view, events }, isoNow(clock))
    if (left.length === 0) return
    const estimate = await estimateOnce(run, view.plan)
    const fromMs = holdFromMs(notAfter, left, estimate.ok ? estimate.value : null)
    const latest = runnerApp.runs.view(view.id)
    if (fromMs === null || clock.now() < fromMs || !latest.ok || heldAfterNodeBy(latest.value.events) !== null) return
    const held = await runnerApp.contract.ask('run.pause-after-node', { runId: view.id })
    log.info('no-other-node-before-end', { run: view.id, left: left.length, ok: held.ok })
  }

  return {
    current,
    own,
    endedHere,
    memoryOf,
    statusIn,
    runIdOf,
    journaledRun,
    lookLater,
    isForLater,
    nodesAllOf: run => nodesAllOf(run, memory),
    report: (run, journaled, more = []) => writer.put(run, statusNow(run, journaled, more)),
    reportNow: (run, journaled) => writer.now(run, statusNow(run, journaled, [])),
    refuse,
    holdBack,
    isOwnKubernetes,
    whyUnderOwnFeet,
    estimateOnce,
    holdInTime,
  }
}

/** Why no other node is begun: its end, as this runner (`runner`: what it is called in the journal) judged it, or somebody said so. */
function whyNoOther({ view, events, condition }: JournaledRun, runner: string): readonly Finding[] {
  const by = heldAfterNodeBy(events)
  const notAfter = acceptedIn(events)?.notAfter ?? null
  if (by === null || notAfter === null || condition.kind === 'over' || isNodePlan(view.plan)) return []
  return [by === runner ? because('NoOtherNodeInTime', { notAfter }) : because('NoOtherNodeAsAsked', { by })]
}

function nodesAllOf(run: MaintenanceRun, { planOf }: Memory): number {
  if ('unreadable' in run.spec) return 0
  if (run.spec.node !== null) return 1
  const read = planOf(run)
  return read.kind === 'plan' ? nodesOfPlan(read.plan).length : 0
}
