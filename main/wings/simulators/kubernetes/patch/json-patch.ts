import { isDeepStrictEqual } from 'node:util'
import { at, isJsonList, isJsonObject, type Json, textAt } from '../store/json.ts'

/** A patched document, or the operation that could not be done. */
type JsonPatchOutcome = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly why: string }

type Mutable = null | boolean | number | string | Mutable[] | { [key: string]: Mutable }

/** Applies an RFC 6902 JSON patch as a whole or not at all. */
export function jsonPatch(document: Json, operations: readonly Json[]): JsonPatchOutcome {
  const holder: { root: Mutable } = { root: structuredClone(document) as Mutable }
  for (const operation of operations) {
    const why = applyOperation(holder, operation)
    if (why !== null) return { ok: false, why }
  }
  return { ok: true, value: holder.root }
}

function applyOperation(holder: { root: Mutable }, operation: Json): string | null {
  const op = textAt(operation, 'op')
  const path = pointer(textAt(operation, 'path'))
  if (op === undefined || path === null) return 'an operation needs "op" and "path"'
  const value = structuredClone((at(operation, 'value') ?? null) as Mutable)
  switch (op) {
    case 'add':
      return write(holder, path, value, 'insert')
    case 'replace':
      return read(holder.root, path) === undefined ? missing(path) : write(holder, path, value, 'set')
    case 'remove':
      return remove(holder, path)
    case 'test':
      return isDeepStrictEqual(read(holder.root, path) ?? null, value) ? null : `testing value ${show(path)} failed`
    case 'move':
    case 'copy': {
      const from = pointer(textAt(operation, 'from'))
      const found = from === null ? undefined : read(holder.root, from)
      if (from === null || found === undefined) return missing(from ?? [])
      const copy = structuredClone(found)
      const why = op === 'move' ? remove(holder, from) : null
      return why ?? write(holder, path, copy, 'insert')
    }
    default:
      return `unknown operation ${op}`
  }
}

function pointer(text: string | undefined): readonly string[] | null {
  if (text === undefined || (text !== '' && !text.startsWith('/'))) return null
  return text === ''
    ? []
    : text
        .slice(1)
        .split('/')
        .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function read(root: Mutable, path: readonly string[]): Mutable | undefined {
  let current: Mutable | undefined = root
  for (const part of path) {
    if (isJsonList(current)) current = current[indexIn(current, part) ?? -1] as Mutable | undefined
    else if (isJsonObject(current)) current = Object.hasOwn(current, part) ? (current[part] as Mutable) : undefined
    else return undefined
  }
  return current
}

function write(
  holder: { root: Mutable },
  path: readonly string[],
  value: Mutable,
  how: 'insert' | 'set',
): string | null {
  const last = path.at(-1)
  if (last === undefined) {
    holder.root = value
    return null
  }
  const parent = read(holder.root, path.slice(0, -1))
  if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : indexIn(parent, last)
    if (index === null || index > parent.length) return missing(path)
    parent.splice(index, how === 'set' ? 1 : 0, value)
    return null
  }
  if (typeof parent !== 'object' || parent === null) return missing(path)
  parent[last] = value
  return null
}

function remove(holder: { root: Mutable }, path: readonly string[]): string | null {
  const last = path.at(-1)
  if (last === undefined || read(holder.root, path) === undefined) return missing(path)
  const parent = read(holder.root, path.slice(0, -1))
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (typeof parent === 'object' && parent !== null) delete parent[last]
  return null
}

function indexIn(list: readonly unknown[], part: string): number | null {
  return /^(0|[1-9]\d*)$/.test(part) && Number(part) <= list.length ? Number(part) : null
}

function missing(path: readonly string[]): string {
  return `path ${show(path)} does not exist`
}

function show(path: readonly string[]): string {
  return path.length === 0 ? '""' : `/${path.join('/')}`
}
