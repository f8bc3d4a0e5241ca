import { isDeepStrictEqual } from 'node:util'
import { at, isJsonList, isJsonObject, type Json, textAt } from '../store/json.ts'

type Mutable = null | boolean | number | string | Mutable[] | { [key: string]: Mutable }

/** Applies an RFC 6902 JSON patch completely, or returns null. Libraries accept patches that an API server refuses, such as a copy of a missing value. */
export function jsonPatch(document: Json, operations: readonly Json[]): { readonly value: Json } | null {
  const holder: { root: Mutable } = { root: structuredClone(document) as Mutable }
  return operations.every(operation => isDone(holder, operation)) ? { value: holder.root } : null
}

function isDone(holder: { root: Mutable }, operation: Json): boolean {
  const path = pointer(textAt(operation, 'path'))
  if (path === null) return false
  const value = structuredClone((at(operation, 'value') ?? null) as Mutable)
  const op = textAt(operation, 'op')
  switch (op) {
    case 'add':
      return isWritten(holder, path, value, 'insert')
    case 'replace':
      return read(holder.root, path) !== undefined && isWritten(holder, path, value, 'set')
    case 'remove':
      return isRemoved(holder, path)
    case 'test':
      return isDeepStrictEqual(read(holder.root, path) ?? null, value)
    case 'move':
    case 'copy': {
      const from = pointer(textAt(operation, 'from'))
      const found = from === null ? undefined : read(holder.root, from)
      if (from === null || found === undefined) return false
      const copy = structuredClone(found)
      return (op === 'copy' || isRemoved(holder, from)) && isWritten(holder, path, copy, 'insert')
    }
    default:
      return false
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

function isWritten(holder: { root: Mutable }, path: readonly string[], value: Mutable, how: 'insert' | 'set'): boolean {
  const last = path.at(-1)
  if (last === undefined) {
    holder.root = value
    return true
  }
  const parent = read(holder.root, path.slice(0, -1))
  if (Array.isArray(parent)) {
    const index = last === '-' ? parent.length : indexIn(parent, last)
    if (index === null) return false
    parent.splice(index, how === 'set' ? 1 : 0, value)
    return true
  }
  if (typeof parent !== 'object' || parent === null) return false
  parent[last] = value
  return true
}

function isRemoved(holder: { root: Mutable }, path: readonly string[]): boolean {
  const last = path.at(-1)
  if (last === undefined || read(holder.root, path) === undefined) return false
  const parent = read(holder.root, path.slice(0, -1))
  if (Array.isArray(parent)) parent.splice(Number(last), 1)
  else if (typeof parent === 'object' && parent !== null) delete parent[last]
  return true
}

function indexIn(list: readonly unknown[], part: string): number | null {
  return /^(0|[1-9]\d*)$/.test(part) && Number(part) <= list.length ? Number(part) : null
}
