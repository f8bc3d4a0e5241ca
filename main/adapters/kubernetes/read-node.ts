import type { V1Node, V1NodeCondition } from '@kubernetes/client-node'
import type { ClusterNode, NodeReadiness } from '../../../shared/domain/kubernetes.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { KubernetesObject } from './answers.ts'
import {
  flagIn,
  MalformedAnswer,
  objectIn,
  objectOrNullIn,
  objectsIn,
  textIn,
  textOrNullIn,
  timeOrNullIn,
} from './fields.ts'
import type { Fields } from './model-fields.ts'
import { readHolders, readMetadata } from './read-metadata.ts'
import { readTaints } from './taints.ts'

/** Reads a node. Without a Ready condition, or if it is Unknown, the node's state is unknown. */
export function readNode(object: KubernetesObject<V1Node>): ClusterNode {
  const { name, uid, resourceVersion, labels, annotations, createdAt } = readMetadata(object)
  const status = objectIn(object, 'status')
  // Every server sends spec, even if empty: without it the node may be unschedulable.
  const spec = objectOrNullIn(object, 'spec')
  if (spec === null) throw new MalformedAnswer(because('SpecMissing', { object: null }))
  const unschedulable = flagIn(spec, 'unschedulable')
  const info = objectIn(status, 'nodeInfo')
  const ready = objectsIn(status, 'conditions').find(condition => condition.type === 'Ready')
  const address = objectsIn(status, 'addresses').find(candidate => candidate.type === 'InternalIP')
  return {
    name,
    uid,
    resourceVersion,
    labels,
    annotations,
    unschedulable,
    taints: readTaints(spec),
    // If the field is gone, its last writer does not matter.
    cordonedBy: unschedulable ? readHolders(object, ['f:spec', 'f:unschedulable']) : [],
    readiness: readinessOf(ready),
    readinessText:
      ready === undefined
        ? because('NodeNeverReported').message
        : [textIn(ready, 'reason'), textIn(ready, 'message')].filter(part => part !== '').join(': '),
    readinessSince: ready === undefined ? null : timeOrNullIn(ready, 'lastTransitionTime'),
    bootId: textIn(info, 'bootID'),
    kubeletVersion: textIn(info, 'kubeletVersion'),
    osImage: textIn(info, 'osImage'),
    internalIp: address === undefined ? null : textOrNullIn(address, 'address'),
    createdAt,
  }
}

/** A node without spec must not hide the others in a list: it is listed with unknown state. Asked for alone, it is unreadable. */
export function readListedNode(object: KubernetesObject<V1Node>): ClusterNode {
  if (objectOrNullIn(object, 'spec') !== null) return readNode(object)
  return {
    ...readNode({ ...object, spec: {} }),
    readiness: 'unknown',
    readinessText: because('NodeSpecHidden').message,
    readinessSince: null,
  }
}

function readinessOf(ready: Fields<V1NodeCondition> | undefined): NodeReadiness {
  switch (ready?.status) {
    case 'True':
      return 'ready'
    case 'False':
      return 'not-ready'
    default:
      return 'unknown'
  }
}
