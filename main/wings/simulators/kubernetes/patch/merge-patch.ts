import { isJsonList, isJsonObject, type Json, type JsonObject } from '../store/json.ts'

/** Applies an RFC 7386 merge patch. Unlike the RFC, and like an API server (evanphx/json-patch, pruneNils), it also removes null fields within lists. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (isJsonList(patch)) return patch.map(each => (each === null ? each : mergePatch(undefined, each)))
  if (!isJsonObject(patch)) return patch
  const merged: Record<string, Json | undefined> = { ...(isJsonObject(target) ? target : {}) }
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field]
    else if (value !== undefined) merged[field] = mergePatch(merged[field], value)
  }
  return merged satisfies JsonObject
}
