import { randomUUID } from 'node:crypto'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { ASK_FRESHLY, createFreshAnswers } from '../../platform/clock/fresh-answers.ts'
import type { HttpHeaders } from '../http/exchange.ts'

const AUDIT_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

interface MarkedRequest {
  readonly headers: Readonly<Record<string, string>>
  /** Why an answer does not belong to this request; null if there is no evidence. */
  whyPast(headers: HttpHeaders): Finding | null
}

/**
 * Makes sure that each answer of a session is current. An API server returns the request's Audit-ID (apiserver audit_init.go), which no cached answer can
 * contain. If a proxy removes the id, the API server creates a new one each time: a question whose id changed on the second try is then accepted, until our id
 * returns once.
 */
export function createOwnAnswers(clock: Clock): (method: string, question: string) => MarkedRequest {
  const fresh = createFreshAnswers(clock)
  // A UUID, as API servers use: entries of one session share a prefix in the audit log.
  const ofSession = randomUUID().slice(0, 24)
  let count = 0
  let comesBack: boolean | null = null
  /** Reads answered with a foreign id, before it is known whether our ids return. */
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
        // An aggregated API server may send the id twice.
        const reported = (headers['audit-id'] ?? '').split(/, */)
        const id = reported.includes(ours) ? ours : (reported.find(each => AUDIT_ID.test(each)) ?? null)
        // Once our ids return, an answer without one comes from a proxy, with another clock.
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
