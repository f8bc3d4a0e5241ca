import type { V1DeleteOptions, V1Eviction } from '@kubernetes/client-node'
import { seconds } from '../../../shared/domain/durations.ts'
import type { EvictionAnswer, PodName } from '../../../shared/domain/kubernetes.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { jsonObject, kindOf, readAnswer } from './answers.ts'
import { failureOfAnswer, refusalIn, withoutSecrets } from './errors.ts'
import { MalformedAnswer, objectIn } from './fields.ts'
import type { Written } from './model-fields.ts'
import { assertDeleted, servedResources } from './objects.ts'
import { requestWords } from './request-words.ts'
import { type Named, PODS, pathOf } from './resource-types.ts'
import type { KubernetesAnswer, KubernetesSession } from './session.ts'

/** The Eviction API version of the server; null if it has none and pods are deleted instead (docs/drain.md 5.3 rules 1, 2). */
export type EvictionVersion = 'policy/v1' | 'policy/v1beta1' | null

/** The server itself retries conflicts for up to 10 s (docs/drain.md 5.5). */
const EVICTION_LIMIT_MS = seconds(30)

/** Discovers the Eviction API version. A failed discovery is never a reason to delete pods (5.3 rule 1). */
export async function discoverEviction(
  session: KubernetesSession,
  signal?: AbortSignal,
): Promise<Result<EvictionVersion>> {
  const served = await servedResources(session, 'v1', signal)
  if (!served.ok) return served
  // A list without pods does not come from an API server: trusting it would delete pods past every budget.
  if (!served.value?.has('pods')) {
    return failed(refusal('unreadable', because('ApiServerListsNoPods', { server: session.host })))
  }
  const resource = served.value.get('pods/eviction')
  if (resource?.kind !== 'Eviction' || resource.group === null || resource.version === null) return ok(null)
  return ok(resource.group === 'policy' && resource.version === 'v1' ? 'policy/v1' : 'policy/v1beta1')
}

/** How old an answer may be for a plan. A drain discovers it itself before it removes the first pod. */
const KEPT_MS = seconds(30)

const KEPT = new WeakMap<KubernetesSession, { readonly atMs: number; readonly version: EvictionVersion }>()

