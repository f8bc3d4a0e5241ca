import { minutes, seconds } from '../../../shared/domain/durations.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import type { UpdateMoment, UpdateTimeline } from '../../../shared/domain/update.ts'
import type { TimelineNode } from '../../../shared/domain/update-eta.ts'
import { applyMoment, beginTimeline, withEta, withNodes } from '../../../shared/domain/update-fold.ts'
import { wordedTimeline } from '../../../shared/words/forecasts.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { ObservationLog } from '../../ports/journal.ts'
import type { LcmReport } from '../../ports/lcm.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import { computeServiceOf } from '../../procedures/steps/compute/compute-host.ts'
import { isUnderWay } from './derive.ts'
import { type Knowledge, knowledgeFrom, NO_KNOWLEDGE } from './knowledge.ts'
import { inOrder, observeChanges } from './look.ts'
import { nodesDoneByLcm, phaseTimes } from './times.ts'
import { type ClusterWatch, type ObservedWorld, type WatchFailure, watchCluster } from './watch-cluster.ts'

/** How often figures and LCM's report are read during an update. */
const SAMPLE_EVERY_MS = seconds(15)
/** Without an update, LCM may plan one. */
const IDLE_EVERY_MS = minutes(3)
const SETTLE_MS = 100

interface ObserverStatus {
  readonly timeline: UpdateTimeline | null
  readonly drivenBy: string | null
  readonly plans: readonly string[]
  readonly trouble: WatchFailure | null
}

export interface Observer {
  readonly status: () => ObserverStatus
  readonly ready: Promise<void>
  stop(): Promise<void>
}

interface ObservedUpdate {
  readonly id: string
  readonly drivenBy: string | null
  readonly nodes: readonly TimelineNode[]
  readonly timeline: UpdateTimeline
}

const NOTHING_SAID: LcmReport = { lines: [], phase: null, upgraded: [], begun: [], done: [] }

interface ObserverOptions {
  readonly observed: ObservedWorld
  readonly log: ObservationLog
  readonly clock: Clock
  readonly onChanged: () => void
  /** Called with the reason if an observation could not be journaled. */
  readonly onUnkept: (why: string) => void
}

interface ObserverState extends ObserverOptions {
  readonly cluster: string
  readonly signal: AbortSignal
  lcm: LcmReport
  update: ObservedUpdate | null
  knowledge: Knowledge
  hasLooked: boolean
  hasReadLcm: boolean
  isSettling: boolean
  readonly markReady: () => void
  /** Has LCM's report read at once. */
  wake: () => void
}

/** Reports any update of a cluster, whatever its driver, from objects alone (docs/style.md G34). The journal keeps the observations for a restart. */
export function observeCluster(options: ObserverOptions): Observer {
  const { observed, log, clock } = options
  const cluster = observed.world.cluster.name
  const stopping = new AbortController()
  const ready = Promise.withResolvers<void>()
  const update = lastObserved(log, cluster)
  const state: ObserverState = {
    ...options,
    cluster,
    signal: stopping.signal,
    lcm: NOTHING_SAID,
    update,
    knowledge: (update === null ? null : knowledgeFrom(update.id, update.timeline)) ?? NO_KNOWLEDGE,
    hasLooked: false,
    hasReadLcm: false,
    isSettling: false,
    markReady: ready.resolve,
    wake: () => {},
  }
  const watch = watchCluster(observed, state.signal, () => lookSoon(state, () => look(state, watch)))
  const sampling = sampleUntilStopped(state, watch)
  return {
    ready: ready.promise,
    status: () => ({
      timeline: state.update === null ? null : estimated(state.update, isoNow(clock)),
      drivenBy: state.update === null ? null : (state.update.drivenBy ?? 'somebody'),
      plans: state.lcm.lines,
      trouble: watch.trouble(),
    }),
    stop: async () => {
      stopping.abort()
      state.markReady()
      await Promise.all([watch.ended, sampling])
    },
  }
}

/** Waits a moment, so that changes that arrive together are one observation. */
function lookSoon(state: ObserverState, lookNow: () => void): void {
  if (state.isSettling) return
  state.isSettling = true
  void state.clock.sleep(SETTLE_MS, state.signal).then(() => {
    state.isSettling = false
    if (!state.signal.aborted) lookNow()
  })
}

