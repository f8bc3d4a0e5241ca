import type { ApiType } from './api-type.ts'
import type { JsonObject } from './json.ts'

/** The `Status` object of a refusal (apimachinery `meta/v1` Status). */
export interface ApiStatus extends JsonObject {
  readonly kind: 'Status'
  readonly apiVersion: 'v1'
  readonly status: 'Failure'
  readonly message: string
  readonly reason?: string
  readonly details?: JsonObject
  readonly code: number
}

/** The result of an operation of the simulated API. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly status: ApiStatus }

export function granted<T>(value: T): Outcome<T> {
  return { ok: true, value }
}

export function refused(status: ApiStatus): { readonly ok: false; readonly status: ApiStatus } {
  return { ok: false, status }
}

export function apiStatus(code: number, reason: string | undefined, message: string, details?: JsonObject): ApiStatus {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  }
}

/** Returns `pods "x"`, or `leases.coordination.k8s.io "x"`. */
function qualified(type: Pick<ApiType, 'group' | 'plural'>): string {
  return type.group === '' ? type.plural : `${type.plural}.${type.group}`
}

function detailsOf(
  type: Pick<ApiType, 'group' | 'plural'>,
  name: string | undefined,
  more: JsonObject = {},
): JsonObject {
  return {
    ...(name === undefined ? {} : { name }),
    ...(type.group === '' ? {} : { group: type.group }),
    kind: type.plural,
    ...more,
  }
}

/** 404: the object does not exist. */
export function notFound(type: Pick<ApiType, 'group' | 'plural'>, name: string): ApiStatus {
  return apiStatus(404, 'NotFound', `${qualified(type)} "${name}" not found`, detailsOf(type, name))
}

/** 409: an object with this name exists. */
export function alreadyExists(type: ApiType, name: string): ApiStatus {
  return apiStatus(409, 'AlreadyExists', `${qualified(type)} "${name}" already exists`, detailsOf(type, name))
}

/** 409: the object changed since the caller read it. */
export function conflict(type: Pick<ApiType, 'group' | 'plural'>, name: string, why: string): ApiStatus {
  const message = `Operation cannot be fulfilled on ${qualified(type)} "${name}": ${why}`
  return apiStatus(409, 'Conflict', message, detailsOf(type, name))
}

/** 403: the user's rights or the object's state do not allow it. */
export function forbidden(
  type: Pick<ApiType, 'group' | 'plural'>,
  name: string | undefined,
  why: string,
  causes?: readonly JsonObject[],
): ApiStatus {
  const message = `${qualified(type)}${name === undefined ? '' : ` "${name}"`} is forbidden: ${why}`
  return apiStatus(403, 'Forbidden', message, detailsOf(type, name, causes === undefined ? {} : { causes }))
}

export interface FieldProblem {
  readonly reason:
    | 'FieldValueDuplicate'
    | 'FieldValueInvalid'
    | 'FieldValueRequired'
    | 'FieldValueNotSupported'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
  readonly field: string
  readonly message: string
}

/** 422: one field is invalid. */
export function invalid(
  type: Pick<ApiType, 'group' | 'kind'>,
  name: string,
  field: string,
  why: string,
  reason: FieldProblem['reason'] = 'FieldValueInvalid',
): ApiStatus {
  return invalidFields(type, name, [{ reason, field, message: why }])
}

/** 422: one or several fields are invalid. */
export function invalidFields(
  type: Pick<ApiType, 'group' | 'kind'>,
  name: string,
  problems: readonly FieldProblem[],
): ApiStatus {
  const subject = type.group === '' ? type.kind : `${type.kind}.${type.group}`
  const words = problems.map(({ field, message }) => `${field}: ${message}`)
  const why = words.length === 1 ? words.join() : `[${words.join(', ')}]`
  return apiStatus(422, 'Invalid', `${subject} "${name}" is invalid: ${why}`, {
    name,
    ...(type.group === '' ? {} : { group: type.group }),
    kind: type.kind,
    causes: problems.map(({ reason, field, message }) => ({ reason, message, field })),
  })
}

/** 400: the request is malformed. */
export function badRequest(message: string): ApiStatus {
  return apiStatus(400, 'BadRequest', message)
}

/** 410: the history no longer has the resourceVersion; the client must list again. */
export function expired(message: string): ApiStatus {
  return apiStatus(410, 'Expired', message)
}
