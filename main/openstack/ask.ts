import type { z } from 'zod'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { OpenStackSession, ServiceRequest } from './keystone-session.ts'
import { SERVICES, type ServiceType } from './services.ts'

/** Asks a service and reads its answer by the schema of the fields we use; what is unknown in it is ignored (style G9). */
export async function ask<T>(
  session: OpenStackSession,
  service: ServiceType,
  request: ServiceRequest,
  schema: z.ZodType<T>,
): Promise<Result<T>> {
  const answer = await session.request(service, request)
  if (!answer.ok) return answer
  const parsed = schema.safeParse(answer.value.body)
  if (parsed.success) return ok(parsed.data)
  // Paths and expectations only: values may be anything.
  const detail = parsed.error.issues
    .slice(0, 5)
    .map(issue => `${issue.path.join('.') || 'answer'}: ${issue.code}`)
    .join('; ')
  return failed(
    failure(
      'server-fault',
      `Could not ${request.doing}: ${SERVICES[service].name} answered something that is not its API as we know it. Is its address right? If it is, this is a fault of Lockkeeper: please report the detail.`,
      { detail, target: request.target, retryable: false },
    ),
  )
}

/** Asks a service for something whose answer does not matter beyond that it agreed. */
export async function tell(
  session: OpenStackSession,
  service: ServiceType,
  request: ServiceRequest,
): Promise<Result<void>> {
  const answer = await session.request(service, request)
  return answer.ok ? ok(undefined) : answer
}
