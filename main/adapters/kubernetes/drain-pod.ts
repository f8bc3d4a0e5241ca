import { seconds } from '../../../shared/domain/durations.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { finalizersNamed } from '../../../shared/domain/finalizers.ts'
import type { DrainFact, DrainOptions, EvictionAnswer, Pod, PodName } from '../../../shared/domain/kubernetes.ts'
import { assertNever } from '../../../shared/domain/must.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { causeOf } from '../../../shared/words/refusal.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Departures } from './departures.ts'
import { isDeletedLongEnough } from './drain-filters.ts'
import { findPod } from './drain-reads.ts'
import { type EvictionVersion, isPassing, removePod, sightingOf } from './eviction.ts'
import type { InFlight } from './in-flight.ts'
import type { KubernetesSession } from './session.ts'

/** The shortest delay before a refused eviction is retried, as in kubectl (docs/drain.md 5.3). */
const RETRY_DELAY_MS = seconds(5)
/** Spreads the retries of pods that were evicted together (V6). */
const RETRY_JITTER_MS = seconds(1)
export type PodEnd =
  | { readonly kind: 'left' }
  /** kubectl's --skip-wait-for-delete-timeout: the pod still exists, but the drain does not wait for it (5.4 rule 4). */
  | { readonly kind: 'not-waited-for' }
  | { readonly kind: 'failed'; readonly why: Finding }
  | { readonly kind: 'pending'; readonly why: Finding }

/** The result of a request to leave; accepted: the drain waits for the pod. */
export type Asked = PodEnd | { readonly kind: 'accepted' }

export interface Leaving {
  readonly session: KubernetesSession
  readonly clock: Clock
  readonly node: string
  readonly options: DrainOptions
  readonly onFact: (fact: DrainFact) => void
  readonly requestedBefore: ReadonlySet<string>
  readonly version: EvictionVersion
  /** Aborted by the operator, the deadline, or the end of the drain. */
  readonly scope: AbortSignal
  readonly departures: Departures
  readonly places: InFlight
  /** Wraps each request that removes a pod, after a check of the run's Lease; a failure: it was not sent. */
  readonly gate?: (<T>(effect: () => Promise<Result<T>>, signal?: AbortSignal) => Promise<Result<T>>) | undefined
  readonly retryTransient?: RetryDrain
}

/** Retries and reports failures that may pass, within the caller's patience. Without it, each pod is retried every few seconds until the drain's deadline. */
export type RetryDrain = <T>(what: string, attempt: () => Promise<Result<T>>) => Promise<Result<T>>

export async function askToLeave(leaving: Leaving, pod: Pod): Promise<Asked> {
  const { clock, scope, onFact } = leaving
  const asking: Asking = { attempts: 0, mayBeDone: false }
  let conflicts = 0
  let why = because('PodNotAskedYet')
  for (;;) {
    if (scope.aborted) return { kind: 'pending', why }
    const once = () => leaving.places.run(() => oneAttempt(leaving, pod, asking))
    const step = await attemptWithRetry(leaving, pod, once)
    switch (step.kind) {
      case 'left':
      case 'accepted':
        return step
      case 'failed':
        return failPod(leaving, pod, step.why)
      case 'stopped':
        return { kind: 'pending', why }
      case 'again': {
        why = step.why
        if (step.conflict) conflicts += 1
        // The first conflict is retried soon; later ones wait like other failures.
        const least = step.conflict && conflicts === 1 ? 0 : RETRY_DELAY_MS
        const delay = Math.max(least, step.retryAfterMs ?? 0) + clock.random() * RETRY_JITTER_MS
        if (step.refused) {
          const retryAt = new Date(clock.now() + delay).toISOString()
          const { message: sentence, ...coded } = step.why
          onFact({ kind: 'pod.eviction-refused', pod: nameOf(pod), sentence, ...coded, retryAt })
        }
        await clock.sleep(delay, scope)
        break
      }
      default:
        return assertNever(step, 'attempt')
    }
  }
}

