import type {
  DrainFact,
  DrainOptions,
  DrainOutcome,
  Pod,
  PodName,
  StayingPod,
} from '../../../shared/domain/kubernetes.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import { getNode } from './cordon.ts'
import { watchDepartures } from './departures.ts'
import {
  type Asked,
  askToLeave,
  type Leaving,
  nameOf,
  type PodEnd,
  type RetryDrain,
  waitUntilLeft,
} from './drain-pod.ts'
import { DRAIN_REQUESTS_AT_ONCE, planDrain } from './drain-reads.ts'
import type { EvictionVersion } from './eviction.ts'
import { createInFlight } from './in-flight.ts'
import type { KubernetesSession } from './session.ts'

interface DrainRequest {
  readonly session: KubernetesSession
  readonly clock: Clock
  readonly log: Logger
  readonly node: string
  readonly options: DrainOptions
  readonly onFact: (fact: DrainFact) => void
  readonly requestedBefore: ReadonlySet<string>
  readonly signal: AbortSignal
  readonly gate?: Leaving['gate']
  readonly retryTransient?: RetryDrain
}

/** Drains a node (docs/drain.md 5.2-5.6). One stuck pod does not delay the others. Evicts nothing from a node that is not cordoned (V2). */
export async function drainNode(request: DrainRequest): Promise<DrainOutcome> {
  const { session, clock, node, options, signal } = request
  const plan = await planDrain(session, clock, node, options, { dryRun: false, withBudgets: false, signal })
  if (signal.aborted) return { kind: 'aborted', pending: [] }
  if (!plan.ok) return { kind: 'refused', failure: plan.failure }
  if (plan.value.blockers.length > 0) return { kind: 'blocked', blockers: plan.value.blockers }
  const pods = plan.value.decisions.filter(({ fate }) => fate === 'evict' || fate === 'delete').map(({ pod }) => pod)
  const cordoned = await getNode(session, node, signal)
  if (signal.aborted) return { kind: 'aborted', pending: pods.map(nameOf) }
  if (!cordoned.ok) return { kind: 'refused', failure: cordoned.failure }
  if (!cordoned.value.unschedulable) {
    return {
      kind: 'refused',
      failure: refusal('conflict', because('DrainOfOpenNode', { node }), { target: `node/${node}` }),
    }
  }
  if (pods.length === 0) return { kind: 'drained', left: [] }
  return emptyNode(request, pods, plan.value.evictionVersion)
}

async function emptyNode(request: DrainRequest, pods: readonly Pod[], version: EvictionVersion): Promise<DrainOutcome> {
  const { session, clock, log, node, options, signal } = request
  // Ends the whole drain: operator's stop, deadline, rejected fact, or completion.
  const scope = new AbortController()
  const stop = () => scope.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  if (options.timeoutMs > 0) void clock.sleep(options.timeoutMs, scope.signal).then(stop)
  const broken: unknown[] = []
  const departures = watchDepartures(session, node, clock, scope.signal)
  const leaving: Leaving = {
    ...request,
    version,
    scope: scope.signal,
    departures,
    places: createInFlight(DRAIN_REQUESTS_AT_ONCE),
  }
  // The journal rejected a fact: no further request may be sent (main/runs/engine/step.ts, StopStepping).
  const guarded = (work: Promise<PodEnd>): Promise<PodEnd> =>
    work.catch((error: unknown) => {
      broken.push(error)
      stop()
      return { kind: 'pending', why: because('RunWasStopped') }
    })
  let ends: readonly PodEnd[]
  try {
    ends = await (version === null ? deleteAll(leaving, pods, guarded) : evictAll(leaving, pods, guarded))
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
    await departures.ended
  }
  if (broken.length > 0) throw broken[0]
  const outcome = outcomeOf(pods, ends, signal.aborted)
  log.info('drain ended', { node, outcome: outcome.kind, pods: pods.length })
  return outcome
}

type Guard = (work: Promise<PodEnd>) => Promise<PodEnd>

function evictAll(leaving: Leaving, pods: readonly Pod[], guarded: Guard): Promise<readonly PodEnd[]> {
  return Promise.all(pods.map(pod => guarded(askToLeave(leaving, pod).then(asked => afterAsking(leaving, pod, asked)))))
}

/** One after another; the first refusal stops the rest; then waits for all (5.3 rule 5). */
async function deleteAll(leaving: Leaving, pods: readonly Pod[], guarded: Guard): Promise<readonly PodEnd[]> {
  const waits: Promise<PodEnd>[] = []
  let refused = false
  for (const pod of pods) {
    if (refused) {
      waits.push(Promise.resolve({ kind: 'pending', why: because('PodNotAskedAfterOther') }))
      continue
    }
    const asked = askToLeave(leaving, pod)
    waits.push(guarded(asked.then(end => afterAsking(leaving, pod, end))))
    refused = await asked.then(
      end => end.kind === 'failed' || end.kind === 'pending',
      () => true,
    )
  }
  return Promise.all(waits)
}

function afterAsking(leaving: Leaving, pod: Pod, asked: Asked): Promise<PodEnd> | PodEnd {
  return asked.kind === 'accepted' ? waitUntilLeft(leaving, pod) : asked
}

function outcomeOf(pods: readonly Pod[], ends: readonly PodEnd[], aborted: boolean): DrainOutcome {
  const all = pods.map((pod, index) => ({ pod: nameOf(pod), end: ends[index] }))
  const those = (kind: 'pending' | 'failed') =>
    all.flatMap(({ pod, end }) => (end?.kind === kind ? [stayingPod(pod, end.why)] : []))
  const pending = those('pending')
  const failures = those('failed')
  if (aborted && pending.length > 0) return { kind: 'aborted', pending: pending.map(({ pod }) => pod) }
  if (failures.length > 0) return { kind: 'failed', failures, pending: pending.map(({ pod }) => pod) }
  if (pending.length > 0) return { kind: 'timed-out', pending }
  return { kind: 'drained', left: all.filter(({ end }) => end?.kind === 'left').map(({ pod }) => pod) }
}

function stayingPod(pod: PodName, { message: why, code, values }: Finding): StayingPod {
  return { pod, why, code, values }
}
