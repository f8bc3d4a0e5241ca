import type { ClusterView } from '../../../shared/domain/cluster-view.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { DrainedOnly } from '../../../shared/domain/taken-out.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import type { ActiveNodeRun } from '../../runs/active-runs.ts'
import type { ConnectedWorld } from '../clusters.ts'
import { type LiveView, startLiveView } from './live-view.ts'
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
  open(cluster: string): Promise<Result<{ readonly view: ClusterView; readonly seq: number }>>
  /** A run progressed: the state of its nodes may differ. */
  runsChanged(): void
  readInstances(cluster: string, ids: readonly string[]): void
  /** The cluster is reached another way now, or was removed: its view is outdated. */
  forget(cluster: string): void
  close(): Promise<void>
}

/** Number of live views: switching between these clusters is immediate. */
const KEPT = 4

interface ViewsState extends ViewsParts {
  readonly live: Map<string, Promise<Result<LiveView>>>
  readonly ending: Set<Promise<void>>
}

export function createViews(parts: ViewsParts): Views {
  const state: ViewsState = { ...parts, live: new Map(), ending: new Set() }
  const { live, ending } = state
  return {
    open: cluster => openView(state, cluster),
    runsChanged: () => {
      for (const cluster of live.keys()) void withView(state, cluster, view => view.runsChanged())
    },
    readInstances: (cluster, ids) => void withView(state, cluster, view => view.readInstances(ids)),
    forget: cluster => endView(state, cluster, null),
    close: async () => {
      for (const cluster of [...live.keys()]) endView(state, cluster, refusal('aborted', because('ConsoleCloses')))
      await Promise.all(ending)
    },
  }
}

async function openView(state: ViewsState, cluster: string): ReturnType<Views['open']> {
  const { live } = state
  const view = live.get(cluster) ?? startView(state, cluster)
  live.delete(cluster)
  live.set(cluster, view)
  for (const oldest of [...live.keys()].slice(0, -KEPT)) {
    const more = { retryable: true, target: `cluster/${oldest}` }
    endView(state, oldest, refusal('conflict', because('ViewsTooMany', { cluster: oldest }), more))
  }
  const started = await view
  if (started.ok) return ok(started.value.snapshot())
  // The next caller retries a failed view.
  if (live.get(cluster) === view) live.delete(cluster)
  return started
}

async function startView(parts: ViewsParts, cluster: string): Promise<Result<LiveView>> {
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
