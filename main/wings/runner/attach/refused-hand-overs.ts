import { seconds } from '../../../../shared/domain/durations.ts'
import { handOverState } from '../../../../shared/domain/maintenance-run.ts'
import type { Result } from '../../../../shared/domain/result.ts'
import type { RunView } from '../../../../shared/domain/run.ts'
import { visibleText } from '../../../../shared/domain/visible-text.ts'
import { because } from '../../../../shared/words/reasons.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { Journal } from '../../../journal/journal.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Logger } from '../../../platform/log/logger.ts'
import type { RunService } from '../../../runs/run-service.ts'
import type { KubernetesWorld } from './kubernetes-world.ts'
import { isSamePlace, type RunnerPlace } from './runner-place.ts'

/** A run that was handed over, as it was after its event `lastSeq`. */
interface HandedRun {
  readonly runId: string
  readonly lastSeq: number
  readonly to: NonNullable<RunView['handedTo']>
}

/** The shortest time between two reads of an object: events of a runner often come together. */
const LOOK_LEAST_MS = seconds(10)
const PATIENCE_MS = seconds(6)
/** An object that is missing for this long, while its runners answer and none has the run, never appears, or was deleted before a runner took it. */
const GONE_FOR_MS = seconds(60)
/** A longer text of a runner is cut. */
const LONGEST_MESSAGE = 1_000

/** Checks whether runs that this console handed over were refused. */
interface RefusedHandOvers {
  /**
   * A runner of a place answered; `isWhole`: all known runners there answer. Returns at once, and asks the API server only about hand-overs that have not
   * settled.
   */
  received(
    place: RunnerPlace,
    isWhole: boolean,
    open: () => Promise<Result<KubernetesWorld>>,
    signal: AbortSignal,
  ): void
  /** Checks one run or all now, and waits a few seconds at most. Call it before showing the state of a run. */
  settle(runId: string | null, worldOf: (place: RunnerPlace) => Promise<Result<KubernetesWorld>>): Promise<void>
}

interface CheckParts {
  readonly own: Pick<RunService, 'endHandOver' | 'view'>
  readonly journal: Pick<Journal, 'handedOver' | 'readOnly'> & { readonly care: Pick<Journal['care'], 'isImported'> }
  /** Whether a mirrored runner reports the run: then it has the run, whatever the object says. */
  readonly isReported: (runId: string) => boolean
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>
  readonly log: Pick<Logger, 'warn'>
}

interface CheckState extends CheckParts {
  /** Each run as it was after an event, by both; null if there is no need to ask about it. */
  readonly known: Map<string, HandedRun | null>
  readonly notBefore: Map<string, number>
  /** Since when the object of a run is known to be gone, by the monotonic clock. */
  readonly goneSince: Map<string, number>
}

/**
 * Checks whether runners refused runs that this console handed over. Such a run has no driver: this console's journal records it, so that every list and
 * signal shows it. The same when its object is gone and no runner has the run. Does not ask about a run that a runner reports.
 */
export function createRefusedHandOvers(parts: CheckParts): RefusedHandOvers {
  const state: CheckState = { ...parts, known: new Map(), notBefore: new Map(), goneSince: new Map() }
  return {
    received: (place, isWhole, open, signal) => checkPlace(place, isWhole, open, signal, state),
    settle: (runId, worldOf) => settle(runId, worldOf, state),
  }
}

function checkPlace(
  place: RunnerPlace,
  isWhole: boolean,
  open: () => Promise<Result<KubernetesWorld>>,
  signal: AbortSignal,
  state: CheckState,
): void {
  const { journal, clock, notBefore } = state
  const at = `${place.by}/${place.namespace}`
  if (journal.readOnly !== null || clock.monotonicMs() < (notBefore.get(at) ?? Number.NEGATIVE_INFINITY)) return
  notBefore.set(at, clock.monotonicMs() + LOOK_LEAST_MS)
  try {
    const runs = unsettled(state).filter(({ to }) => isSamePlace(to, place))
    if (runs.length === 0) return
    notBefore.set(at, Number.POSITIVE_INFINITY)
    void checkRuns(runs, isWhole, open, signal, state)
      .catch(error => warnUnseen(error, state))
      .finally(() => notBefore.set(at, clock.monotonicMs() + LOOK_LEAST_MS))
  } catch (error) {
    warnUnseen(error, state)
  }
}

