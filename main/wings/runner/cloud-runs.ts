import { seconds } from '../../../shared/domain/durations.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import {
  type MaintenanceRun,
  type MaintenanceRunStatus,
  readableStatus,
} from '../../../shared/domain/maintenance-run.ts'
import { isNodePlan, type Plan } from '../../../shared/domain/plan.ts'
import { ok, type Result } from '../../../shared/domain/result.ts'
import { nodesOfPlan } from '../../../shared/domain/update-nodes.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { isoNow } from '../../platform/clock/clock.ts'
import type { PlanEstimate } from '../../windows/plan-estimate.ts'
import { acceptedIn, confirmerIn, pauseAfterNodeAuthor } from './accepted.ts'
import type { Memory, RunMemory } from './cloud-memory.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import { cloudOf } from './needs-work.ts'
import { holdFromMs } from './not-after.ts'
import { whyOwnNode } from './own-place.ts'
import type { RunnerObjects } from './ports/maintenance-runs.ts'
import { type JournaledRun, nodesNotBegun, statusOfRun, statusUnbegun } from './run-status.ts'

/** What starting, following and controlling share about the MaintenanceRuns of one cloud. */
export interface CloudRuns {
  /** All objects of the namespace, as last received. */
  readonly current: () => RunnerObjects
  own(): readonly MaintenanceRun[]
  /** UIDs of runs that were refused or ended before they started; their objects may still show otherwise. */
  readonly endedHere: Set<string>
  memoryOf(run: MaintenanceRun): RunMemory
  /** The id of its run in this journal; null if it has no run. */
  runIdOf(run: MaintenanceRun): string | null
  journaledRun(run: MaintenanceRun, runId: string): Result<JournaledRun>
  lookLater(run: MaintenanceRun, inMs: number): void
  isForLater(run: MaintenanceRun): boolean
  nodesAllOf(run: MaintenanceRun): number
  /** Writes the status of a run in the journal; `more`: further text. */
  report(run: MaintenanceRun, journaled: JournaledRun, more?: readonly Finding[]): void
  /** The same, written before it resolves; false if it could not be written. */
  reportNow(run: MaintenanceRun, journaled: JournaledRun): Promise<boolean>
  /** Writes that the run will never start. */
  refuse(run: MaintenanceRun, why: Finding, phase?: 'Refused' | 'Aborted'): void
  /** Writes that the run does not start now, and releases this runner's claim: its journal has no such run. */
  holdBack(run: MaintenanceRun, phase: 'Pending' | 'Scheduled', ...why: readonly Finding[]): void
  /** Whether the cloud's Kubernetes is the runner's own; null if unknown. */
  isOwnKubernetes(): Promise<boolean | null>
  /** Why these nodes cannot be emptied: the runner itself is on one of them; null if they can. */
  whyRunnerOnNode(nodes: readonly string[]): Promise<Finding | null>
  estimateOnce(run: MaintenanceRun, plan: Plan): Promise<Result<PlanEstimate | null>>
  /** Stops the run after its current node if the next one would not be finished by the confirmed end. */
  holdInTime(run: MaintenanceRun, journaled: JournaledRun): Promise<void>
}

/** How long until an object is checked again that could not be read, or that waits for something temporary. */
export const LOOK_AGAIN_MS = seconds(15)

interface CloudRunsState extends CloudWorkParts {
  readonly current: () => RunnerObjects
  readonly endedHere: Set<string>
}

export function createCloudRuns(parts: CloudWorkParts, current: () => RunnerObjects): CloudRuns {
  const state: CloudRunsState = { ...parts, current, endedHere: new Set() }
  const { memory, clock, writer } = parts
  return {
    current,
    endedHere: state.endedHere,
    own: () => current().runs.filter(run => cloudOf(run) === parts.cloud),
    memoryOf: run => memoryOf(run, memory),
    runIdOf: run => runIdOf(run, state),
    journaledRun: (run, runId) => journaledRun(run, runId, state),
    lookLater: (run, inMs) => {
      const kept = memoryOf(run, memory)
      kept.notBeforeMs = clock.monotonicMs() + inMs
      kept.seenSpec = run.spec
    },
    isForLater: run => {
      const { notBeforeMs, seenSpec } = memoryOf(run, memory)
      return clock.monotonicMs() < notBeforeMs && isSameJson(seenSpec, run.spec)
    },
    nodesAllOf: run => nodesAllOf(run, memory),
    report: (run, journaled, more = []) => writer.put(run, statusNow(run, journaled, more, state)),
    reportNow: (run, journaled) => writer.now(run, statusNow(run, journaled, [], state)),
    refuse: (run, why, phase = 'Refused') => refuse(run, why, phase, state),
    holdBack: (run, phase, ...why) =>
      writer.put(run, statusUnbegun(phase, why, { nodesAll: nodesAllOf(run, memory), driver: null })),
    isOwnKubernetes: () => isOwnKubernetes(state),
    whyRunnerOnNode: nodes => whyRunnerOnNode(nodes, state),
    estimateOnce: (run, plan) => estimateOnce(run, plan, state),
    holdInTime: (run, journaled) => holdInTime(run, journaled, state),
  }
}

