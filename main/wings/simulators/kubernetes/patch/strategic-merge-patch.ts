import { isDeepStrictEqual } from 'node:util'
import { at, isJsonList, isJsonObject, type Json, type JsonObject, listAt } from '../store/json.ts'

/** Lists of built-in types that merge by a key (`patchMergeKey` in k8s.io/api). The server replaces `spec.taints` and `tolerations`, so they are not here. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  ephemeralContainers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  volumeDevices: 'devicePath',
  imagePullSecrets: 'name',
  secrets: 'name',
  hostAliases: 'ip',
  podIPs: 'ip',
  hostIPs: 'ip',
  addresses: 'type',
  conditions: 'type',
  ownerReferences: 'uid',
  topologySpreadConstraints: 'topologyKey',
  resourceClaims: 'name',
}

const MERGED_SETS: ReadonlySet<string> = new Set(['finalizers'])

const ORDER = '$setElementOrder/'
const DELETE_VALUES = '$deleteFromPrimitiveList/'

/** Merges maps and keyed lists; null removes. Supports `$patch`, `$retainKeys`, `$setElementOrder` and `$deleteFromPrimitiveList`. */
export function strategicMergePatch(target: Json | undefined, patch: Json): Json {
  if (!isJsonObject(patch)) return patch
  const directive = at(patch, '$patch')
  if (directive === 'delete') return {}
  if (directive === 'replace') return withoutDirectives(patch)
  const merged: Record<string, Json | undefined> = { ...(isJsonObject(target) ? target : {}) }
  if (patch.$retainKeys !== undefined) {
    const kept = new Set(listAt(patch, '$retainKeys'))
    for (const field of Object.keys(merged)) if (!kept.has(field)) delete merged[field]
  }
  for (const [field, values] of Object.entries(patch)) {
    if (!field.startsWith(DELETE_VALUES)) continue
    const name = field.slice(DELETE_VALUES.length)
    const doomed = isJsonList(values) ? values : []
    merged[name] = listAt(merged, name).filter(value => !doomed.includes(value))
  }
  for (const [field, value] of Object.entries(patch)) {
    if (field.startsWith('$') || value === undefined) continue
    if (value === null) delete merged[field]
    else if (isJsonList(value)) merged[field] = mergeList(field, merged[field], value)
    else merged[field] = strategicMergePatch(merged[field], value)
  }
  for (const [field, order] of Object.entries(patch)) {
    if (!field.startsWith(ORDER)) continue
    const name = field.slice(ORDER.length)
    const list = merged[name]
    if (isJsonList(list) && isJsonList(order)) merged[name] = ordered(list, order, mergeKeyOf(name, list))
  }
  return merged satisfies JsonObject
}

function mergeList(field: string, target: Json | undefined, patch: readonly Json[]): readonly Json[] {
  const current = isJsonList(target) ? target : []
  if (patch.some(item => isJsonObject(item) && item.$patch === 'replace')) {
    return patch.filter(item => !(isJsonObject(item) && item.$patch === 'replace' && Object.keys(item).length === 1))
  }
  if (MERGED_SETS.has(field)) return [...current, ...patch.filter(value => !current.includes(value))]
  const key = mergeKeyOf(field, [...current, ...patch])
  if (key === null) return patch
  const result: Json[] = [...current]
  for (const item of patch) {
    const index = result.findIndex(other => isDeepStrictEqual(at(other, key), at(item, key)))
    if (isJsonObject(item) && item.$patch === 'delete') {
      if (index >= 0) result.splice(index, 1)
    } else if (index >= 0) result[index] = strategicMergePatch(result[index], item)
    else result.push(strategicMergePatch({}, item))
  }
  return result
}

function mergeKeyOf(field: string, items: readonly Json[]): string | null {
  // Container ports merge by containerPort, Service ports by port.
  if (field === 'ports') return items.some(item => at(item, 'containerPort') !== undefined) ? 'containerPort' : 'port'
  return MERGE_KEYS[field] ?? null
}

function ordered(list: readonly Json[], order: readonly Json[], key: string | null): readonly Json[] {
  const identity = (item: Json): Json | undefined => (key !== null && isJsonObject(item) ? item[key] : item)
  const wanted = order.map(identity)
  const place = (item: Json): number => {
    const index = wanted.findIndex(other => isDeepStrictEqual(other, identity(item)))
    return index < 0 ? wanted.length : index
  }
  return [...list].sort((a, b) => place(a) - place(b))
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([field]) => !field.startsWith('$')))
}
