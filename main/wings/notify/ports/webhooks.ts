import type { Json } from '../../../../shared/domain/json.ts'
import type { SignalNews, WebhookForm } from '../../../../shared/domain/signals.ts'

/** A message and its destination. The address and the key are secrets: they go only into the request. */
export interface WebhookMessage {
  readonly form: WebhookForm
  readonly url: string
  /** Signs a message of form `json`; null for forms without a signature. */
  readonly key: string | null
  readonly news: SignalNews
}

/** Why a message did not arrive, as a code with values; never an address. */
interface NotArrived {
  readonly why: string
  readonly code?: string
  readonly values?: { readonly [name: string]: Json }
}

export type WebhookAnswer =
  | { readonly kind: 'arrived'; readonly status: number }
  /** A permanent failure: the address, the key or the message is rejected. */
  | ({ readonly kind: 'refused'; readonly status: number | null } & NotArrived)
  /** A temporary failure: no answer, or the receiver is busy or failing. Without an answer the message may have arrived. */
  | ({
      readonly kind: 'passing'
      readonly status: number | null
      readonly retryAfterMs: number | null
    } & NotArrived)

/** Sends messages to webhooks; main/wings/notify/webhooks implements it. */
export interface WebhookPort {
  send(message: WebhookMessage, signal?: AbortSignal): Promise<WebhookAnswer>
}
