import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from './clock.ts'

/** Ids of requests that are remembered; the one that was heard longest ago is forgotten first. */
const REMEMBERED_IDS = 20_000

/** So far the clocks of several API servers behind one address may be apart. */
const APART_MS = 5_000

/** A header tells whole seconds. */
const WHOLE_SECOND_MS = 1_000

/** A clock that was set back is believed once answers to one question, so far apart, show that it goes on. */
const SEEN_GOING_MS = 5_000

/** So far two looks at one clock may differ: its whole seconds, and the way. */
const SAME_CLOCK_MS = 2 * WHOLE_SECOND_MS

/** Questions whose Date is doubted; the one doubted longest is forgotten first. */
const DOUBTED = 1_000

/** How much faster than a server's clock ours may run: a part of the time that passed since its Date was heard. */
const DRIFT = 0.001

/** What asks everything on the way, and whatever keeps answers, for the service's own answer of now. */
export const ASK_FRESHLY = { 'cache-control': 'no-cache', pragma: 'no-cache' } as const

/** An answer as its headers show it. */
interface ReceivedAnswer {
  /** Whose clock its Date is. */
  readonly service: string
  /** What was asked, the same each time it is asked. */
  readonly question: string
  /** The id under which the service handled the request; null when it told none that proves anything. */
  readonly id: string | null
  readonly age: string | undefined
  readonly date: string | undefined
  /** When it was asked for, by our monotonic clock. */
  readonly askedMs: number
}

/** Tells of one session which answers were given before they were asked for. */
interface FreshAnswers {
  /** Why an answer, heard just now, is of the past; null: nothing shows it. */
  whyPast(answer: ReceivedAnswer): Finding | null
}

/**
 * Holds the answers of one session against each other. An answer shows itself to have been given before we asked, whatever its status, because a refusal of
 * the past is as untrue as a list of the past:
 * - the id of its request was heard already: a service makes one for each request, for those it refuses too;
 * - its Age is more than the time since we asked (RFC 9111, 5.1);
 * - its Date goes back against the newest Date of this service, by more than clocks of its API servers are apart. Clocks of other machines are
 *   compared with themselves only, never with ours. One that was set back tells the same question later with a later Date, which no kept answer does.
 *
 * A header that is missing proves nothing: proxies drop them.
 */
export function createFreshAnswers(clock: Clock): FreshAnswers {
  const ids = new Set<string>()
  /** By service, the highest that the server's clock stood over our monotonic one for certain, and when that was heard. */
  const ahead = new Map<string, { readonly ms: number; readonly receivedMs: number }>()

  /** By service and question, how far a Date that is too old stood over our monotonic clock, and when it was heard first. */
  const doubted = new Map<string, { readonly ms: number; readonly receivedMs: number }>()

  function isReceivedBefore(id: string): boolean {
    const isKnown = ids.delete(id)
    ids.add(id)
    const [oldest] = ids
    if (ids.size > REMEMBERED_IDS && oldest !== undefined) ids.delete(oldest)
    return isKnown
  }

  /** By how long the Date of an answer is too old to be of a request sent when it was asked for; it is remembered unless it is. */
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

  /** Whether a Date that is too old was seen to go on with time, with no answer of the old clock to the same question between. */
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
