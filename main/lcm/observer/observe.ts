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

/** Figures beside the timeline, and what LCM says, are asked for this often while an update is under way. */
const SAMPLE_EVERY_MS = seconds(15)
/** While there is no update, LCM may plan one. */
const IDLE_EVERY_MS = minutes(3)
/** What changes together is looked at together. */
const SETTLE_MS = 100

/** What an onlooker tells of a cluster now. */
interface ObserverListeners {
  readonly timeline: UpdateTimeline | null
  readonly drivenBy: string | null
  readonly plans: readonly string[]
  readonly trouble: WatchTrouble | null
}

/** An onlooker of one cluster's updates. */
export interface Observer {
  readonly listeners: () => ObserverListeners
  /** When the first look was taken and LCM was asked, or they could not be. */
  readonly ready: Promise<void>
  stop(): Promise<void>
}

interface ObservedUpdate {
  readonly id: string
  /** Null: nothing shows it. */
  readonly drivenBy: string | null
  readonly nodes: readonly TimelineNode[]
  readonly timeline: UpdateTimeline
}

const NOTHING_SAID: LcmReport = { lines: [], phase: null, upgraded: [], begun: [], done: [] }

/**
 * Watches a cluster and tells the update that anybody drives there, from the objects alone (docs/style.md G34). Its observations are kept in
 * the journal: after a restart it goes on from there.
 */
export function observeCluster(options: {
  readonly observed: ObservedWorld
  readonly log: ObservationLog
  readonly clock: Clock
  readonly onChanged: () => void
  /** Told why an observation could not be kept. */
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
  /** Nodes whose locks turn up later have their lanes from then on. */
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
      // What LCM said before may be about an earlier update; it is asked again at once.
      if (before.wasSeenIdle || before.update !== null) lcm = { ...lcm, phase: null, upgraded: [], begun: [], done: [] }
      wake()
    }
    reportDriver(found.drivenBy)
    const turnedUp = reportNodes(found.nodes)
    report(found.moments)
    const timed = reportTimes()
    // What LCM says of an update that is over counts at once.
    if (found.ended.length > 0) wake()
    hasLooked = true
    if (hasAsked) markReady()
    if (found.ended.length > 0 || found.begun !== null || turnedUp || found.moments.length > 0 || timed) onChanged()
  }

  /** LCM's own times of its phases count more than when they were seen. */
  const reportTimes = (): boolean => {
    const moments = update === null || lcm === NOTHING_SAID ? [] : phaseTimes(lcm, update.timeline, isoNow(clock))
    report(moments)
    return moments.length > 0
  }

  /** After the end, what nobody saw of a node is what LCM's plan says of its phase. */
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
      // Asked first, so that an onlooker who comes late knows what LCM says.
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

/** The timeline with its estimate: as many nodes at once as are seen to be. */
function estimated({ timeline, nodes }: ObservedUpdate, now: string): UpdateTimeline {
  const atOnce = Math.max(1, timeline.lanes.filter(({ stage }) => isUnderWay(stage)).length)
  const lanes = nodes.map(node => ({ ...node, atOnce: node.phase === 'control-nodes' ? 1 : atOnce }))
  return wordedTimeline(withEta(timeline, lanes, now))
}

/** The update that was observed last, told again from the journal; null when none was, or it cannot be read. */
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

/** Statuses in which Nova leaves a migration that came to its end well. */
const MOVED: readonly string[] = ['completed', 'done', 'finished', 'confirmed']

type Figures = Pick<Extract<UpdateMoment, { kind: 'sample' }>, 'instancesRemaining' | 'migrationsDone'>

const UNKNOWN: Figures = { instancesRemaining: null, migrationsDone: null }

/** Instances that are still on the nodes being worked on, and migrations that were done since the update began. */
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
