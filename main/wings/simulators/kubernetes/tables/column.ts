import type { Json } from '../store/json.ts'
import type { Models, Stored } from '../store/models.ts'

/** One column of a server-side table; only `kubectl get -o wide` shows `wide` columns. */
export interface Column<K extends string = string> {
  readonly name: string
  readonly type: 'string' | 'integer' | 'date' | 'number' | 'boolean'
  readonly wide: boolean
  cell(object: Stored<K>, now: number): Json
}

/** Makes a column that always shows. */
export function column<K extends string>(
  name: string,
  cell: Column<K>['cell'],
  type: Column['type'] = 'string',
): Column<K> {
  return { name, type, wide: false, cell }
}

/** Makes a column that shows with `-o wide`. */
export function wide<K extends string>(
  name: string,
  cell: Column<K>['cell'],
  type: Column['type'] = 'string',
): Column<K> {
  return { name, type, wide: true, cell }
}

export type ColumnsOfKinds = { readonly [K in keyof Models]?: readonly Column<K>[] }
