import type { ApiType } from '../store/api-type.ts'
import { recordAt } from '../store/json.ts'
import type { KubernetesObject } from '../store/kubernetes-object.ts'
import type { Release } from '../store/release.ts'

/** An object of a built-in kind without the fields that its release does not know: a server drops them and says nothing. */
export function knownFields<T extends KubernetesObject>(release: Release, type: ApiType, object: T): T {
  if (type.custom || type.kind !== 'PodDisruptionBudget' || release.unhealthyPods) return object
  const { unhealthyPodEvictionPolicy: _, ...spec } = recordAt(object, 'spec')
  return { ...object, spec }
}
