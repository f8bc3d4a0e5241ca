import { selectorText } from '../selectors/label-selector.ts'
import { badRequest, granted, type Outcome, refused } from '../store/api-status.ts'
import { at, type Json, type JsonObject, numberAt, recordAt } from '../store/json.ts'
import type { KubernetesObject, StoredObject } from '../store/kubernetes-object.ts'

/** Returns a workload's `autoscaling/v1` Scale, for `kubectl scale`. */
export function scaleOf(object: StoredObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas: numberAt(object, 'spec', 'replicas') ?? 0 },
    status: {
      replicas: numberAt(object, 'status', 'replicas') ?? 0,
      selector: selectorText(at(object, 'spec', 'selector')),
    },
  }
}

/** Returns the workload with the size that a Scale requests. */
export function withScale(object: StoredObject, scale: Json | undefined): Outcome<KubernetesObject> {
  const replicas = numberAt(scale, 'spec', 'replicas')
  if (replicas === undefined || replicas < 0) return refused(badRequest('a Scale needs spec.replicas'))
  return granted({ ...object, spec: { ...recordAt(object, 'spec'), replicas } })
}
