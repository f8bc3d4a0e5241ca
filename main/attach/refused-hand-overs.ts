import { seconds } from '../../shared/domain/durations.ts'
import { handOverStanding } from '../../shared/domain/maintenance-run.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { HandOverPlace, RunView } from '../../shared/domain/run.ts'
import type { Clock } from '../clock/clock.ts'
import type { KubernetesWorld } from '../clusters/clusters.ts'
import type { Journal } from '../journal/journal.ts'
import type { Logger } from '../log/logger.ts'
import type { RunService } from '../runs/run-service.ts'
import type { RunnerPlace } from './runner-place.ts'

/** A run that was handed over, as it was after its event `lastSeq`. */
interface HandedRun {
  readonly runId: string
  readonly lastSeq: number
  readonly to: NonNullable<RunView['handedTo']>
  /** It is over here; else it was announced, and may be asked for again. */
  readonly isOver: boolean
}

/** An object is looked at so often at most: events of a runner come in crowds. */
const LOOK_LEAST_MS = seconds(10)
/** So long whoever wants to know waits for a look. */
const PATIENCE_MS = seconds(6)

/** What looks whether runs that this console handed over were refused. */
interface RefusalsHeard {
  /** A runner of a place was heard. Answers at once, and asks the API server only where a hand-over has not settled. */
  heard(place: RunnerPlace, open: () => Promise<Result<KubernetesWorld>>, signal: AbortSignal): void
  /** Looks now, at one run or at all, and waits for it a few seconds at most: for whoever is about to say where a run stands. */
  settle(runId: string | null, worldOf: (place: RunnerPlace) => Promise<Result<KubernetesWorld>>): Promise<void>
}

/**
 * Looks whether runs that this console handed over were refused where they went: then nobody drives them, and that is told in this console's journal, so that every list and
 * signal says it. Of a run that a runner has begun, or whose object is gone, this process asks nothing again.
 */
export function createRefusalsHeard(parts: {
  /** The runs of this console's own journal. */
  readonly own: Pick<RunService, 'endHandOver' | 'view'>
  readonly journal: Pick<Journal, 'handedOver' | 'readOnly'> & { readonly care: Pick<Journal['care'], 'isImported'> }
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly log: Pick<Logger, 'warn'>
}): RefusalsHeard {
  const { own, journal, clock, log } = parts
  /** What is known of each run as it was after an event; null: there is nothing to ask about it. */
  const known = new Map<string, HandedRun | null>()
  const notBefore = new Map<string, number>()
  const keyOf = ({ id, lastSeq }: { readonly id: string; readonly lastSeq: number }) => `${id} ${lastSeq}`

  function unsettled(): readonly HandedRun[] {
    const ids = journal.handedOver()
    if (!ids.ok) {
      log.warn('runs that were handed over cannot be read', { why: ids.failure.message })
      return []
    }
    for (const each of ids.value) if (!known.has(keyOf(each))) known.set(keyOf(each), readHanded(each))
    return ids.value.flatMap(each => known.get(keyOf(each)) ?? [])
  }

  function readHanded({ id, lastSeq }: { readonly id: string; readonly lastSeq: number }): HandedRun | null {
    // One of an imported journal is told by the console that drove it.
    if (journal.care.isImported(id)) return null
    const found = own.view(id)
    const to = found.ok ? found.value.view.handedTo : null
    return !found.ok || to === null
      ? null
      : { runId: id, lastSeq, to, isOver: found.value.view.state.kind === 'finished' }
  }

  async function look({ runId, lastSeq, to, isOver }: HandedRun, world: KubernetesWorld): Promise<void> {
    const read = await world.maintenanceRuns(to.namespace).run(to.object)
    if (!read.ok) return
    const standing = handOverStanding(read.value, to.storyHash)
    const isSettled =
      (standing.kind === 'gone' && isOver) || (standing.kind === 'taken' && standing.status.runId !== null)
    if (isSettled) known.set(keyOf({ id: runId, lastSeq }), null)
    if (standing.kind !== 'not-taken') return
    const { phase, message } = standing.status
    const named = `MaintenanceRun ${to.object} in namespace ${to.namespace} of ${to.by}`
    const ended = own.endHandOver(runId, {
      kind: 'not-handed-over',
      why: `${phase === 'Aborted' ? `${named} was withdrawn` : `The runner refused ${named}`}: ${message}`,
      lastSeq,
    })
    if (!ended.ok) log.warn('a refused hand-over could not be told', { runId, why: ended.failure.message })
  }

  async function lookAt(
    runs: readonly HandedRun[],
    open: () => Promise<Result<KubernetesWorld>>,
    signal: AbortSignal,
  ): Promise<void> {
    const world = await open()
    if (!world.ok) return
    for (const run of runs) if (!signal.aborted) await look(run, world.value)
  }

  const failed = (error: unknown) => log.warn('runs that were handed over could not be looked at', { error })

  return {
    heard: (place, open, signal) => {
      const at = `${place.by}/${place.namespace}`
      if (journal.readOnly !== null || clock.monotonicMs() < (notBefore.get(at) ?? Number.NEGATIVE_INFINITY)) return
      try {
        const runs = unsettled().filter(({ to }) => isAt(to, place))
        if (runs.length === 0) return
        notBefore.set(at, Number.POSITIVE_INFINITY)
        void lookAt(runs, open, signal)
          .catch(failed)
          .finally(() => notBefore.set(at, clock.monotonicMs() + LOOK_LEAST_MS))
      } catch (error) {
        failed(error)
      }
    },
    settle: async (runId, worldOf) => {
      if (journal.readOnly !== null) return
      const late = new AbortController()
      try {
        const runs = unsettled().filter(run => runId === null || run.runId === runId)
        const looks = runs.map(run => lookAt([run], () => worldOf(run.to), late.signal))
        if (looks.length > 0) await Promise.race([Promise.all(looks), clock.sleep(PATIENCE_MS, late.signal)])
      } catch (error) {
        failed(error)
      } finally {
        late.abort()
      }
    },
  }
}

function isAt(to: HandOverPlace, place: RunnerPlace): boolean {
  return to.by === place.by && to.namespace === place.namespace
}