function memoryOf({ uid }: MaintenanceRun, { runs }: Memory): RunMemory {
  const known = runs.get(uid)
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
  runs.set(uid, fresh)
  return fresh
}

function runIdOf(run: MaintenanceRun, { memory, runnerApp, self }: CloudRunsState): string | null {
  const read = memory.planOf(run)
  if (read.kind === 'plan') {
    const kept = memoryOf(run, memory)
    // Only this process writes the journal: it gets no further run of this plan unless this process starts it.
    if (kept.runId === undefined) kept.runId = runnerApp.journal.runOfPlan(read.plan.id)
    return kept.runId
  }
  // If someone changed the object after it was accepted, its status still names the run.
  const status = readableStatus(run)
  return status?.driver?.runner === self.runner ? status.runId : null
}

function journaledRun(run: MaintenanceRun, runId: string, { memory, runnerApp }: CloudRunsState): Result<JournaledRun> {
  const kept = memoryOf(run, memory)
  const seq = runnerApp.journal.headOf(runId)?.seq ?? 0
  const isDriven = runnerApp.runs.active(runId) !== null
  if (isDriven && kept.journaled?.seq === seq && !kept.journaled.interrupted) return ok(kept.journaled)
  const found = runnerApp.runs.view(runId)
  if (!found.ok) return found
  const { view, events, interrupted, summary } = found.value
  kept.journaled = { view, events, interrupted, condition: summary.condition, seq: events.at(-1)?.seq ?? 0 }
  return ok(kept.journaled)
}

function statusNow(
  run: MaintenanceRun,
  journaled: JournaledRun,
  more: readonly Finding[],
  { memory, self, runnerApp, clock }: CloudRunsState,
): MaintenanceRunStatus {
  const asked = acceptedIn(journaled.events)
  const confirmer = confirmerIn(journaled.events)
  return statusOfRun(journaled, {
    runner: self.runner,
    head: runnerApp.journal.headOf(journaled.view.id),
    now: isoNow(clock),
    estimate: memoryOf(run, memory).estimate,
    notes: [...more, ...whyNoOther(journaled, runnerApp.driver.operator)],
    unproved: asked !== null && asked.confirmedBy !== confirmer ? because('ConfirmedByOther', { confirmer }) : null,
  })
}

function refuse(
  run: MaintenanceRun,
  why: Finding,
  phase: 'Refused' | 'Aborted',
  { cloud, endedHere, writer, memory, clock, log }: CloudRunsState,
): void {
  log.info('run-not-begun', { name: run.name, cloud, phase, why: why.code })
  endedHere.add(run.uid)
  const ended = { nodesAll: nodesAllOf(run, memory), driver: null, endedAt: isoNow(clock) }
  writer.put(run, statusUnbegun(phase, [why], ended))
}

async function isOwnKubernetes({ cloud, registry, place }: CloudRunsState): Promise<boolean | null> {
  if (cloud === null) return false
  const cluster = registry.cluster(cloud)
  if (cluster === null) return null
  return registry.isOwn(cloud) ? true : place.isOwnKubernetes(cluster.kubeconfig)
}

async function whyRunnerOnNode(nodes: readonly string[], state: CloudRunsState): Promise<Finding | null> {
  const { nodeName, pod } = state.self
  if (nodeName === null || !nodes.includes(nodeName)) return null
  return whyOwnNode(nodes, { nodeName, pod, isOwn: await isOwnKubernetes(state) })
}

async function estimateOnce(
  run: MaintenanceRun,
  plan: Plan,
  { memory, runnerApp }: CloudRunsState,
): Promise<Result<PlanEstimate | null>> {
  const kept = memoryOf(run, memory)
  if (kept.isEstimated) return ok(kept.estimate)
  const made = await runnerApp.estimate(plan)
  if (!made.ok) return made
  kept.estimate = made.value
  kept.isEstimated = true
  return made
}

async function holdInTime(run: MaintenanceRun, { view, events }: JournaledRun, state: CloudRunsState): Promise<void> {
  const { runnerApp, clock, log } = state
  const notAfter = acceptedIn(events)?.notAfter ?? null
  if (notAfter === null || runnerApp.runs.active(view.id) === null) return
  const left = nodesNotBegun({ view, events }, isoNow(clock))
  if (left.length === 0) return
  const estimate = await estimateOnce(run, view.plan, state)
  const fromMs = holdFromMs(notAfter, left, estimate.ok ? estimate.value : null)
  const latest = runnerApp.runs.view(view.id)
  if (fromMs === null || clock.now() < fromMs || !latest.ok || pauseAfterNodeAuthor(latest.value.events) !== null)
    return
  const held = await runnerApp.contract.ask('run.pause-after-node', { runId: view.id })
  log.info('no-other-node-before-end', { run: view.id, left: left.length, ok: held.ok })
}

/** Why the run starts no other node: its end is too near, or someone asked for it. `runner`: the runner's name in the journal. */
function whyNoOther({ view, events, condition }: JournaledRun, runner: string): readonly Finding[] {
  const by = pauseAfterNodeAuthor(events)
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
