import type { ClusterNode, NodeReadiness } from '../../shared/domain/kubernetes.ts'
import { type RawObject, rawList, rawObject, rawText, rawTextOrNull } from './raw.ts'
import { readMetadata } from './read-metadata.ts'

/** Reads a node. Without a Ready condition, or with one that is Unknown, nobody knows how it is. */
export function readNode(object: RawObject): ClusterNode {
  const { name, uid, resourceVersion, labels, annotations, createdAt } = readMetadata(object)
  const status = rawObject(object.status)
  const info = rawObject(status.nodeInfo)
  const ready = rawList(status.conditions)
    .map(rawObject)
    .find(condition => condition.type === 'Ready')
  const address = rawList(status.addresses)
    .map(rawObject)
    .find(candidate => candidate.type === 'InternalIP')
  return {
    name,
    uid,
    resourceVersion,
    labels,
    annotations,
    unschedulable: rawObject(object.spec).unschedulable === true,
    readiness: readinessOf(ready),
    readinessText:
      ready === undefined
        ? 'The node never reported.'
        : [rawText(ready.reason), rawText(ready.message)].filter(part => part !== '').join(': '),
    readinessSince: rawTextOrNull(ready?.lastTransitionTime),
    bootId: rawText(info.bootID),
    kubeletVersion: rawText(info.kubeletVersion),
    osImage: rawText(info.osImage),
    internalIp: rawTextOrNull(address?.address),
    createdAt,
  }
}

function readinessOf(ready: RawObject | undefined): NodeReadiness {
  switch (ready?.status) {
    case 'True':
      return 'ready'
    case 'False':
      return 'not-ready'
    default:
      return 'unknown'
  }
}
