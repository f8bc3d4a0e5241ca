import type { z } from 'zod'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { fieldsNotKnown } from './errors.ts'
import type { OpenStackSession, ServiceRequest } from './keystone-session.ts'
import type { Row } from './newest-rows.ts'
import type { ServiceType } from './services.ts'

/**
 * Asks a service and reads its answer by the schema of the fields we use; what is unknown in it is ignored (style G9). `isAsked` holds the
 * answer against the question: the object that was asked for, the filter that was given. It says what is wrong, or null. `rowsOf` tells the rows
 * in it, none of which may be older than what the session heard of it before it asked.
 */
export async function ask<T>(
  session: OpenStackSession,
  service: ServiceType,
  request: ServiceRequest,
  schema: z.ZodType<T>,
  isAsked: (answer: T) => Finding | null = () => null,
  rowsOf: (answer: T) => readonly Row[] = () => [],
): Promise<Result<T>> {
  const askedAt = session.rows.moment()
  const answer = await session.request(service, request)
  if (!answer.ok) return answer
  const { status, body, unreadable, ofThePast } = answer.value
  // 206 is a part of an answer, 203 another's, 204 none.
  if (status !== 200 && (request.method === 'GET' || ![201, 202].includes(status))) {
    return failed(unreadable(because('NotHowAnswered', { status })))
  }
  const parsed = schema.safeParse(body)
  if (!parsed.success) return failed(unreadable(fieldsNotKnown(parsed.error)))
  const wrong = isAsked(parsed.data)
  if (wrong !== null) return failed(unreadable(wrong))
  // Every row is looked at, also behind one that is of the past: since when each of them is so is counted at once.
  const past = rowsOf(parsed.data).flatMap(row => session.rows.whyPast(row, askedAt) ?? [])
  return past[0] === undefined ? ok(parsed.data) : failed(ofThePast(past[0]))
}

/**
 * Asks a service to do something that it agrees to without words: only with one of these statuses and an empty body was it agreed to. A
 * login page is no agreement.
 */
export async function sendToOpenStack(
  session: OpenStackSession,
  service: ServiceType,
  request: ServiceRequest,
  agreed: readonly number[],
): Promise<Result<void>> {
  const answer = await session.request(service, request)
  if (!answer.ok) return answer
  const { status, isEmpty, unreadable } = answer.value
  if (!agreed.includes(status)) return failed(unreadable(because('AgreedOtherwise', { agreed, status })))
  return isEmpty ? ok(undefined) : failed(unreadable(because('AgreedWithBody')))
}
