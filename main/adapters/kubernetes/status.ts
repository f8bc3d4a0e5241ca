import type { V1Status, V1StatusCause, V1StatusDetails } from '@kubernetes/client-node'
import { jsonIn } from '../../../shared/domain/json.ts'
import type { Fields } from './model-fields.ts'
import { rawList, rawNumber, rawObject, rawText } from './raw.ts'

export interface StatusBody {
  readonly success: boolean
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly causes: readonly { readonly reason: string; readonly message: string }[]
  readonly about: { readonly name: string; readonly kind: string; readonly uid: string }
  readonly retryAfterSeconds: number | null
}

/** Reads a Status from a parsed or raw body; null if the body is something else, such as a proxy's page. */
export function readStatus(body: unknown): StatusBody | null {
  const status: Fields<V1Status> = rawObject(typeof body === 'string' ? parsed(body) : body)
  if (status.kind !== 'Status' || status.apiVersion !== 'v1') return null
  const details: Fields<V1StatusDetails> = rawObject(status.details)
  const wait = rawNumber(details.retryAfterSeconds)
  return {
    success: status.status === 'Success',
    code: rawNumber(status.code),
    reason: rawText(status.reason),
    message: rawText(status.message),
    causes: rawList(details.causes)
      .map(rawObject)
      // In JSON a cause's type is `reason`.
      .map((cause: Fields<V1StatusCause>) => ({ reason: rawText(cause.reason), message: rawText(cause.message) })),
    about: { name: rawText(details.name), kind: rawText(details.kind), uid: rawText(details.uid) },
    retryAfterSeconds: wait > 0 ? wait : null,
  }
}

function parsed(text: string): unknown {
  try {
    return jsonIn(text)
  } catch {
    return null
  }
}
