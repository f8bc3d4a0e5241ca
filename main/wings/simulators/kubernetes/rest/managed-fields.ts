import { type ApiType, groupVersionOf } from '../store/api-type.ts'
import { isJsonList, isJsonObject, type Json, type JsonObject, textAt } from '../store/json.ts'
import type { KubernetesObject } from '../store/kubernetes-object.ts'
import type { ApiRequest } from './api-request.ts'
import { changedFields, type FieldSet, fieldSetOf, fieldsV1, without } from './field-set.ts'

/** The client that writes an object, and the subresource. */
export interface Writer {
  readonly manager: string
  readonly subresource: 'status' | null
  readonly at: string
}

/** The manager of the cluster's own writes. */
export const OWN_MANAGER = 'kube-controller-manager'

/** Returns the field manager of a request: its parameter, else the first word of the user agent (apiserver `managerOrUserAgent`). */
export function managerOf({ query, userAgent }: Pick<ApiRequest, 'query' | 'userAgent'>): string {
  return (query.get('fieldManager') || userAgent.split('/')[0] || 'unknown').slice(0, 128)
}

/**
 * Computes managedFields after a write (apimachinery `managedfields/internal/managedfieldsupdater.go`): one entry for
 * each manager and subresource, with the fields whose current value it set.
 * Only nodes and custom resources have them here; an object without managedFields stays without
 * (`skipnonapplied.go`).
 */
export function managedFields(
  type: ApiType,
  next: KubernetesObject,
  before: KubernetesObject | null,
  writer: Writer,
): { readonly managedFields?: readonly Json[] } {
  if (!type.custom && type.kind !== 'Node') return {}
  const entries = entriesOf(before)
  if (before !== null && entries.length === 0) return {}
  const { set, gone } = changedFields(before, next)
  const { manager, subresource, at } = writer
  const isWriters = (entry: Json) =>
    textAt(entry, 'manager') === manager && (textAt(entry, 'subresource') ?? null) === subresource
  const left = entries.flatMap(entry => withoutFields(entry, set, gone))
  if (set.size === 0) return { managedFields: left }
  const written: JsonObject = {
    manager,
    operation: 'Update',
    apiVersion: groupVersionOf(type),
    time: at,
    fieldsType: 'FieldsV1',
    fieldsV1: fieldsV1(new Map([...left.filter(isWriters).flatMap(own => [...fieldSetOf(own.fieldsV1)]), ...set])),
    ...(subresource === null ? {} : { subresource }),
  }
  return { managedFields: [...left.filter(entry => !isWriters(entry)), written] }
}

/** Whether a write removes the object's managedFields by sending `[{}]`. */
export function dropsManagedFields({ metadata }: KubernetesObject): boolean {
  const sent = metadata.managedFields
  return isJsonList(sent) && sent.every(entry => textAt(entry, 'operation') === undefined)
}

/** Returns an entry without the fields that a write took over or removed; nothing if no field is left. */
function withoutFields(entry: Json, ...taken: readonly FieldSet[]): readonly JsonObject[] {
  if (!isJsonObject(entry)) return []
  const left = without(fieldSetOf(entry.fieldsV1), ...taken)
  return left.size === 0 ? [] : [{ ...entry, fieldsV1: fieldsV1(left) }]
}

function entriesOf(object: KubernetesObject | null): readonly Json[] {
  const entries = object?.metadata.managedFields
  return isJsonList(entries) ? entries : []
}
