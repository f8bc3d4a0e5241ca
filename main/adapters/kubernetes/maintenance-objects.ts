import {
  type ClusterMaintenanceRequest,
  type ClusterWorkloadLock,
  INNER_STATE_ANNOTATION,
  LockState,
  MAINTENANCE_GROUP,
  MAINTENANCE_VERSION,
  type NodeDeletionRequest,
  type NodeDisableNotification,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
} from '../../../shared/domain/maintenance-api.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { KubernetesObject } from './answers.ts'
import { flagIn, numberIn, objectIn, textIn, textOrNullIn, textsIn } from './fields.ts'
import type { RawObject } from './raw.ts'
import { readMetadata, readWriters } from './read-metadata.ts'

type Head = Omit<NodeDeletionRequest, 'nodeName'>

export const NO_MAINTENANCE_API = because('NoMaintenanceApi', {
  apiVersion: `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`,
})

export function readClusterLock(object: KubernetesObject): ClusterWorkloadLock {
  const { faults, ...lock } = lockOf(object)
  return { ...headOf(object, faults), ...lock }
}

export function readNodeLock(object: KubernetesObject): NodeWorkloadLock {
  const spec = objectIn(object, 'spec')
  const { faults, ...lock } = lockOf(object)
  return {
    ...headOf(object, [...faults, ...nodeNameFaults(spec)]),
    ...lock,
    nodeName: textIn(spec, 'nodeName'),
    nodeDeletionRequestSupported: flagIn(spec, 'nodeDeletionRequestSupported'),
  }
}

export function readClusterRequest(object: KubernetesObject): ClusterMaintenanceRequest {
  const { faults, ...request } = requestOf(object)
  return { ...headOf(object, faults), ...request }
}

export function readNodeRequest(object: KubernetesObject): NodeMaintenanceRequest {
  const spec = objectIn(object, 'spec')
  const { faults, ...request } = requestOf(object)
  return {
    ...headOf(object, [...faults, ...nodeNameFaults(spec)]),
    ...request,
    nodeName: textIn(spec, 'nodeName'),
  }
}

export function readDisableNotification(object: KubernetesObject): NodeDisableNotification {
  return ofNode(object)
}

export function readDeletionRequest(object: KubernetesObject): NodeDeletionRequest {
  return ofNode(object)
}

function ofNode(object: KubernetesObject): NodeDeletionRequest {
  const spec = objectIn(object, 'spec')
  return { ...headOf(object, nodeNameFaults(spec)), nodeName: textIn(spec, 'nodeName') }
}

function headOf(object: KubernetesObject, faults: readonly string[]): Head {
  const { uid, name, resourceVersion, createdAt, deletionAt, annotations } = readMetadata(object)
  return {
    uid,
    name,
    resourceVersion,
    createdAt,
    deletingSince: deletionAt,
    finalizers: [...textsIn(object.metadata, 'finalizers')],
    annotations: { ...annotations },
    writers: [...readWriters(object)],
    faults: [...faults],
  }
}

function lockOf(object: KubernetesObject): Omit<ClusterWorkloadLock, Exclude<keyof Head, 'faults'>> {
  const spec = objectIn(object, 'spec')
  const status = objectIn(object, 'status')
  const controller = textIn(spec, 'controllerName')
  // Seed 001: "inactive;active;failed (default: active)".
  const state = LockState.exclude(['unknown']).safeParse(status.state ?? 'active')
  const inner = readMetadata(object).annotations[INNER_STATE_ANNOTATION]
  const progress = objectIn(status, 'inactivationProgress')
  return {
    controller,
    state: state.success ? state.data : ('unknown' as const),
    ...(status.state === undefined ? { stateGiven: false } : {}),
    release: textOrNullIn(status, 'release'),
    errorMessage: textIn(status, 'errorMessage'),
    innerState: inner === 'active' || inner === 'inactive' ? inner : null,
    progress:
      Object.keys(progress).length === 0
        ? null
        : {
            percentage: progress.percentage === undefined ? null : numberIn(progress, 'percentage'),
            description: textIn(progress, 'description'),
          },
    faults: [
      ...(controller === '' ? [because('LockNamesNoController').message] : []),
      ...(state.success ? [] : [because('LockStateUnknown', { state: JSON.stringify(status.state) }).message]),
      ...(inner === undefined || inner === 'active' || inner === 'inactive'
        ? []
        : [because('InnerStateUnknown', { annotation: INNER_STATE_ANNOTATION, state: inner }).message]),
    ],
  }
}

function requestOf(object: KubernetesObject): Pick<ClusterMaintenanceRequest, 'scope' | 'release' | 'faults'> {
  const spec = objectIn(object, 'spec')
  const scope = spec.scope === 'os' || spec.scope === 'drain' ? spec.scope : null
  return {
    scope,
    release: textOrNullIn(spec, 'release'),
    faults:
      scope === null && spec.scope !== undefined
        ? [because('RequestScopeUnknown', { scope: JSON.stringify(spec.scope) }).message]
        : [],
  }
}

function nodeNameFaults(spec: RawObject): readonly string[] {
  return textIn(spec, 'nodeName') === '' ? [because('ObjectNamesNoNode').message] : []
}
