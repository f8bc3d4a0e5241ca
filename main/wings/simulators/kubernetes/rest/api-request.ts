import type { ApiType } from '../store/api-type.ts'
import type { Json } from '../store/json.ts'
import type { IncludedObject } from '../tables/table.ts'
import type { ObjectFilter } from './object-filter.ts'

export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly accept: string
  readonly contentType: string
  readonly userAgent: string
  readonly body: Json | undefined
  /** Null for an anonymous user, who may only read health and version. */
  readonly user: string | null
}

export interface WatchRequest {
  readonly type: ApiType
  readonly filter: ObjectFilter
  readonly namespace: string | null
  /** Null starts with the existing objects (no resourceVersion, or 0). */
  readonly since: number | null
  /** Starts with the existing objects and ends them with a bookmark at least this new; null if the client did not request it. */
  readonly initialEnd: number | null
  readonly timeoutMs: number
  readonly bookmarks: boolean
  readonly table: IncludedObject | null
}

export interface PlainAnswer {
  readonly kind: 'plain'
  readonly code: number
  readonly body: Json | { readonly text: string }
}

interface WatchAnswer {
  readonly kind: 'watch'
  readonly watch: WatchRequest
}

export type ApiAnswer = PlainAnswer | WatchAnswer
