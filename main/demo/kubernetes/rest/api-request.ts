import type { Json } from '../store/json.ts'

/** A request as the API's handlers see it. */
export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly accept: string
  readonly contentType: string
  readonly userAgent: string
  readonly body: Json | undefined
  /** Null: nobody; only health and version answer. */
  readonly user: string | null
}

/** An answer that ends with its body. */
export interface PlainAnswer {
  readonly kind: 'plain'
  readonly code: number
  /** JSON, or a text as it is. */
  readonly body: Json | { readonly text: string }
}

/** A watch that the server keeps open. */
interface WatchAnswer {
  readonly kind: 'watch'
  readonly watch: import('./watch-request.ts').WatchRequest
}

export type ApiAnswer = PlainAnswer | WatchAnswer
