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
import { inOrder, lookAt } from './look.ts'
import { nodesThrough, phaseTimes } from './times.ts'
import { type ObservedWorld, type WatchTrouble, watchCluster } from './watch-cluster.ts'

/** How often figures and LCM's report are read during an update. */
const SAMPLE_EVERY_MS = seconds(15)
/** Without an update, LCM may plan one. */
const IDLE_EVERY_MS = minutes(3)
const SETTLE_MS = 100

interface ObserverListeners {
  readonly timeline: UpdateTimeline | null
  readonly drivenBy: string | null
  readonly plans: readonly string[]
  readonly trouble: WatchTrouble | null
}

export interface Observer {
  readonly listeners: () => ObserverListeners
  /** Resolves after the first observation and LCM's report, or their failure. */
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

/**
 * Observes a cluster and reports any update there, whatever its driver, from objects alone (docs/style.md G34). The journal keeps the observations: after a
 * restart it continues from them.
 */
export function observeCluster(options: {
  readonly observed: ObservedWorld
  readonly log: ObservationLog
  readonly clock: Clock
  readonly onChanged: () => void
  /** Called with the reason if an observation could not be journaled. */
  readonly onUnkept: (why: string) => void
}): Observer {
  const { observed, log, clock, onChanged } = options
  const cluster = observed.world.cluster.name
  const stopping = new AbortController()
  const { signal } = stopping
  let lcm = NOTHING_SAID
  let update = lastObserved(log, cluster)
  let knowledge: Knowledge = (update === null ? null : knowledgeFrom(update.id, update.timeline)) ?? NO_KNOWLEDGE
  let hasLooked = false
  let hasAsked = false
  let markReady: () => void = () => {}
  const ready = new Promise<void>(resolve => {
    markReady = resolve
  })

  const keep = (id: string, observation: Parameters<ObservationLog['record']>[2]) => {
    const kept = log.record(cluster, id, observation)
    if (!kept.ok) options.onUnkept(kept.failure.message)
  }
  const report = (moments: readonly UpdateMoment[]) => {
    for (const moment of moments) {
      if (update === null) return
      update = { ...update, timeline: applyMoment(update.timeline, moment) }
      keep(update.id, { kind: 'moment', moment })
    }
  }
  /** Nodes whose locks appear later get their lanes from then on. */
  const reportNodes = (nodes: readonly TimelineNode[]): boolean => {
    if (update === null) return false
    const known = update.nodes
    const fresh = nodes.filter(({ node }) => known.every(each => each.node !== node))
    if (fresh.length === 0) return false
    const all = inOrder([...known, ...fresh])
    update = { ...update, nodes: all, timeline: withNodes(update.timeline, all) }
    keep(update.id, { kind: 'nodes', nodes: [...all] })
    return true
  }

  const reportDriver = (drivenBy: string | null) => {
    if (update === null || update.drivenBy !== null || drivenBy === null) return
    update = { ...update, drivenBy }
    keep(update.id, { kind: 'driver', drivenBy })
  }

  const look = () => {
    const seen = watch.seen()
    if (seen === null) {
      if (watch.trouble() !== null) markReady()
      return
    }
    const before = knowledge
    const found = lookAt({ ...seen, lcm: before.wasSeenIdle ? NOTHING_SAID : lcm }, before, clock.now())
    knowledge = found.knowledge
    report(found.ended)
    if (found.begun !== null) {
      const { id } = found.begun
      const { nodes } = found
      const since = isoNow(clock)
      update = { id, drivenBy: null, nodes, timeline: beginTimeline({ kind: 'observed', since }, nodes) }
      keep(id, { kind: 'begun', since, nodes: [...nodes] })
      // LCM's earlier report may concern an earlier update; it is read again at once.
      if (before.wasSeenIdle || before.update !== null) lcm = { ...lcm, phase: null, upgraded: [], begun: [], done: [] }
      wake()
    }
    reportDriver(found.drivenBy)
    const turnedUp = reportNodes(found.nodes)
    report(found.moments)
    const timed = reportTimes()
    // LCM's report of a finished update counts at once.
    if (found.ended.length > 0) wake()
    hasLooked = true
    if (hasAsked) markReady()
    if (found.ended.length > 0 || found.begun !== null || turnedUp || found.moments.length > 0 || timed) onChanged()
  }

  /** LCM's own times of its phases take precedence over observed ones. */
  const reportTimes = (): boolean => {
    const moments = update === null || lcm === NOTHING_SAID ? [] : phaseTimes(lcm, update.timeline, isoNow(clock))
    report(moments)
    return moments.length > 0
  }

  /** After the end, LCM's plan is the source for unobserved nodes. */
  const reportUnwatched = () => {
    if (update === null || knowledge.update !== null) return
    const moments = nodesThrough(lcm, update.timeline)
    if (moments.length === 0) return
    report(moments)
    onChanged()
  }

  let settling = false
  const watch = watchCluster(observed, signal, () => {
    if (settling) return
    settling = true
    void clock.sleep(SETTLE_MS, signal).then(() => {
      settling = false
      if (!signal.aborted) look()
    })
  })

  let wake: () => void = () => {}
  const sample = async () => {
    while (!signal.aborted) {
      // Read first, so that a late observer knows LCM's report.
      const said = await observed.readLcmReport(signal)
      if (signal.aborted) return
      hasAsked = true
      if (said.ok) {
        lcm = said.value
        look()
        reportUnwatched()
      }
      if (hasLooked) markReady()
      const isOn = knowledge.update !== null
      if (isOn) await takeFigures()
      const rest = new AbortController()
      wake = () => rest.abort()
      // LCM completes its plan after the update's request is gone.
      const isSoon = isOn || lcm.phase !== null
      await clock.sleep(isSoon ? SAMPLE_EVERY_MS : IDLE_EVERY_MS, AbortSignal.any([signal, rest.signal]))
    }
  }
  const takeFigures = async () => {
    const since = update?.timeline.startedAt ?? isoNow(clock)
    const worked = watch.nodes().filter(({ name }) => isUnderWay(knowledge.nodes.get(name)?.known.stage ?? 'pending'))
    const figures = await readFigures(observed.world.openstack, worked, since, signal)
    if (signal.aborted || knowledge.update === null) return
    const locks = watch.seen()?.objects.nodeLocks ?? []
    const locksInactive = locks.filter(({ state }) => state === 'inactive').length
    report([{ kind: 'sample', at: isoNow(clock), ...figures, locksInactive }])
    onChanged()
  }
  const sampling = sample()

  return {
    ready,
    listeners: () => ({
      timeline: update === null ? null : estimated(update, isoNow(clock)),
      drivenBy: update === null ? null : (update.drivenBy ?? 'somebody'),
      plans: lcm.lines,
      trouble: watch.trouble(),
    }),
    stop: async () => {
      stopping.abort()
      markReady()
      await Promise.all([watch.ended, sampling])
    },
  }
}

/** The timeline with its estimate, for the observed number of parallel nodes. */
function estimated({ timeline, nodes }: ObservedUpdate, now: string): UpdateTimeline {
  const atOnce = Math.max(1, timeline.lanes.filter(({ stage }) => isUnderWay(stage)).length)
  const lanes = nodes.map(node => ({ ...node, atOnce: node.phase === 'control-nodes' ? 1 : atOnce }))
  return wordedTimeline(withEta(timeline, lanes, now))
}

/** The last observed update from the journal; null: none, or unreadable. */
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
