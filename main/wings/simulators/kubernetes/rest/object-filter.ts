import { parseFieldSelector } from '../selectors/field-selector.ts'
import { parseLabelSelector } from '../selectors/label-selector.ts'
import { granted, type Outcome } from '../store/api-status.ts'
import type { ApiType } from '../store/api-type.ts'
import type { KubernetesObject } from '../store/kubernetes-object.ts'

/** Whether a list or a watch shows an object. */
export type ObjectFilter = (object: KubernetesObject) => boolean

/** Combines namespace, name and both selectors of a request into one filter. */
export function objectFilter(
  type: ApiType,
  namespace: string | null,
  name: string | null,
  query: URLSearchParams,
): Outcome<ObjectFilter> {
  const labels = parseLabelSelector(query.get('labelSelector') ?? '')
  if (!labels.ok) return labels
  const fields = parseFieldSelector(type, query.get('fieldSelector') ?? '')
  if (!fields.ok) return fields
  return granted(
    object =>
      (namespace === null || object.metadata.namespace === namespace) &&
      (name === null || object.metadata.name === name) &&
      labels.value(object.metadata.labels ?? {}) &&
      fields.value(object),
  )
}
