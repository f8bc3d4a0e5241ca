import { isDeepStrictEqual } from 'node:util'
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
import type { Release } from '../store/release.ts'

/** Fields that the server keeps in every object, whatever the schema. */
const OWN_FIELDS = ['apiVersion', 'kind', 'metadata']

/** Drops the fields that a structural schema does not name (apiextensions `pruning.Prune`), and nulls where the schema allows none. */
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
    const known = at(properties, field) ?? (isJsonObject(additional) ? additional : undefined)
    if (content === undefined || (content === null && !isTrueAt(known, 'nullable'))) return []
    if (isJsonObject(known)) return [[field, prunedValue(known, content)]]
    return isOpen ? [[field, content]] : []
  })
  return Object.fromEntries(entries)
}

/** Returns the paths of the fields that pruning drops, in the form of strict field validation. */
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

/** Validates a custom resource; problems have the API server's order and words (kube-openapi `validate`, compared with the lab's server). */
export function schemaProblems(
  schema: JsonObject,
  object: JsonObject,
  release: Pick<Release, 'schemaRules'>,
): readonly FieldProblem[] {
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = object
  const { required, ...whole } = schema
  const asked = isJsonList(required) ? required.filter(field => !OWN_FIELDS.includes(String(field))) : []
  const problems = problemsOf({ ...whole, required: asked }, rest, '')
  if (!release.schemaRules) return problems
  return problems.length > 0 ? [...problems, ...rulesUnchecked(schema)] : eitherProblems(schema, rest, '')
}

/** The CEL rules that this server evaluates: an immutable value, and exactly one of two fields. */
const UNCHANGED = 'self == oldSelf'
const EITHER = /^has\(self\.(\w+)\) != has\(self\.(\w+)\)$/

function eitherProblems(schema: JsonObject, value: Json, path: string): readonly FieldProblem[] {
  const own = listAt(schema, 'x-kubernetes-validations').flatMap(entry => {
    const [, one, other] = EITHER.exec(textAt(entry, 'rule') ?? '') ?? []
    if (one === undefined || other === undefined) return []
    const isOne = (at(value, one) === undefined) !== (at(value, other) === undefined)
    return isOne ? [] : [problem('Invalid', path, `Invalid value: ${textAt(entry, 'message') ?? ''}`)]
  })
  const below = Object.entries(recordAt(schema, 'properties')).flatMap(([field, inner]) => {
    const content = at(value, field)
    return content === undefined || !isJsonObject(inner)
      ? []
      : eitherProblems(inner, content, path === '' ? field : `${path}.${field}`)
  })
  return [...own, ...below]
}

/** Lists the rules that this server cannot evaluate. A definition with one is refused, so that no rule is skipped silently. */
export function unsupportedRulesOf(schema: JsonObject): readonly string[] {
  const own = listAt(schema, 'x-kubernetes-validations').flatMap(entry => textAt(entry, 'rule') ?? [])
  const below = [at(schema, 'items'), ...Object.values(recordAt(schema, 'properties'))].filter(isJsonObject)
  return [...own.filter(rule => rule !== UNCHANGED && !EITHER.test(rule)), ...below.flatMap(unsupportedRulesOf)]
}

/** Applies the schema's rules to an update (apiextensions `cel.Validator`); only existing values have an old value to compare with. */
export function ruleProblems(schema: JsonObject, before: JsonObject, after: JsonObject): readonly FieldProblem[] {
  return changedBelow(schema, before, after, '').map(({ field, message }) =>
    problem('Invalid', field, `Invalid value: ${message}`),
  )
}

/** Adds a note that the rules were not checked, for an object that its schema already refuses. */
function rulesUnchecked(schema: JsonObject): readonly FieldProblem[] {
  if (!hasRules(schema)) return []
  const why = 'some validation rules were not checked because the object was invalid'
  return [
    problem('Invalid', '<nil>', `Invalid value: null: ${why}; correct the existing errors to complete validation`),
  ]
}

function hasRules(schema: JsonObject): boolean {
  const below = Object.values(recordAt(schema, 'properties')).filter(isJsonObject)
  return listAt(schema, 'x-kubernetes-validations').length > 0 || below.some(hasRules)
}

function changedBelow(
  schema: JsonObject,
  before: Json,
  after: Json,
  path: string,
): readonly { readonly field: string; readonly message: string }[] {
  const own = listAt(schema, 'x-kubernetes-validations').flatMap(entry =>
    textAt(entry, 'rule') === UNCHANGED && !isDeepStrictEqual(before, after)
      ? [{ field: path, message: textAt(entry, 'message') ?? `failed rule: ${UNCHANGED}` }]
      : [],
  )
  const below = Object.entries(recordAt(schema, 'properties')).flatMap(([field, inner]) => {
    const [was, is] = [at(before, field), at(after, field)]
    return was === undefined || is === undefined || !isJsonObject(inner)
      ? []
      : changedBelow(inner, was, is, path === '' ? field : `${path}.${field}`)
  })
  return [...own, ...below]
}

function problemsOf(schema: JsonObject, value: Json, path: string): readonly FieldProblem[] {
  if (value === null && isTrueAt(schema, 'nullable')) return []
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
    const most = numberAt(schema, 'maxItems')
    const many =
      most !== undefined && value.length > most
        ? [problem('TooMany', path, `Too many: ${value.length}: must have at most ${most} items`)]
        : []
    const least = numberAt(schema, 'minItems')
    const few =
      least !== undefined && value.length < least
        ? [
            problem(
              'Invalid',
              path,
              `Invalid value: ${value.length}: ${path} in body should have at least ${least} items`,
            ),
          ]
        : []
    const twice = textAt(schema, 'x-kubernetes-list-type') === 'set' ? duplicatesIn(value, path) : []
    return [
      ...own,
      ...few,
      ...many,
      ...twice,
      ...value.flatMap((item, index) => problemsOf(items, item, `${path}[${index}]`)),
    ]
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

/** Finds duplicates in a list that is a set (apiextensions `listtype.ValidateListSetsAndMaps`). */
function duplicatesIn(list: readonly Json[], path: string): readonly FieldProblem[] {
  return list.flatMap((item, index) =>
    list.findIndex(each => isDeepStrictEqual(each, item)) < index
      ? [problem('Duplicate', `${path}[${index}]`, `Duplicate value: ${JSON.stringify(item)}`)]
      : [],
  )
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
  const say = (bound: string, verb = 'should') =>
    problem('Invalid', path, `Invalid value: ${JSON.stringify(value)}: ${path} in body ${verb} ${bound}`)
  const pattern = textAt(schema, 'pattern')
  const least = numberAt(schema, 'minLength')
  const most = numberAt(schema, 'maxLength')
  const isTime = textAt(schema, 'format') === 'date-time'
  return [
    ...(most !== undefined && [...value].length > most
      ? [problem('TooLong', path, `Too long: may not be more than ${most} bytes`)]
      : []),
    ...(isTime && !RFC_3339.test(value) ? [say(`be of type date-time: ${JSON.stringify(value)}`, 'must')] : []),
    ...(least !== undefined && value.length < least ? [say(`be at least ${least} chars long`)] : []),
    ...(pattern !== undefined && !new RegExp(pattern).test(value) ? [say(`match '${pattern}'`)] : []),
  ]
}

/** The format `date-time` of a schema (kube-openapi `strfmt.IsDateTime`). */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

function problem(
  kind: 'Duplicate' | 'Invalid' | 'NotSupported' | 'Required' | 'TooLong' | 'TooMany',
  field: string,
  message: string,
): FieldProblem {
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
