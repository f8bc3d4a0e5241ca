import { isDeepStrictEqual } from 'node:util'
import { at, isJsonObject, type Json, type JsonObject } from '../store/json.ts'

/** An object's fields, each with its FieldsV1 path (`f:spec`). A list counts as one field; a real server distinguishes the members of some lists. */
export type FieldSet = ReadonlyMap<string, readonly string[]>

/** Fields that the server writes have no manager (apiserver `fieldmanager/stripmeta.go`). */
const UNOWNED: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'generation',
    'managedFields',
    'resourceVersion',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
  ].map(field => `metadata/${field}`),
])

/** Returns the fields that a write set to a new value, and those that it removed. */
export function changedFields(
  before: JsonObject | null,
  next: JsonObject,
): { readonly set: FieldSet; readonly gone: FieldSet } {
  const [was, is] = [leavesOf(before ?? {}), leavesOf(next)]
  const set = [...is].filter(([key, { value }]) => !was.has(key) || !isDeepStrictEqual(was.get(key)?.value, value))
  const gone = [...was].filter(([key]) => !is.has(key))
  return { set: pathsOf(set), gone: pathsOf(gone) }
}

/** Writes a set as FieldsV1: nested objects that end in empty ones. */
export function fieldsV1(fields: FieldSet): JsonObject {
  const grow = (tree: JsonObject, [first, ...rest]: readonly string[]): JsonObject =>
    first === undefined ? tree : { ...tree, [first]: grow(asObject(at(tree, first)), rest) }
  return [...fields.values()].reduce(grow, {})
}

/** Reads a set from FieldsV1. */
export function fieldSetOf(tree: Json | undefined): FieldSet {
  const walk = (node: JsonObject, path: readonly string[]): readonly (readonly string[])[] => {
    const children = Object.entries(node)
    if (children.length === 0) return path.length === 0 ? [] : [path]
    return children.flatMap(([name, child]) => walk(asObject(child), [...path, name]))
  }
  return new Map(walk(asObject(tree), []).map(path => [path.join('/'), path]))
}

/** Returns the fields of one set that are in no other. */
export function without(fields: FieldSet, ...others: readonly FieldSet[]): FieldSet {
  return new Map([...fields].filter(([key]) => !others.some(other => other.has(key))))
}

interface Leaf {
  readonly path: readonly string[]
  readonly value: Json
}

/** Collects the values that are not objects, and the empty objects. */
function leavesOf(object: JsonObject): ReadonlyMap<string, Leaf> {
  const walk = (node: JsonObject, path: readonly string[]): readonly Leaf[] =>
    Object.entries(node).flatMap(([name, value]): readonly Leaf[] => {
      const here = [...path, name]
      if (value === undefined || UNOWNED.has(here.join('/'))) return []
      return isJsonObject(value) && Object.keys(value).length > 0 ? walk(value, here) : [{ path: here, value }]
    })
  return new Map(
    walk(object, []).map(({ path, value }) => {
      const fields = path.map(name => `f:${name}`)
      return [fields.join('/'), { path: fields, value }]
    }),
  )
}

function pathsOf(leaves: readonly (readonly [string, Leaf])[]): FieldSet {
  return new Map(leaves.map(([key, { path }]) => [key, path]))
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
