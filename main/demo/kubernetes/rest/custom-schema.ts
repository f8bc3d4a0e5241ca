import type { FieldProblem } from '../store/api-status.ts'
import {
  at,
  isJsonList,
  isJsonObject,
  isTrueAt,
  type Json,
  type JsonObject,
  listAt,
  numberAt,
  recordAt,
  textAt,
} from '../store/json.ts'

/** Fields of every object that the server keeps whatever a schema says. */
const OWN_FIELDS = ['apiVersion', 'kind', 'metadata']

/** A custom resource without the fields its structural schema does not name (apiextensions `pruning.Prune`), and without nulls. */
export function prunedObject(schema: JsonObject, object: JsonObject): JsonObject {
  const kept = Object.fromEntries(OWN_FIELDS.flatMap(field => (field in object ? [[field, object[field]]] : [])))
  const pruned = prunedValue(schema, object)
  return { ...(isJsonObject(pruned) ? pruned : {}), ...kept }
}

function prunedValue(schema: JsonObject, value: Json): Json {
  if (isJsonList(value)) {
    const items = recordAt(schema, 'items')
    return value.map(item => prunedValue(items, item))
  }
  if (!isJsonObject(value)) return value
  const properties = recordAt(schema, 'properties')
  const additional = at(schema, 'additionalProperties')
  const isOpen = isTrueAt(schema, 'x-kubernetes-preserve-unknown-fields') || additional === true
  const entries = Object.entries(value).flatMap(([field, content]): [string, Json][] => {
    if (content === undefined || content === null) return []
    const known = at(properties, field) ?? (isJsonObject(additional) ? additional : undefined)
    if (isJsonObject(known)) return [[field, prunedValue(known, content)]]
    return isOpen ? [[field, content]] : []
  })
  return Object.fromEntries(entries)
}

/** Paths of the fields that pruning drops, as strict field validation names them. */
export function unknownFields(schema: JsonObject, object: JsonObject): readonly string[] {
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = object
  return unknownIn(schema, rest, '')
}

function unknownIn(schema: JsonObject, value: Json, path: string): readonly string[] {
  if (isJsonList(value)) {
    return value.flatMap((item, index) => unknownIn(recordAt(schema, 'items'), item, `${path}[${index}]`))
  }
  if (!isJsonObject(value)) return []
  const pruned = prunedValue(schema, value)
  return Object.entries(value).flatMap(([field, content]) => {
    if (content === undefined || content === null) return []
    const here = path === '' ? field : `${path}.${field}`
    if (at(pruned, field) === undefined) return [here]
    const properties = recordAt(schema, 'properties')
    return field in properties ? unknownIn(recordAt(properties, field), content, here) : []
  })
}

/**
 * What a structural schema has against a custom resource, in the order and the words of the API server (kube-openapi `validate`;
 * compared with the lab's server).
 */
export function schemaProblems(schema: JsonObject, object: JsonObject): readonly FieldProblem[] {
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = object
  const { required, ...whole } = schema
  const asked = isJsonList(required) ? required.filter(field => !OWN_FIELDS.includes(String(field))) : []
  return problemsOf({ ...whole, required: asked }, rest, '')
}

function problemsOf(schema: JsonObject, value: Json, path: string): readonly FieldProblem[] {
  const type = textAt(schema, 'type')
  if (type !== undefined && !isOfType(schema, type, value)) {
    const found = typeOf(value)
    return [problem('Invalid', path, `Invalid value: "${found}": ${path} in body must be of type ${type}: "${found}"`)]
  }
  const own = [
    ...enumProblems(schema, value, path),
    ...numberProblems(schema, value, path),
    ...textProblems(schema, value, path),
  ]
  if (isJsonList(value)) {
    const items = recordAt(schema, 'items')
    return [...own, ...value.flatMap((item, index) => problemsOf(items, item, `${path}[${index}]`))]
  }
  if (!isJsonObject(value)) return own
  const below = (field: string) => (path === '' ? field : `${path}.${field}`)
  const missing = listAt(schema, 'required').flatMap(field =>
    typeof field === 'string' && at(value, field) === undefined
      ? [problem('Required', below(field), 'Required value')]
      : [],
  )
  const properties = recordAt(schema, 'properties')
  const additional = recordAt(schema, 'additionalProperties')
  const inside = Object.entries(value).flatMap(([field, content]) =>
    content === undefined
      ? []
      : problemsOf(field in properties ? recordAt(properties, field) : additional, content, below(field)),
  )
  return [...own, ...missing, ...inside].toSorted((a, b) => (a.field < b.field ? -1 : a.field > b.field ? 1 : 0))
}

function enumProblems(schema: JsonObject, value: Json, path: string): readonly FieldProblem[] {
  const allowed = at(schema, 'enum')
  if (!isJsonList(allowed) || allowed.includes(value)) return []
  const words = allowed.map(one => JSON.stringify(one)).join(', ')
  return [problem('NotSupported', path, `Unsupported value: ${JSON.stringify(value)}: supported values: ${words}`)]
}

function numberProblems(schema: JsonObject, value: Json, path: string): readonly FieldProblem[] {
  if (typeof value !== 'number') return []
  const maximum = numberAt(schema, 'maximum')
  const minimum = numberAt(schema, 'minimum')
  const say = (bound: string) => problem('Invalid', path, `Invalid value: ${value}: ${path} in body should be ${bound}`)
  return [
    ...(maximum !== undefined && value > maximum ? [say(`less than or equal to ${maximum}`)] : []),
    ...(minimum !== undefined && value < minimum ? [say(`greater than or equal to ${minimum}`)] : []),
  ]
}

function textProblems(schema: JsonObject, value: Json, path: string): readonly FieldProblem[] {
  if (typeof value !== 'string') return []
  const say = (bound: string) =>
    problem('Invalid', path, `Invalid value: ${JSON.stringify(value)}: ${path} in body should ${bound}`)
  const pattern = textAt(schema, 'pattern')
  const least = numberAt(schema, 'minLength')
  const most = numberAt(schema, 'maxLength')
  return [
    ...(most !== undefined && value.length > most ? [say(`be at most ${most} chars long`)] : []),
    ...(least !== undefined && value.length < least ? [say(`be at least ${least} chars long`)] : []),
    ...(pattern !== undefined && !new RegExp(pattern).test(value) ? [say(`match '${pattern}'`)] : []),
  ]
}

function problem(kind: 'Invalid' | 'NotSupported' | 'Required', field: string, message: string): FieldProblem {
  return { reason: `FieldValue${kind}`, field, message }
}

function isOfType(schema: JsonObject, type: string, value: Json): boolean {
  if (isTrueAt(schema, 'x-kubernetes-int-or-string')) return typeof value === 'string' || Number.isInteger(value)
  const found = typeOf(value)
  return found === type || (type === 'number' && found === 'integer')
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (isJsonList(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