async function attemptWithRetry(leaving: Leaving, pod: Pod, once: () => Promise<Attempt>): Promise<Attempt> {
  if (leaving.retryTransient === undefined) return once()
  const answer = await leaving.retryTransient(`pod/${pod.namespace}/${pod.name}`, async () => {
    const step = await once()
    return step.kind === 'again' && step.trouble !== null ? failed(step.trouble) : ok(step)
  })
  if (answer.ok) return answer.value
  return leaving.scope.aborted ? { kind: 'stopped' } : { kind: 'failed', why: causeOf(answer.failure) }
}

type Attempt =
  | { readonly kind: 'left' }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'failed'; readonly why: Finding }
  | { readonly kind: 'stopped' }
  | Again

interface Again {
  readonly kind: 'again'
  readonly why: Finding
  readonly retryAfterMs: number | null
  /** The server refused an eviction, which is a fact for the journal; a failed read is not. */
  readonly refused: boolean
  readonly conflict: boolean
  /** A failure that may pass; null if the server answered. */
  readonly trouble: Failure | null
}

interface Asking {
  attempts: number
  mayBeDone: boolean
}

/** Reads the pod and requests its removal immediately after (V1). */
async function oneAttempt(leaving: Leaving, pod: Pod, asking: Asking): Promise<Attempt> {
  const { session, scope, onFact, version, options, requestedBefore } = leaving
  if (scope.aborted) return { kind: 'stopped' }
  const seen = await readAgain(leaving, pod)
  if (scope.aborted && seen.kind !== 'left') return { kind: 'stopped' }
  if (seen.kind === 'left') return { kind: 'left' }
  if (seen.kind === 'unknown') {
    const why = causeOf(seen.failure)
    return seen.failure.retryable ? tryAgain(why, { refused: false, trouble: seen.failure }) : { kind: 'failed', why }
  }
  // This run requested the removal, now or in an earlier process, and the pod terminates: a lost or invalid answer needs no second request.
  const asked = asking.mayBeDone || requestedBefore.has(pod.uid)
  if (asked && seen.pod.deletionAt !== null) return { kind: 'accepted' }
  const request = async () => {
    asking.attempts += 1
    onFact({
      kind: 'pod.eviction-requested',
      pod: nameOf(pod),
      attempt: asking.attempts,
      how: version === null ? 'delete' : 'evict',
    })
    const { gracePeriodSeconds } = options
    return ok(await removePod(session, { pod, version, gracePeriodSeconds, dryRun: false, signal: scope }))
  }
  const made = await (leaving.gate === undefined ? request() : leaving.gate(request, scope))
  return made.ok ? attemptOf(made.value, leaving, seen.pod, asking) : { kind: 'stopped' }
}

function attemptOf(answer: EvictionAnswer, { scope, onFact }: Leaving, pod: Pod, asking: Asking): Attempt {
  switch (answer.kind) {
    case 'accepted':
      onFact({ kind: 'pod.eviction-accepted', pod: nameOf(pod) })
      return { kind: 'accepted' }
    case 'gone':
      onFact({ kind: 'pod.left', pod: nameOf(pod), how: 'gone' })
      return { kind: 'left' }
    case 'refused':
      return tryAgain(because('EvictionRefused', { cause: answer.sentence }), { retryAfterMs: answer.retryAfterMs })
    case 'namespace-terminating':
      // The namespace is being deleted; a pod with a deletionTimestamp needs no request.
      return pod.deletionAt !== null
        ? { kind: 'accepted' }
        : tryAgain(because('PodOfDeletedNamespace', { namespace: pod.namespace }))
    case 'conflict': {
      // The next read shows whether it is still the same pod (V1).
      const { sentence } = answer
      const why = sentence === '' ? because('PodChangedWhenAsked') : because('EvictionRefused', { cause: sentence })
      return tryAgain(why, { conflict: true })
    }
    case 'failed': {
      if (scope.aborted || answer.failure.code === 'aborted') return { kind: 'stopped' }
      asking.mayBeDone = true
      const why = causeOf(answer.failure)
      return isPassing(answer) ? tryAgain(why, { trouble: answer.failure }) : { kind: 'failed', why }
    }
    default:
      return assertNever(answer, 'eviction answer')
  }
}

