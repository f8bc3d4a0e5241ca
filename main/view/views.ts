import type { ClusterView } from '../../shared/domain/cluster-view.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { DrainedOnly } from '../../shared/domain/taken-out.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { ConnectedWorld } from '../clusters/clusters.ts'
import type { Clock } from '../platform/clock/clock.ts'
import type { OpenStackPort } from '../ports/openstack.ts'
import type { ActiveNodeRun } from '../runs/active-runs.ts'
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

/** Keeps a live view for each of the last few opened clusters. */
export function createViews(parts: ViewsParts): Views {
  /** In the order of last opening. */
  const kept = new Map<string, Promise<Result<LiveView>>>()
  const ending = new Set<Promise<void>>()

  async function start(cluster: string): Promise<Result<LiveView>> {
    const opened = await parts.open(cluster)
    if (!opened.ok) return opened
    const { world, feeds, warnings } = opened.value
    const view = startLiveView({
      cluster: world.cluster,
      warnings,
      feeds,
      cloud: world.cluster.cloud === null ? null : () => cloudOf(cluster),
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

  async function cloudOf(cluster: string): Promise<Result<OpenStackPort>> {
    const opened = await parts.open(cluster)
    if (!opened.ok) return opened
    const { world, openstackFailure } = opened.value
    if (world.openstack !== null) return ok(world.openstack)
    return {
      ok: false,
      failure: openstackFailure ?? refusal('not-found', because('ClusterLostCloud', { cluster })),
    }
  }

  function end(cluster: string, why: Failure | null): void {
    const view = kept.get(cluster)
    if (view === undefined) return
    kept.delete(cluster)
    const stopping = view.then(async started => {
      if (started.ok) await started.value.stop()
    })
    ending.add(stopping)
    void stopping.finally(() => ending.delete(stopping))
    parts.onEnded({ cluster, failure: why })
  }

  async function each(cluster: string, report: (view: LiveView) => void): Promise<void> {
    const view = await kept.get(cluster)
    if (view?.ok) report(view.value)
  }

  return {
    open: async cluster => {
      const view = kept.get(cluster) ?? start(cluster)
      kept.delete(cluster)
      kept.set(cluster, view)
      for (const oldest of [...kept.keys()].slice(0, -KEPT)) {
        end(
          oldest,
          refusal('conflict', because('ViewsTooMany', { cluster: oldest }), {
            retryable: true,
            target: `cluster/${oldest}`,
          }),
        )
      }
      const started = await view
      if (started.ok) return ok(started.value.snapshot())
      // The next caller retries a failed view.
      if (kept.get(cluster) === view) kept.delete(cluster)
      return started
    },
    runsChanged: () => {
      for (const cluster of kept.keys()) void each(cluster, view => view.runsChanged())
    },
    readInstances: (cluster, ids) => void each(cluster, view => view.readInstances(ids)),
    forget: cluster => end(cluster, null),
    close: async () => {
      for (const cluster of [...kept.keys()]) end(cluster, refusal('aborted', because('ConsoleCloses')))
      await Promise.all(ending)
    },
  }
}