function look(state: ObserverState, watch: ClusterWatch): void {
  const { clock } = state
  const seen = watch.seen()
  if (seen === null) {
    if (watch.trouble() !== null) state.markReady()
    return
  }
  const before = state.knowledge
  const found = observeChanges({ ...seen, lcm: before.wasSeenIdle ? NOTHING_SAID : state.lcm }, before, clock.now())
  state.knowledge = found.knowledge
  reportMoments(state, found.ended)
  if (found.begun !== null) {
    beginUpdate(state, found.begun.id, found.nodes)
    // LCM's earlier report may concern an earlier update; it is read again at once.
    if (before.wasSeenIdle || before.update !== null)
      state.lcm = { ...state.lcm, phase: null, upgraded: [], begun: [], done: [] }
    state.wake()
  }
  reportDriver(state, found.drivenBy)
  const hasNewNodes = reportNodes(state, found.nodes)
  reportMoments(state, found.moments)
  const hasTimes = reportPhaseTimes(state)
  // LCM's report of a finished update counts at once.
  if (found.ended.length > 0) state.wake()
  state.hasLooked = true
  if (state.hasReadLcm) state.markReady()
  if (found.ended.length > 0 || found.begun !== null || hasNewNodes || found.moments.length > 0 || hasTimes)
    state.onChanged()
}

/** Reads LCM's report again and again, and figures of Nova during an update. */
async function sampleUntilStopped(state: ObserverState, watch: ClusterWatch): Promise<void> {
  const { observed, clock, signal } = state
  while (!signal.aborted) {
    // Read first, so that a late observer knows LCM's report.
    const report = await observed.readLcmReport(signal)
    if (signal.aborted) return
    state.hasReadLcm = true
    if (report.ok) {
      state.lcm = report.value
      look(state, watch)
      reportUnwatched(state)
    }
    if (state.hasLooked) state.markReady()
    const isUpdating = state.knowledge.update !== null
    if (isUpdating) await reportFigures(state, watch)
    const rest = new AbortController()
    state.wake = () => rest.abort()
    // LCM completes its plan after the update's request is gone.
    const isSoon = isUpdating || state.lcm.phase !== null
    await clock.sleep(isSoon ? SAMPLE_EVERY_MS : IDLE_EVERY_MS, AbortSignal.any([signal, rest.signal]))
  }
}

function record(state: ObserverState, id: string, observation: Parameters<ObservationLog['record']>[2]): void {
  const recorded = state.log.record(state.cluster, id, observation)
  if (!recorded.ok) state.onUnkept(recorded.failure.message)
}

function beginUpdate(state: ObserverState, id: string, nodes: readonly TimelineNode[]): void {
  const since = isoNow(state.clock)
  state.update = { id, drivenBy: null, nodes, timeline: beginTimeline({ kind: 'observed', since }, nodes) }
  record(state, id, { kind: 'begun', since, nodes: [...nodes] })
}

function reportMoments(state: ObserverState, moments: readonly UpdateMoment[]): void {
  for (const moment of moments) {
    if (state.update === null) return
    state.update = { ...state.update, timeline: applyMoment(state.update.timeline, moment) }
    record(state, state.update.id, { kind: 'moment', moment })
  }
}

/** Nodes whose locks appear later get their lanes from then on. */
function reportNodes(state: ObserverState, nodes: readonly TimelineNode[]): boolean {
  const { update } = state
  if (update === null) return false
  const added = nodes.filter(({ node }) => update.nodes.every(each => each.node !== node))
  if (added.length === 0) return false
  const all = inOrder([...update.nodes, ...added])
  state.update = { ...update, nodes: all, timeline: withNodes(update.timeline, all) }
  record(state, update.id, { kind: 'nodes', nodes: [...all] })
  return true
}

function reportDriver(state: ObserverState, drivenBy: string | null): void {
  const { update } = state
  if (update === null || update.drivenBy !== null || drivenBy === null) return
  state.update = { ...update, drivenBy }
  record(state, update.id, { kind: 'driver', drivenBy })
}

