import type { Workload } from '../../shared/domain/kubernetes.ts'
import { type RawObject, rawNumber, rawObject } from './raw.ts'
import { readMetadata } from './read-metadata.ts'

/** Reads a workload of apps/v1. A DaemonSet has no replicas of its own: it wants one pod a matching node. */
export function readWorkload(kind: Workload['kind'], object: RawObject): Workload {
  const { namespace, name, uid, controller } = readMetadata(object)
  const status = rawObject(object.status)
  const counts =
    kind === 'DaemonSet'
      ? { replicas: rawNumber(status.desiredNumberScheduled), readyReplicas: rawNumber(status.numberReady) }
      : {
          // The API's default where the field is left out.
          replicas: rawNumber(rawObject(object.spec).replicas, 1),
          readyReplicas: rawNumber(status.readyReplicas),
        }
  return { apiVersion: 'apps/v1', kind, namespace, name, uid, controller, ...counts }
}
