import type { SignalNews, WebhookForm } from '../../shared/domain/signals.ts'

/** What is sent where. The address and the key are secrets: they go into the request, and nowhere else. */
export interface WebhookMessage {
  readonly form: WebhookForm
  readonly url: string
  /** Signs a message of form `json`; null where the form has no signature. */
  readonly key: string | null
  readonly news: SignalNews
}

/** What came of sending a message once. `why` never holds an address. */
export type WebhookAnswer =
  | { readonly kind: 'arrived'; readonly status: number }
  /** It will not pass by itself: the address, the key or the message is not taken. */
  | { readonly kind: 'refused'; readonly status: number | null; readonly why: string }
  /** It may pass: nobody answered, or the receiver is busy or failing. It may have arrived all the same where no answer came. */
  | {
      readonly kind: 'passing'
      readonly status: number | null
      readonly why: string
      readonly retryAfterMs: number | null
    }

/** Sends messages to webhooks; main/adapters/webhooks implements it. */
export interface WebhookPort {
  /** Sends once; never rejects. */
  send(message: WebhookMessage, signal?: AbortSignal): Promise<WebhookAnswer>
}
