import { isDeepStrictEqual } from 'node:util'
import { type ApiType, groupVersionOf } from '../store/api-type.ts'
import { isJsonObject, type Json, type JsonObject, textAt } from '../store/json.ts'
import type { KubernetesObject } from '../store/kubernetes-object.ts'
import type { ApiRequest } from './api-request.ts'

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
 * What an object's managedFields are after a write: an entry each manager and subresource, with the time of its last write that changed
 * anything. Custom resources only, and without the single fields: who wrote a lock, and when, is what an onlooker asks.
 */
export function managedFields(
  type: ApiType,
  next: KubernetesObject,
  before: KubernetesObject | null,
  writer: Writer,
): { readonly managedFields?: readonly Json[] } {
  if (!type.custom) return {}
  const entries = entriesOf(before)
  if (before !== null && isDeepStrictEqual(contentOf(next), contentOf(before))) return { managedFields: entries }
  const { manager, subresource, at } = writer
  const isSame = (entry: Json) =>
    textAt(entry, 'manager') === manager && (textAt(entry, 'subresource') ?? null) === subresource
  const written: JsonObject = {
    manager,
    operation: 'Update',
    apiVersion: groupVersionOf(type),
    time: at,
    fieldsType: 'FieldsV1',
    fieldsV1: subresource === 'status' ? { 'f:status': {} } : { 'f:metadata': {}, 'f:spec': {} },
    ...(subresource === null ? {} : { subresource }),
  }
  return { managedFields: [...entries.filter(entry => !isSame(entry)), written] }
}

function entriesOf(object: KubernetesObject | null): readonly Json[] {
  const entries = object?.metadata.managedFields
  return Array.isArray(entries) ? entries : []
}

function contentOf(object: KubernetesObject): Json {
  const plain: Json = JSON.parse(JSON.stringify(object))
  if (!isJsonObject(plain) || !isJsonObject(plain.metadata)) return plain
  const { managedFields: _, resourceVersion: __, generation: ___, ...metadata } = plain.metadata
  return { ...plain, metadata }
}
