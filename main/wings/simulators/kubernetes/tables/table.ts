import type { ApiType } from '../store/api-type.ts'
import { isJsonList, isJsonObject, type Json, type JsonObject, numberAt, textAt } from '../store/json.ts'
import type { StoredObject } from '../store/kubernetes-object.ts'
import { ageOf } from './age.ts'
import { type Column, column, wide } from './column.ts'
import { CORE_COLUMNS, PLAIN_COLUMNS } from './core-columns.ts'
import { WORKLOAD_COLUMNS } from './workload-columns.ts'

/** Whether a client requests a table (`kubectl get`). */
export function wantsTable(accept: string): boolean {
  return /as=Table/.test(accept) && /g=meta\.k8s\.io/.test(accept)
}

/** The object that each row of a table carries (parameter `includeObject`). */
export type IncludedObject = 'Metadata' | 'Object' | 'None'

export function includedObject(query: URLSearchParams): IncludedObject {
  const asked = query.get('includeObject')
  return asked === 'Object' || asked === 'None' ? asked : 'Metadata'
}

/** Makes the server-side table that kubectl prints (apiserver `rest/table.go`). */
export function table(
  type: ApiType,
  objects: readonly StoredObject[],
  more: {
    readonly now: number
    readonly included: IncludedObject
    readonly metadata: JsonObject
    /** False for later events of a watch, which omit the column definitions. */
    readonly withColumns: boolean
  },
): JsonObject {
  const columns = columnsOf(type)
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: more.metadata,
    columnDefinitions: more.withColumns ? columns.map(definition) : null,
    rows: objects.map(object => ({
      cells: columns.map(one => one.cell(object, more.now)),
      object: rowObject(object, more.included),
    })),
  }
}

function columnsOf(type: ApiType): readonly Column[] {
  if (type.custom) return customColumns(type)
  const described: Readonly<Record<string, readonly Column[] | undefined>> = { ...CORE_COLUMNS, ...WORKLOAD_COLUMNS }
  return described[type.kind] ?? PLAIN_COLUMNS
}

function customColumns(type: ApiType): readonly Column[] {
  if (type.printerColumns.length === 0) return PLAIN_COLUMNS
  const described = type.printerColumns.map(one => {
    const path = textAt(one, 'jsonPath') ?? ''
    const kind = textAt(one, 'type') ?? 'string'
    const cell: Column['cell'] = (object, now) => {
      const value = printerValue(object, path)
      return kind === 'date' ? (typeof value === 'string' ? ageOf(value, now) : '<unknown>') : scalar(value)
    }
    const name = textAt(one, 'name') ?? ''
    const shownType = kind === 'integer' || kind === 'number' || kind === 'boolean' ? kind : 'string'
    return (numberAt(one, 'priority') ?? 0) > 0 ? wide(name, cell, shownType) : column(name, cell, shownType)
  })
  return [...PLAIN_COLUMNS.slice(0, 1), ...described]
}

function scalar(value: Json | undefined): Json {
  if (value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : value
}

function definition(one: Column): JsonObject {
  return {
    name: one.name,
    type: one.type,
    format: one.name === 'Name' ? 'name' : '',
    description: '',
    priority: one.wide ? 1 : 0,
  }
}

function rowObject(object: StoredObject, included: IncludedObject): Json {
  if (included === 'None') return null
  return included === 'Object'
    ? object
    : { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata }
}

/** Reads a jsonPath of `additionalPrinterColumns` with fields, indexes, `[*]` and `[?(@.field=="value")]`; undefined for another form or no value. */
function printerValue(object: Json, path: string): Json | undefined {
  let found: readonly Json[] = [object]
  for (const step of steps(path)) found = found.flatMap(value => follow(value, step))
  return found[0]
}

type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'every' }
  | { readonly kind: 'where'; readonly field: string; readonly value: string }

const STEP =
  /\.([A-Za-z0-9_$-]+)|\[(\d+)\]|\[(\*)\]|\[\?\(@\.([A-Za-z0-9_.-]+)\s*==\s*["']([^"']*)["']\)\]|\['([^']+)'\]/g

function steps(path: string): readonly Step[] {
  const plain = path.replaceAll('\\.', '\u0000')
  return [...plain.matchAll(STEP)].map(([, name, index, every, field, value, quoted]): Step => {
    if (index !== undefined) return { kind: 'index', index: Number(index) }
    if (every !== undefined) return { kind: 'every' }
    if (field !== undefined) return { kind: 'where', field, value: value ?? '' }
    return { kind: 'field', name: (name ?? quoted ?? '').replaceAll('\u0000', '.') }
  })
}

function follow(value: Json, step: Step): readonly Json[] {
  switch (step.kind) {
    case 'field': {
      const next = isJsonObject(value) ? value[step.name] : undefined
      return next === undefined ? [] : [next]
    }
    case 'index': {
      const next = isJsonList(value) ? value[step.index] : undefined
      return next === undefined ? [] : [next]
    }
    case 'every':
      return isJsonList(value) ? value : []
    case 'where':
      return isJsonList(value) ? value.filter(item => isJsonObject(item) && item[step.field] === step.value) : []
  }
}
