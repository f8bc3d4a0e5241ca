import type { V1Pod, V1PodStatus } from '@kubernetes/client-node'
import type { Pod } from '../../../shared/domain/kubernetes.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { KubernetesObject } from './answers.ts'
import {
  MalformedAnswer,
  neededText,
  objectIn,
  objectOrNullIn,
  objectsIn,
  textIn,
  textMapIn,
  textOrNullIn,
  textsIn,
} from './fields.ts'
import type { Fields } from './model-fields.ts'
import { readMetadata } from './read-metadata.ts'

/** Present, with any value, on static pods (docs/drain.md 5.2 rule 3). */
const MIRROR_ANNOTATION = 'kubernetes.io/config.mirror'

const PHASES = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] as const

export function readPod(object: KubernetesObject<V1Pod>): Pod {
  const { namespace, name, uid, resourceVersion, labels, annotations, createdAt, deletionAt, controller } =
    readMetadata(object)
  const spec = objectOrNullIn(object, 'spec')
  // Every pod has a spec: without it the pod's node is unknown.
  if (spec === null) throw new MalformedAnswer(because('SpecMissing', { object: `pod ${namespace}/${name}` }))
  const status = objectIn(object, 'status')
  const volumes = objectsIn(spec, 'volumes')
  return {
    namespace,
    name,
    uid,
    resourceVersion,
    nodeName: textOrNullIn(spec, 'nodeName'),
    phase: phaseOf(status),
    deletionAt,
    finalizers: textsIn(object.metadata, 'finalizers'),
    labels,
    nodeSelector: textMapIn(spec, 'nodeSelector'),
    controller,
    mirror: Object.hasOwn(annotations, MIRROR_ANNOTATION),
    // An empty emptyDir is `emptyDir: {}`.
    emptyDirs: volumes
      .filter(volume => objectOrNullIn(volume, 'emptyDir') !== null)
      .map(volume => textIn(volume, 'name')),
    claims: volumes.flatMap(volume => {
      const claim = objectOrNullIn(volume, 'persistentVolumeClaim')
      return claim === null ? [] : [neededText(claim, 'claimName')]
    }),
    ready: objectsIn(status, 'conditions').some(condition => condition.type === 'Ready' && condition.status === 'True'),
    createdAt,
  }
}

function phaseOf(status: Fields<V1PodStatus>): Pod['phase'] {
  const said = neededText(status, 'phase')
  const phase = PHASES.find(known => known === said)
  if (phase === undefined) throw new MalformedAnswer(because('PodPhaseUnknown'))
  return phase
}

/** Reads a pod that must be on this node: a server that ignores field selectors returns all pods. */
export function podOn(node: string): (object: KubernetesObject<V1Pod>) => Pod {
  return object => {
    const pod = readPod(object)
    if (pod.nodeName !== node) {
      throw new MalformedAnswer(because('PodOfOtherNode', { pod: `${pod.namespace}/${pod.name}`, node }))
    }
    return pod
  }
}