function tryAgain(why: Finding, more: Partial<Again> = {}): Again {
  return { kind: 'again', why, retryAfterMs: null, refused: true, conflict: false, trouble: null, ...more }
}

/** Waits for a pod to leave: by the watch, and by occasional polls (5.4, V3). */
export async function waitUntilLeft(leaving: Leaving, pod: Pod): Promise<PodEnd> {
  const { clock, scope, departures, options } = leaving
  let why = because('PodTerminates')
  let asked = false
  let reportedHeld = ''
  let reportedKept = false
  for (;;) {
    // The watch only says when to check: a list without the pod is not a proof.
    const isReportedGone = departures.hasLeft(pod.uid)
    if (isReportedGone || asked || options.skipWaitForDeleteSeconds > 0) {
      const seen = await readAgainWithRetry(leaving, pod)
      if (seen.kind === 'left') return { kind: 'left' }
      if (scope.aborted) return { kind: 'pending', why }
      if (seen.kind === 'present') {
        if (isDeletedLongEnough(seen.pod, options, clock.now())) return { kind: 'not-waited-for' }
        const held = finalizersHolding(seen.pod, clock.now())
        if (held !== '' && held !== reportedHeld) leaving.onFact({ kind: 'pod.held', pod: nameOf(pod), by: held })
        reportedHeld = held
        if (held !== '') why = because('PodHeldByFinalizers', { finalizers: seen.pod.finalizers })
        else if (seen.pod.deletionAt === null) why = because('PodNotDeleted')
        else why = because('PodTerminatesUntil', { until: seen.pod.deletionAt })
        const isKept = seen.pod.deletionAt === null
        if (isKept !== reportedKept) {
          leaving.onFact({ kind: isKept ? 'pod.not-deleted' : 'pod.terminates', pod: nameOf(pod) })
        }
        reportedKept = isKept
      } else if (seen.failure.retryable && leaving.retryTransient === undefined) why = causeOf(seen.failure)
      else return failPod(leaving, pod, causeOf(seen.failure))
    }
    asked = true
    await (isReportedGone ? clock.sleep(RETRY_DELAY_MS, scope) : departures.wait(pod.uid, scope))
    if (scope.aborted) return { kind: 'pending', why }
  }
}

function finalizersHolding({ finalizers, deletionAt }: Pod, now: number): string {
  const isPastGracePeriod = deletionAt !== null && Date.parse(deletionAt) <= now
  return isPastGracePeriod && finalizers.length > 0 ? finalizersNamed(finalizers) : ''
}

type Sighting =
  | { readonly kind: 'present'; readonly pod: Pod }
  | { readonly kind: 'left' }
  | { readonly kind: 'unknown'; readonly failure: Failure }

async function readAgainWithRetry(leaving: Leaving, pod: Pod): Promise<Sighting> {
  const once = () => leaving.places.run(() => readAgain(leaving, pod))
  if (leaving.retryTransient === undefined) return once()
  const answer = await leaving.retryTransient(`pod/${pod.namespace}/${pod.name}`, async () => {
    const seen = await once()
    return seen.kind === 'unknown' ? failed(seen.failure) : ok(seen)
  })
  return answer.ok ? answer.value : { kind: 'unknown', failure: answer.failure }
}

/** Reads the pod and records, as a fact, when it is no longer the same one (5.4 rule 2, V1). */
async function readAgain(leaving: Leaving, pod: Pod): Promise<Sighting> {
  const found = await findPod(leaving.session, pod, leaving.scope)
  if (!found.ok) return { kind: 'unknown', failure: found.failure }
  const sighting = sightingOf(pod, leaving.node, found.value)
  if (sighting.kind === 'present') return sighting
  leaving.onFact({ kind: 'pod.left', pod: nameOf(pod), how: sighting.how })
  return { kind: 'left' }
}

function failPod(leaving: Leaving, pod: Pod, why: Finding): PodEnd {
  leaving.onFact({ kind: 'pod.failed', pod: nameOf(pod), ...why })
  return { kind: 'failed', why }
}

export function nameOf({ namespace, name, uid }: Pod): PodName {
  return { namespace, name, uid }
}
