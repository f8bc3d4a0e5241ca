import { randomUUID } from 'node:crypto'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { ASK_FRESHLY, createFreshAnswers } from '../../platform/clock/fresh-answers.ts'
import type { HttpHeaders } from '../http/exchange.ts'

/** The form in which API servers and we make ids of requests; whatever has another proves nothing. */
const AUDIT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A request about to be sent, which knows the answer to it again. */
interface Asked {
  /** Asks for no kept answer, and gives the request an id of ours. */
  readonly headers: Readonly<Record<string, string>>
  /** Why an answer, heard just now, is none to this request; null: nothing shows it. */
  whyPast(headers: HttpHeaders): Finding | null
}

/**
 * Makes the requests of one session so that each answer is one of now. Besides what headers show of any answer (main/platform/clock/fresh-answers.ts), an API server
 * tells the Audit-ID that the request came with (apiserver audit_init.go), which nothing that was kept can know: the first answer of a session proves itself
 * too. Where something on the way takes our id off, the API server makes one of its own each time: that is believed of a question whose id changed when
 * it was asked again, until our id comes back once.
 */
export function createOwnAnswers(clock: Clock): (method: string, question: string) => Asked {
  const fresh = createFreshAnswers(clock)
  // Of the form of a UUID, as API servers make them: whoever reads the cluster's audit log finds what belongs together.
  const ofSession = randomUUID().slice(0, 24)
  let count = 0
  let comesBack: boolean | null = null
  /** Reads whose answer bore an id that was not ours, before it was known whether ours come back. */
  const doubted = new Set<string>()

  function whyAnothers(method: string, question: string, id: string): Finding | null {
    if (comesBack === true) return because('AuditIdOfOther', { id })
    if (comesBack === false || method !== 'GET') return null
    if (doubted.has(question)) {
      comesBack = false
      return null
    }
    doubted.add(question)
    return because('AuditIdDoubted', { id })
  }

  return (method, question) => {
    count += 1
    const ours = `${ofSession}${count.toString(16).padStart(12, '0')}`
    const askedMs = clock.monotonicMs()
    return {
      headers: { ...ASK_FRESHLY, 'Audit-ID': ours },
      whyPast: headers => {
        const { age, date } = headers
        // An API server before another one may tell it twice.
        const reported = (headers['audit-id'] ?? '').split(/, */)
        const id = reported.includes(ours) ? ours : (reported.find(each => AUDIT_ID.test(each)) ?? null)
        // Where ours come back, what bears none is of somebody on the way, whose clock is another one.
        const ofServer = comesBack !== true || id === ours
        const why = fresh.whyPast({
          service: 'kubernetes',
          question: `${method} ${question}`,
          id,
          age,
          date: ofServer ? date : undefined,
          askedMs,
        })
        if (id === ours) comesBack = true
        if (why !== null || id === null || id === ours) return why
        return whyAnothers(method, question, id)
      },
    }
  }
}
