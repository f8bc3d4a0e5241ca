import type { Pod } from '../../shared/domain/kubernetes.ts'
import { type RawObject, rawList, rawObject, rawText, rawTextOrNull } from './raw.ts'
import { readMetadata } from './read-metadata.ts'

/** Present, with any value, on pods that a kubelet runs from a file of its own (docs/drain.md 5.2 rule 3). */
const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror'

const PHASES = ['Pending', 'Running', 'Succeeded', 'Failed'] as const

/** Reads a pod with the fields that drain rules need. */
export function readPod(object: RawObject): Pod {
  const { namespace, name, uid, resourceVersion, labels, annotations, createdAt, deletionAt, controller } =
    readMetadata(object)
  const spec = rawObject(object.spec)
  const status = rawObject(object.status)
  const volumes = rawList(spec.volumes).map(rawObject)
  return {
    namespace,
    name,
    uid,
    resourceVersion,
    nodeName: rawTextOrNull(spec.nodeName),
    phase: PHASES.find(phase => phase === status.phase) ?? 'Unknown',
    deletionAt,
    labels,
    controller,
    mirror: Object.hasOwn(annotations, MIRROR_ANNOTATION),
    // An empty emptyDir is written as `emptyDir: {}`.
    emptyDirs: volumes.filter(volume => isThere(volume.emptyDir)).map(volume => rawText(volume.name)),
    claims: volumes
      .filter(volume => isThere(volume.persistentVolumeClaim))
      .map(volume => rawText(rawObject(volume.persistentVolumeClaim).claimName)),
    ready: rawList(status.conditions)
      .map(rawObject)
      .some(condition => condition.type === 'Ready' && condition.status === 'True'),
    createdAt,
  }
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}
