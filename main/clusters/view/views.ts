import type { ClusterView, InstanceView } from '../../../shared/domain/cluster-view.ts'
import { minutes } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { DrainedOnly } from '../../../shared/domain/taken-out.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import type { ActiveNodeRun } from '../../runs/active-runs.ts'
import type { ConnectedWorld } from '../clusters.ts'
import { type LiveView, type LiveViewParts, startLiveView } from './live-view.ts'
import type { ViewPatch } from './paced-patches.ts'

interface ViewsParts {
  readonly open: (cluster: string) => Promise<Result<ConnectedWorld>>
  readonly activeRuns: (cluster: string) => readonly ActiveNodeRun[]
  readonly drainedOnly: (cluster: string) => DrainedOnly
  readonly hasFailed: (runId: string) => boolean
  readonly clock: Clock
  readonly onPatch: (patch: ViewPatch) => void
  readonly onEnded: (ended: { readonly cluster: string; readonly failure: Failure | null }) => void
}

export interface Views {
  /** `more`: the view has more instances than fit into one message. */
  open(cluster: string): Promise<Result<{ readonly view: ClusterView; readonly seq: number; readonly more?: string }>>
  /** The instances after those that were sent. */
  instances(
    cluster: string,
    more: string,
  ): Promise<Result<{ readonly instances: InstanceView[]; readonly seq: number; readonly more?: string }>>
  /** A run progressed: the state of its nodes may differ. */
  runsChanged(): void
  readInstances(cluster: string, ids: readonly string[]): void
  /** A page shows the cloud now; it says so again while it does. */
  shown(cluster: string): void
  /** The cluster is reached another way now, or was removed: its view is outdated. */
  forget(cluster: string): void
  close(): Promise<void>
}

/** A cloud counts as shown this long after a page opened it, or said that it shows it: three times in this time. A closed page says nothing. */
const SHOWN_FOR_MS = minutes(1)

interface ViewsState extends ViewsParts {
  /** Every cloud that was opened, and is registered still. */
  readonly live: Map<string, Promise<Result<LiveView>>>
  readonly shownAtMs: Map<string, number>
  readonly ending: Set<Promise<void>>
}

export function createViews(parts: ViewsParts): Views {
  const state: ViewsState = { ...parts, live: new Map(), shownAtMs: new Map(), ending: new Set() }
  const { live, ending } = state
  return {
    open: cluster => openView(state, cluster),
    instances: async (cluster, more) => {
      const started = await startedView(state, cluster)
      return started.ok ? ok(started.value.instancesAfter(more)) : started
    },
    runsChanged: () => {
      for (const cluster of live.keys()) void withView(state, cluster, view => view.runsChanged())
    },
    readInstances: (cluster, ids) => void withView(state, cluster, view => view.readInstances(ids)),
    shown: cluster => {
      const wasShown = isShown(state, cluster)
      state.shownAtMs.set(cluster, state.clock.monotonicMs())
      if (!wasShown) void withView(state, cluster, view => view.shown())
    },
    forget: cluster => endView(state, cluster, null),
    close: async () => {
      for (const cluster of [...live.keys()]) endView(state, cluster, refusal('aborted', because('ConsoleCloses')))
      await Promise.all(ending)
    },
  }
}

async function openView(state: ViewsState, cluster: string): ReturnType<Views['open']> {
  const started = await startedView(state, cluster)
  return started.ok ? ok(started.value.snapshot()) : started
}

async function startedView(state: ViewsState, cluster: string): Promise<Result<LiveView>> {
  const { live } = state
  const view = live.get(cluster) ?? startView(state, cluster)
  live.set(cluster, view)
  state.shownAtMs.set(cluster, state.clock.monotonicMs())
  const started = await view
  if (started.ok) return started
  // The next caller retries a failed view.
  if (live.get(cluster) === view) live.delete(cluster)
  return started
}

function isShown({ shownAtMs, clock }: ViewsState, cluster: string): boolean {
  const atMs = shownAtMs.get(cluster)
  return atMs !== undefined && clock.monotonicMs() - atMs < SHOWN_FOR_MS
}

/** Clouds that no page shows share a budget of requests. */
function attentionTo(state: ViewsState, cluster: string): ReturnType<LiveViewParts['attention']> {
  if (isShown(state, cluster)) return { kind: 'shown' }
  return { kind: 'hidden', among: [...state.live.keys()].filter(name => !isShown(state, name)).length }
}

async function startView(parts: ViewsState, cluster: string): Promise<Result<LiveView>> {
  const opened = await parts.open(cluster)
  if (!opened.ok) return opened
  const { world, feeds, warnings } = opened.value
  const view = startLiveView({
    cluster: world.cluster,
    warnings,
    feeds,
    cloud: world.cluster.cloud === null ? null : () => cloudOf(parts, cluster),
    ceph: world.ceph,
    foreign: world.kubernetes,
    activeRuns: () => parts.activeRuns(cluster),
    drainedOnly: () => parts.drainedOnly(cluster),
    hasFailed: parts.hasFailed,
    attention: () => attentionTo(parts, cluster),
    clock: parts.clock,
    onPatch: parts.onPatch,
  })
  const ready = await view.ready
  if (ready.ok) return ok(view)
  await view.stop()
  return ready
}

async function cloudOf({ open }: ViewsParts, cluster: string): Promise<Result<OpenStackPort>> {
  const opened = await open(cluster)
  if (!opened.ok) return opened
  const { world, openstackFailure } = opened.value
  if (world.openstack !== null) return ok(world.openstack)
  return failed(openstackFailure ?? refusal('not-found', because('ClusterLostCloud', { cluster })))
}

function endView({ live, ending, onEnded }: ViewsState, cluster: string, why: Failure | null): void {
  const view = live.get(cluster)
  if (view === undefined) return
  live.delete(cluster)
  const stopping = view.then(async started => {
    if (started.ok) await started.value.stop()
  })
  ending.add(stopping)
  void stopping.finally(() => ending.delete(stopping))
  onEnded({ cluster, failure: why })
}

async function withView({ live }: ViewsState, cluster: string, report: (view: LiveView) => void): Promise<void> {
  const view = await live.get(cluster)
  if (view?.ok) report(view.value)
}