/** LCM's own times of its phases take precedence over observed ones. */
function reportPhaseTimes(state: ObserverState): boolean {
  const { lcm, update, clock } = state
  const moments = update === null || lcm === NOTHING_SAID ? [] : phaseTimes(lcm, update.timeline, isoNow(clock))
  reportMoments(state, moments)
  return moments.length > 0
}

/** After the end, LCM's plan is the source for unobserved nodes. */
function reportUnwatched(state: ObserverState): void {
  const { lcm, update, knowledge } = state
  if (update === null || knowledge.update !== null) return
  const moments = nodesDoneByLcm(lcm, update.timeline)
  if (moments.length === 0) return
  reportMoments(state, moments)
  state.onChanged()
}

async function reportFigures(state: ObserverState, watch: ClusterWatch): Promise<void> {
  const { observed, clock, signal } = state
  const since = state.update?.timeline.startedAt ?? isoNow(clock)
  const isWorkedOn = (name: string) => isUnderWay(state.knowledge.nodes.get(name)?.known.stage ?? 'pending')
  const nodes = watch.nodes().filter(({ name }) => isWorkedOn(name))
  const figures = await readFigures(observed.world.openstack, nodes, since, signal)
  if (signal.aborted || state.knowledge.update === null) return
  const locks = watch.seen()?.objects.nodeLocks ?? []
  const locksInactive = locks.filter(lock => lock.state === 'inactive').length
  reportMoments(state, [{ kind: 'sample', at: isoNow(clock), ...figures, locksInactive }])
  state.onChanged()
}

function estimated({ timeline, nodes }: ObservedUpdate, now: string): UpdateTimeline {
  const atOnce = Math.max(1, timeline.lanes.filter(({ stage }) => isUnderWay(stage)).length)
  const lanes = nodes.map(node => ({ ...node, atOnce: node.phase === 'control-nodes' ? 1 : atOnce }))
  return wordedTimeline(withEta(timeline, lanes, now))
}

function lastObserved(log: ObservationLog, cluster: string): ObservedUpdate | null {
  const id = log.lastUpdate(cluster)
  const kept = id === null ? null : log.of(cluster, id)
  if (id === null || kept === null || !kept.ok) return null
  const begun = kept.value.find(observation => observation.kind === 'begun')
  if (begun === undefined) return null
  const { since } = begun
  let { nodes } = begun
  let drivenBy: string | null = null
  let timeline = beginTimeline({ kind: 'observed', since }, nodes)
  for (const observation of kept.value) {
    if (observation.kind === 'moment') timeline = applyMoment(timeline, observation.moment)
    else if (observation.kind === 'driver') drivenBy = observation.drivenBy
    else {
      nodes = observation.nodes
      timeline = withNodes(timeline, nodes)
    }
  }
  return { id, drivenBy, nodes, timeline }
}

const MOVED: readonly string[] = ['completed', 'done', 'finished', 'confirmed']

type Figures = Pick<Extract<UpdateMoment, { kind: 'sample' }>, 'instancesRemaining' | 'migrationsDone'>

const UNKNOWN: Figures = { instancesRemaining: null, migrationsDone: null }

/** Instances still on nodes in maintenance, and migrations finished since the update started. */
async function readFigures(
  openstack: OpenStackPort | null,
  nodes: readonly ClusterNode[],
  since: string,
  signal: AbortSignal,
): Promise<Figures> {
  if (openstack === null) return UNKNOWN
  const [services, migrations] = await Promise.all([
    nodes.length === 0 ? null : openstack.computeServices(signal),
    openstack.migrations({ since }, signal),
  ])
  const migrationsDone = migrations.ok ? migrations.value.filter(({ status }) => MOVED.includes(status)).length : null
  if (services === null) return { instancesRemaining: 0, migrationsDone }
  if (!services.ok) return { instancesRemaining: null, migrationsDone }
  const hosts = nodes.flatMap(node => computeServiceOf(node, services.value)?.host ?? [])
  let instancesRemaining = 0
  for (const host of hosts) {
    const there = await openstack.instancesOnHost(host, signal)
    if (!there.ok) return { instancesRemaining: null, migrationsDone }
    instancesRemaining += there.value.items.length
  }
  return { instancesRemaining, migrationsDone }
}
