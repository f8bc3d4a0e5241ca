import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from './clock.ts'

const REMEMBERED_IDS = 20_000

/** How far the clocks of several API servers behind one address may differ. */
const APART_MS = 5_000

const WHOLE_SECOND_MS = 1_000

/** Lockkeeper accepts a clock that seems set back when answers to the same question, this far apart, show that it advances. */
const SEEN_GOING_MS = 5_000

/** How far two readings of one clock may differ: its whole seconds, and the transfer time. */
const SAME_CLOCK_MS = 2 * WHOLE_SECOND_MS

const DOUBTED = 1_000

/** How much faster than a server's clock ours may run, as a fraction of the time since its Date was received. */
const DRIFT = 0.001

/** Makes proxies and caches pass the request to the service. */
export const ASK_FRESHLY = { 'cache-control': 'no-cache', pragma: 'no-cache' } as const

interface ReceivedAnswer {
  /** The service whose clock the Date shows. */
  readonly service: string
  /** Identifies the question; the same each time. */
  readonly question: string
  /** The service's id of the request; null if it gave none that proves anything. */
  readonly id: string | null
  readonly age: string | undefined
  readonly date: string | undefined
  readonly askedMs: number
}

/** Detects, for one session, answers that were created before their requests. */
interface FreshAnswers {
  whyPast(answer: ReceivedAnswer): Finding | null
}

/**
 * Compares the answers of one session. Each of these shows that an answer is older than its request, whatever its status (an old refusal is
 * as wrong as an old list):
 * - its request id was received before: services make one for each request, also for refused ones;
 * - its Age is more than the time since the request (RFC 9111, 5.1);
 * - its Date is earlier than the newest Date of this service, by more than the clocks of its API servers differ. Clocks of other machines are
 *   compared only with themselves, never with ours. A clock that was set back later answers the same question with a later Date, which no
 *   cached answer does.
 *
 * A missing header proves nothing: proxies drop headers.
 */
export function createFreshAnswers(clock: Clock): FreshAnswers {
  const ids = new Set<string>()
  /** By service: the highest certain lead of the server's clock over our monotonic one, and when it was received. */
  const ahead = new Map<string, { readonly ms: number; readonly receivedMs: number }>()

  /** By service and question: the lead of a too old Date over our monotonic clock, and when it was first received. */
  const doubted = new Map<string, { readonly ms: number; readonly receivedMs: number }>()

  function isReceivedBefore(id: string): boolean {
    const isKnown = ids.delete(id)
    ids.add(id)
    const [oldest] = ids
    if (ids.size > REMEMBERED_IDS && oldest !== undefined) ids.delete(oldest)
    return isKnown
  }

  /** Returns how much older the Date is than its request, or 0 if it is not; remembers a good Date. */
  function tooOldByMs({ service, question, askedMs }: ReceivedAnswer, date: number, receivedMs: number): number {
    const known = ahead.get(service)
    const leastMs = known === undefined ? null : known.ms - (askedMs - known.receivedMs) * DRIFT
    const behindMs = leastMs === null ? 0 : leastMs + askedMs - (date + WHOLE_SECOND_MS)
    const ms = date - receivedMs
    if (behindMs > APART_MS) {
      if (!wasSetBack(`${service} ${question}`, ms, receivedMs)) return behindMs
      ahead.set(service, { ms, receivedMs })
      return 0
    }
    doubted.delete(`${service} ${question}`)
    if (leastMs === null || ms > leastMs) ahead.set(service, { ms, receivedMs })
    return 0
  }

  /** Whether a too old Date advanced with time, without an answer of the old clock to the same question in between. */
  function wasSetBack(asked: string, ms: number, receivedMs: number): boolean {
    const first = doubted.get(asked)
    if (first !== undefined && Math.abs(ms - first.ms) <= SAME_CLOCK_MS) {
      if (receivedMs - first.receivedMs < SEEN_GOING_MS) return false
      doubted.clear()
      return true
    }
    doubted.delete(asked)
    doubted.set(asked, { ms, receivedMs })
    const [oldest] = doubted.keys()
    if (doubted.size > DOUBTED && oldest !== undefined) doubted.delete(oldest)
    return false
  }

  return {
    whyPast: answer => {
      const receivedMs = clock.monotonicMs()
      if (answer.id !== null && isReceivedBefore(answer.id)) return because('AnswerGivenBefore', { id: answer.id })
      const age = /^\d+$/.test(answer.age ?? '') ? Number(answer.age) : 0
      if (age * 1_000 > receivedMs - answer.askedMs) return because('AnswerOldByAge', { seconds: age })
      const date = Date.parse(answer.date ?? '')
      const oldMs = Number.isNaN(date) ? 0 : tooOldByMs(answer, date, receivedMs)
      return oldMs === 0 ? null : because('AnswerOldByDate', { behindMs: oldMs })
    },
  }
}
