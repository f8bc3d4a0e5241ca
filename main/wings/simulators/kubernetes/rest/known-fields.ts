import type { ApiType } from '../store/api-type.ts'
import { recordAt } from '../store/json.ts'
import type { KubernetesObject } from '../store/kubernetes-object.ts'
import type { Release } from '../store/release.ts'

/** Drops the fields that a release does not know from a built-in kind; a server does this silently. */
export function knownFields<T extends KubernetesObject>(release: Release, type: ApiType, object: T): T {
  if (type.custom || type.kind !== 'PodDisruptionBudget' || release.unhealthyPods) return object
  const { unhealthyPodEvictionPolicy: _, ...spec } = recordAt(object, 'spec')
  return { ...object, spec }
}
