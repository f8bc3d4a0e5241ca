import type { Json } from '../../shared/domain/json.ts'
import type { SignalNews, WebhookForm } from '../../shared/domain/signals.ts'

/** What is sent where. The address and the key are secrets: they go into the request, and nowhere else. */
export interface WebhookMessage {
  readonly form: WebhookForm
  readonly url: string
  /** Signs a message of form `json`; null where the form has no signature. */
  readonly key: string | null
  readonly news: SignalNews
}

/** Why a message did not arrive, by a code with values; never an address. */
interface NotArrived {
  readonly why: string
  readonly code?: string
  readonly values?: { readonly [name: string]: Json }
}

/** What came of sending a message once. */
export type WebhookAnswer =
  | { readonly kind: 'arrived'; readonly status: number }
  /** It will not pass by itself: the address, the key or the message is not taken. */
  | ({ readonly kind: 'refused'; readonly status: number | null } & NotArrived)
  /** It may pass: nobody answered, or the receiver is busy or failing. It may have arrived all the same where no answer came. */
  | ({
      readonly kind: 'passing'
      readonly status: number | null
      readonly retryAfterMs: number | null
    } & NotArrived)

/** Sends messages to webhooks; main/wings/notify/webhooks implements it. */
export interface WebhookPort {
  /** Sends once; never rejects. */
  send(message: WebhookMessage, signal?: AbortSignal): Promise<WebhookAnswer>
}
