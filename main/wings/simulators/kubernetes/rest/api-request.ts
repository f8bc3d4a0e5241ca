import type { ApiType } from '../store/api-type.ts'
import type { Json } from '../store/json.ts'
import type { IncludedObject } from '../tables/table.ts'
import type { ObjectFilter } from './object-filter.ts'

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

/** A watch as a client asked for it. */
export interface WatchRequest {
  readonly type: ApiType
  readonly filter: ObjectFilter
  readonly namespace: string | null
  /** Null: start with what exists (no resourceVersion, or 0). */
  readonly since: number | null
  /** Start with what exists, and say by a bookmark where that ends and that it is not older than this; null: that was not asked for. */
  readonly initialEnd: number | null
  readonly timeoutMs: number
  readonly bookmarks: boolean
  readonly table: IncludedObject | null
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
  readonly watch: WatchRequest
}

export type ApiAnswer = PlainAnswer | WatchAnswer
