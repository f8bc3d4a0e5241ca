import { apiStatus, badRequest, granted, type Outcome, refused } from '../store/api-status.ts'
import type { ApiType } from '../store/api-type.ts'
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../store/json.ts'
import { jsonPatch } from './json-patch.ts'
import { strategicMergePatch } from './strategic-merge-patch.ts'

/** Applies a patch by its content type, as the API server does; custom resources do not support strategic merge. */
export function applyPatch(type: ApiType, current: JsonObject, contentType: string, patch: Json): Outcome<JsonObject> {
  switch (contentType) {
    case 'application/json-patch+json': {
      if (!isJsonList(patch)) return refused(badRequest('a JSON patch is a list of operations'))
      const outcome = jsonPatch(current, patch)
      return outcome === null ? refused(rejected()) : asObject(outcome.value)
    }
    case 'application/merge-patch+json':
      return asObject(mergePatch(current, patch))
    case 'application/strategic-merge-patch+json':
      return type.custom ? refused(unsupported(contentType)) : asObject(strategicMergePatch(current, patch))
    default:
      return refused(unsupported(contentType))
  }
}

function asObject(value: Json): Outcome<JsonObject> {
  return isJsonObject(value) ? granted(value) : refused(rejected())
}

function rejected() {
  return apiStatus(422, 'Invalid', 'the server rejected our request due to an error in our request', {})
}

function unsupported(contentType: string) {
  return apiStatus(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json; got ${contentType}`,
    {},
  )
}

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