/** The same for a plan, which removes nothing: an answer of the same session is kept for a while. */
export async function evictionForPlan(
  session: KubernetesSession,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Result<EvictionVersion>> {
  const kept = KEPT.get(session)
  const atMs = clock.monotonicMs()
  if (kept !== undefined && atMs - kept.atMs < KEPT_MS) return ok(kept.version)
  const found = await discoverEviction(session, signal)
  if (found.ok) KEPT.set(session, { atMs, version: found.value })
  return found
}

interface Removal {
  readonly pod: PodName
  readonly version: EvictionVersion
  /** Negative: the pod's own grace period (docs/drain.md 5.3 rule 3). */
  readonly gracePeriodSeconds: number
  readonly dryRun: boolean
  readonly signal?: AbortSignal | undefined
}

/** One attempt to remove a pod (docs/drain.md 5.3), without a retry. The UID is a precondition, so that a new pod of the same name is safe (V1). */
export async function removePod(session: KubernetesSession, removal: Removal): Promise<EvictionAnswer> {
  const { pod, version, signal } = removal
  const target = { type: PODS, namespace: pod.namespace, name: pod.name }
  const path = pathOf(target)
  const deleteOptions = {
    ...(removal.gracePeriodSeconds >= 0 ? { gracePeriodSeconds: removal.gracePeriodSeconds } : {}),
    ...(removal.dryRun ? { dryRun: ['All'] } : {}),
    preconditions: { uid: pod.uid },
  } satisfies Written<V1DeleteOptions>
  const request =
    version === null
      ? ({ method: 'DELETE', path, body: { kind: 'DeleteOptions', apiVersion: 'v1', ...deleteOptions } } as const)
      : ({
          method: 'POST',
          path: `${path}/eviction`,
          body: {
            kind: 'Eviction',
            apiVersion: version,
            metadata: { name: pod.name, namespace: pod.namespace },
            deleteOptions,
          } satisfies Written<V1Eviction>,
        } as const)
  const answer = await session.exchange({ ...request, timeoutMs: EVICTION_LIMIT_MS, retry: false, signal })
  if (!answer.ok) return { kind: 'failed', failure: answer.failure }
  return evictionAnswer(answer.value, request.method, request.path, target, pod.uid)
}

/** The API server's message for a pod with several budgets (kubernetes pkg/registry/core/pod/storage/eviction.go). */
const TWO_BUDGETS = /more than one PodDisruptionBudget/i

function evictionAnswer(
  answer: KubernetesAnswer,
  method: string,
  path: string,
  target: Named,
  uid: string,
): EvictionAnswer {
  const words = requestWords(method, path)
  if (answer.status >= 200 && answer.status <= 299) {
    const read = readAnswer(words, answer, body => assertAccepted(body, target, uid))
    return read.ok ? { kind: 'accepted' } : { kind: 'failed', failure: read.failure }
  }
  const failure = failureOfAnswer(words, answer.status, answer.body, answer.contentType)
  const status = refusalIn(answer.status, answer.body)
  const sentence = withoutSecrets(status?.message ?? '')
  // The answer does not come from the API server; the next read shows the pod's state.
  if (failure.code === 'unreadable') return { kind: 'failed', failure }
  if (answer.status === 404) return { kind: 'gone' }
  if (answer.status === 409) return { kind: 'conflict', sentence }
  if (answer.status === 429 || status?.reason === 'TooManyRequests') {
    const said = causesReported(status) || sentence || because('ApiServerAsksToWait').message
    return { kind: 'refused', sentence: said, retryAfterMs: answer.retryAfterMs }
  }
  if (answer.status === 403 && status?.causes.some(cause => cause.reason === 'NamespaceTerminating')) {
    return { kind: 'namespace-terminating' }
  }
  if (answer.status === 403 && /^poddisruptionbudget/i.test(status?.about.kind ?? '')) {
    // Not a permission problem: the budget currently allows no eviction (docs/drain.md 5.5).
    const cause = (causesReported(status) || sentence).replace(/\.$/, '')
    const said = because('PodNotEvictable', { pod: `${target.namespace}/${target.name}`, cause })
    return { kind: 'failed', failure: { ...failure, ...refusal('conflict', said) } }
  }
  if (answer.status >= 500 && answer.retryAfterMs !== null) {
    // client-go retries these internally, so kubectl never sees them (docs/drain.md 5.5).
    return { kind: 'refused', sentence: sentence || failure.message, retryAfterMs: answer.retryAfterMs }
  }
  // A failing server is retried; "two budgets" is a verdict, although its status is 500 too.
  const passes = answer.status >= 500 && !TWO_BUDGETS.test(sentence)
  return { kind: 'failed', failure: { ...failure, retryable: passes } }
}

/** Each budget of a pod is one cause; a longer list is not about a pod. */
const MOST_CAUSES = 10

/** The reasons that the server gives, such as the message that names a budget (V8); empty if it described only the request. */
function causesReported(status: ReturnType<typeof refusalIn>): string {
  const reported = (status?.causes ?? [])
    .slice(0, MOST_CAUSES)
    .map(({ message }) => withoutSecrets(message))
    .filter(message => message !== '')
  return [...new Set(reported)].join('; ')
}

/** Accepted evictions return a Status, or the Eviction on some servers. Deletions may return the pod. */
function assertAccepted(body: unknown, target: Named, uid: string): void {
  const object = jsonObject(body)
  if (object.kind !== 'Eviction') assertDeleted(object, target, uid)
  else if (objectIn(object, 'metadata').name !== target.name)
    throw new MalformedAnswer(because('EvictionOfOtherPod', kindOf(object)))
}

/** Whether the drain's pod exists: its name may meanwhile belong to another pod or node (docs/drain.md V1). */
type PodSighting<P> =
  | { readonly kind: 'present'; readonly pod: P }
  | { readonly kind: 'left'; readonly how: 'gone' | 'replaced' | 'moved' }

export function sightingOf<P extends { readonly uid: string; readonly nodeName: string | null }>(
  meant: { readonly uid: string },
  node: string,
  found: P | null,
): PodSighting<P> {
  if (found === null) return { kind: 'left', how: 'gone' }
  if (found.uid !== meant.uid) return { kind: 'left', how: 'replaced' }
  if (found.nodeName !== node) return { kind: 'left', how: 'moved' }
  return { kind: 'present', pod: found }
}

export function isPassing(answer: EvictionAnswer): boolean {
  return answer.kind === 'failed' && answer.failure.retryable
}
