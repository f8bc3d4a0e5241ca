import type { Json } from '../store/json.ts'
import type { StoredObject } from '../store/kubernetes-object.ts'

/** One column of a server-side table; `wide` columns show with `kubectl get -o wide` only. */
export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'date' | 'number' | 'boolean'
  readonly wide: boolean
  readonly cell: (object: StoredObject, now: number) => Json
}

/** A column that always shows. */
export function column(name: string, cell: Column['cell'], type: Column['type'] = 'string'): Column {
  return { name, type, wide: false, cell }
}

/** A column that shows with `-o wide`. */
export function wide(name: string, cell: Column['cell'], type: Column['type'] = 'string'): Column {
  return { name, type, wide: true, cell }
}
