import { type ApiType, groupVersionOf } from '../store/api-type.ts'
import { isJsonList, isJsonObject, type Json, type JsonObject, textAt } from '../store/json.ts'
import type { KubernetesObject } from '../store/kubernetes-object.ts'
import type { ApiRequest } from './api-request.ts'
import { changedFields, type FieldSet, fieldSetOf, fieldsV1, without } from './field-set.ts'

/** Who writes an object, and which part of it. */
export interface Writer {
  readonly manager: string
  readonly subresource: 'status' | null
  /** When, as the server's clock tells it. */
  readonly at: string
}

/** The manager of what the cluster writes by itself. */
export const OWN_MANAGER = 'kube-controller-manager'

/** The field manager of a request: the one it names, else the first word of its user agent (apiserver `managerOrUserAgent`). */
export function managerOf({ query, userAgent }: Pick<ApiRequest, 'query' | 'userAgent'>): string {
  return (query.get('fieldManager') || userAgent.split('/')[0] || 'unknown').slice(0, 128)
}

/**
 * What an object's managedFields are after a write (apimachinery `managedfields/internal/managedfieldsupdater.go`): an entry each manager and subresource, with
 * the fields that it set to what they are and the time of its last write that set any. Who changes a field takes it from all others; one that is gone is
 * nobody's. An object without any stays so (`skipnonapplied.go`). Of nodes and custom resources only: whose a cordon is, and who wrote a lock, is what an
 * onlooker asks.
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
  const left = entries.flatMap(entry => lessened(entry, set, gone))
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

/** Whether an object is sent with managedFields of nothing (`[{}]`): it is to have none any more. */
export function dropsManagedFields({ metadata }: KubernetesObject): boolean {
  const sent = metadata.managedFields
  return isJsonList(sent) && sent.every(entry => textAt(entry, 'operation') === undefined)
}

/** An entry without the fields that a write changed or took away; none where it holds nothing any more. */
function lessened(entry: Json, ...taken: readonly FieldSet[]): readonly JsonObject[] {
  if (!isJsonObject(entry)) return []
  const left = without(fieldSetOf(entry.fieldsV1), ...taken)
  return left.size === 0 ? [] : [{ ...entry, fieldsV1: fieldsV1(left) }]
}

function entriesOf(object: KubernetesObject | null): readonly Json[] {
  const entries = object?.metadata.managedFields
  return isJsonList(entries) ? entries : []
}
