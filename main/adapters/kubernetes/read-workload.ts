import type { Workload } from '../../../shared/domain/kubernetes.ts'
import type { KubernetesObject } from './answers.ts'
import { numberIn, objectIn } from './fields.ts'
import { readMetadata } from './read-metadata.ts'

/** Reads a workload of apps/v1. A DaemonSet has no replicas of its own: it wants one pod a matching node. */
export function readWorkload(kind: Workload['kind'], object: KubernetesObject): Workload {
  const { namespace, name, uid, controller } = readMetadata(object)
  const status = objectIn(object, 'status')
  const counts =
    kind === 'DaemonSet'
      ? { replicas: numberIn(status, 'desiredNumberScheduled'), readyReplicas: numberIn(status, 'numberReady') }
      : {
          // The API's default where the field is left out.
          replicas: numberIn(objectIn(object, 'spec'), 'replicas', 1),
          readyReplicas: numberIn(status, 'readyReplicas'),
        }
  return { apiVersion: 'apps/v1', kind, namespace, name, uid, controller, ...counts }
}
