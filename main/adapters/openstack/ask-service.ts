import type { z } from 'zod'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { fieldsNotKnown } from './errors.ts'
import type { Row } from './newest-rows.ts'
import type { OpenStackSession, ServiceRequest } from './openstack-session.ts'
import type { ServiceType } from './services.ts'

/**
 * Asks a service and parses the fields in use (style G9). `isAsked` says what is wrong with the answer, or null. No row of `rowsOf` may be older than received
 * before the request.
 */
export async function askService<T>(
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
  // 206 is a partial answer, 203 a modified one, 204 an empty one.
  if (status !== 200 && (request.method === 'GET' || ![201, 202].includes(status))) {
    return failed(unreadable(because('NotHowAnswered', { status })))
  }
  const parsed = schema.safeParse(body)
  if (!parsed.success) return failed(unreadable(fieldsNotKnown(parsed.error)))
  const wrong = isAsked(parsed.data)
  if (wrong !== null) return failed(unreadable(wrong))
  // Every row is recorded, even after an outdated one, because the time since its last change counts.
  const past = rowsOf(parsed.data).flatMap(row => session.rows.whyPast(row, askedAt) ?? [])
  return past[0] === undefined ? ok(parsed.data) : failed(ofThePast(past[0]))
}

/** Sends a change that the service confirms with one of these statuses and an empty body. A login page does not confirm it. */
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
