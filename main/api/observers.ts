import type { Emit, UpdateObservation } from '../../shared/contract/index.ts'
import { seconds } from '../../shared/domain/durations.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { UpdateMoment } from '../../shared/domain/update.ts'
import { because } from '../../shared/words/reasons.ts'
import { findingOf, refusal } from '../../shared/words/refusal.ts'
import type { Clusters } from '../clusters/clusters.ts'
import { type Observer, observeCluster } from '../lcm/observer/observe.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import type { Logger } from '../platform/log/logger.ts'
import type { ObservationLog } from '../ports/journal.ts'

/** Clusters observed in parallel; the least recently requested is dropped. */
const KEPT = 4
/** How long an answer waits for the first observation of a cluster. */
const FIRST_LOOK_MS = seconds(10)
/** How soon an unreachable cluster is tried again, unless requested. */
const TRY_AGAIN_MS = seconds(30)
/** Minimum interval between change events. */
const REPORT_EVERY_MS = seconds(1)

/** Observers of updates, one per cluster, from the first request until the console closes. */
export interface Observers {
  observe(cluster: string): Promise<Result<UpdateObservation>>
  /** Figures of a cluster between two times, which a run's journal lacks. */
  samples(cluster: string, from: string, to: string): readonly UpdateMoment[]
  begin(cluster: string): void
  forget(cluster: string): void
  close(): Promise<void>
}

interface ObserverParts {
  readonly worlds: Pick<Clusters, 'open'>
  readonly observations: ObservationLog
  readonly clock: Clock
  readonly log: Logger
  readonly emit: Emit
}

interface Observing extends ObserverParts {
  /** Keyed by cluster, the most recently requested last. */
  readonly kept: Map<string, Promise<Result<Observer>>>
  readonly ending: Set<Promise<void>>
  readonly refused: Map<string, number>
  readonly closing: AbortController
}

export function createObservers(parts: ObserverParts): Observers {
  const observing: Observing = {
    ...parts,
    kept: new Map(),
    ending: new Set(),
    refused: new Map(),
    closing: new AbortController(),
  }
  const { kept, ending, refused, closing, clock } = observing
  return {
    samples: parts.observations.samples,
    begin: cluster => {
      const refusedAt = refused.get(cluster)
      if (refusedAt !== undefined && clock.now() - refusedAt < TRY_AGAIN_MS) return
      void observerOf(observing, cluster)
    },
    observe: cluster => observe(observing, cluster),
    forget: cluster => end(observing, cluster),
    close: async () => {
      closing.abort()
      for (const cluster of [...kept.keys()]) end(observing, cluster)
      await Promise.all(ending)
    },
  }
}

async function observe(observing: Observing, cluster: string): Promise<Result<UpdateObservation>> {
  const { clock, closing } = observing
  const observer = await observerOf(observing, cluster)
  if (!observer.ok) return observer
  const patience = new AbortController()
  const late = clock.sleep(FIRST_LOOK_MS, AbortSignal.any([patience.signal, closing.signal]))
  await Promise.race([observer.value.ready, late])
  patience.abort()
  const { timeline, drivenBy, plans, trouble } = observer.value.status()
  // The last known update stays visible, marked as old.
  if (trouble !== null && trouble.kind !== 'absent') {
    const code = trouble.kind === 'offline' ? 'unreachable' : 'not-permitted'
    const why = because('UpdateNotWatched', { cluster, why: findingOf(trouble) })
    return failed(refusal(code, why, { target: `cluster/${cluster}`, retryable: true }))
  }
  return ok({ cluster, timeline, drivenBy, plans: [...plans], readAt: isoNow(clock) })
}

/** The observer of a cluster, started now if there is none; then the least recently requested ones end. */
async function observerOf(observing: Observing, cluster: string): Promise<Result<Observer>> {
  const { kept, refused, clock } = observing
  const started = kept.get(cluster) ?? start(observing, cluster)
  kept.delete(cluster)
  kept.set(cluster, started)
  for (const oldest of [...kept.keys()].slice(0, -KEPT)) end(observing, oldest)
  const observer = await started
  // The next caller tries again.
  if (observer.ok) refused.delete(cluster)
  else {
    refused.set(cluster, clock.now())
    if (kept.get(cluster) === started) kept.delete(cluster)
  }
  return observer
}

async function start(observing: Observing, cluster: string): Promise<Result<Observer>> {
  const { worlds, observations, clock, log, emit } = observing
  const connected = await worlds.open(cluster)
  if (!connected.ok) return connected
  return ok(
    observeCluster({
      observed: connected.value,
      log: observations,
      clock,
      onChanged: paced(observing, () => emit('update.observed', { cluster })),
      onUnkept: why => log.warn('observation-not-kept', { cluster, why }),
    }),
  )
}

/** Calls at once, then at the minimum interval, including the last change. */
function paced({ clock, closing }: Observing, report: () => void): () => void {
  let pausing = false
  let missed = false
  const now = () => {
    report()
    pausing = true
    void clock.sleep(REPORT_EVERY_MS, closing.signal).then(() => {
      pausing = false
      if (!missed || closing.signal.aborted) return
      missed = false
      now()
    })
  }
  return () => {
    if (pausing) missed = true
    else now()
  }
}

function end({ kept, ending }: Observing, cluster: string): void {
  const started = kept.get(cluster)
  if (started === undefined) return
  kept.delete(cluster)
  const stopping = started.then(async observer => {
    if (observer.ok) await observer.value.stop()
  })
  ending.add(stopping)
  void stopping.finally(() => ending.delete(stopping))
}