async function settle(
  runId: string | null,
  worldOf: (place: RunnerPlace) => Promise<Result<KubernetesWorld>>,
  state: CheckState,
): Promise<void> {
  if (state.journal.readOnly !== null) return
  const late = new AbortController()
  try {
    const runs = unsettled(state).filter(run => runId === null || run.runId === runId)
    const checks = runs.map(run => checkRuns([run], false, () => worldOf(run.to), late.signal, state))
    if (checks.length > 0) await Promise.race([Promise.all(checks), state.clock.sleep(PATIENCE_MS, late.signal)])
  } catch (error) {
    warnUnseen(error, state)
  } finally {
    late.abort()
  }
}

function unsettled(state: CheckState): readonly HandedRun[] {
  const ids = state.journal.handedOver()
  if (!ids.ok) {
    state.log.warn('handed-over-runs-unread', { why: ids.failure.message })
    return []
  }
  return ids.value.flatMap(({ id, lastSeq }) => {
    try {
      return handedRun(id, lastSeq, state) ?? []
    } catch (error) {
      warnUnseen(error, state)
      return []
    }
  })
}

function handedRun(runId: string, lastSeq: number, { known, own, journal }: CheckState): HandedRun | null {
  const key = runKey({ runId, lastSeq })
  const before = known.get(key)
  if (before !== undefined) return before
  const found = own.view(runId)
  // The next check may read it.
  if (!found.ok) return null
  const { handedTo: to } = found.value.view
  // A run of an imported journal is reported by the console that drove it.
  const isOurs = to !== null && !journal.care.isImported(runId)
  const run = isOurs ? { runId, lastSeq, to } : null
  known.set(key, run)
  return run
}

async function checkRuns(
  runs: readonly HandedRun[],
  isWhole: boolean,
  open: () => Promise<Result<KubernetesWorld>>,
  signal: AbortSignal,
  state: CheckState,
): Promise<void> {
  const world = await open()
  if (!world.ok) return
  for (const run of runs)
    if (!signal.aborted) await checkRun(run, isWhole, world.value, state).catch(error => warnUnseen(error, state))
}

async function checkRun(run: HandedRun, isWhole: boolean, world: KubernetesWorld, state: CheckState): Promise<void> {
  const { own, isReported, known, log } = state
  const { runId, lastSeq, to } = run
  const read = await world.maintenanceRuns(to.namespace).run(to.object)
  if (!read.ok) return
  const status = handOverState(read.value, to.storyHash)
  if (isReported(runId) || (status.kind === 'taken' && status.status.runId !== null)) {
    known.set(runKey(run), null)
    return
  }
  const said = whyNoRunner(run, status, isWhole, state)
  if (said === null) return
  const ended = own.endHandOver(runId, { kind: 'not-handed-over', said, lastSeq })
  if (!ended.ok) log.warn('refused-hand-over-unkept', { runId, why: ended.failure.message })
}

function whyNoRunner(
  run: HandedRun,
  status: ReturnType<typeof handOverState>,
  isWhole: boolean,
  { goneSince, clock }: CheckState,
): Finding | null {
  const { object, namespace, by } = run.to
  const key = runKey(run)
  if (status.kind === 'not-taken') {
    const { phase, message } = status.status
    const said = visibleText(message.slice(0, LONGEST_MESSAGE))
    return because(phase === 'Aborted' ? 'RunWithdrawn' : 'RunnerRefusedRun', { object, namespace, by, said })
  }
  if (status.kind !== 'gone') {
    goneSince.delete(key)
    return null
  }
  // Without answers of all runners the waiting time neither starts nor restarts.
  if (!isWhole) return null
  const since = goneSince.get(key) ?? clock.monotonicMs()
  goneSince.set(key, since)
  return clock.monotonicMs() - since < GONE_FOR_MS ? null : because('NobodyTellsOfRun', { object, namespace, by })
}

function runKey({ runId, lastSeq }: Pick<HandedRun, 'runId' | 'lastSeq'>): string {
  return `${runId} ${lastSeq}`
}

function warnUnseen(error: unknown, { log }: CheckState): void {
  log.warn('handed-over-run-unseen', { error })
}
