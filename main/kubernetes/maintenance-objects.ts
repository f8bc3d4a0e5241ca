import {
  type ClusterMaintenanceRequest,
  type ClusterWorkloadLock,
  INNER_STATE_ANNOTATION,
  LockState,
  MAINTENANCE_GROUP,
  MAINTENANCE_VERSION,
  type MaintenanceKind,
  type NodeDeletionRequest,
  type NodeDisableNotification,
  type NodeMaintenanceRequest,
  type NodeWorkloadLock,
} from '../../shared/domain/maintenance-api.ts'
import { type RawObject, rawList, rawObject, rawText, rawTextOrNull } from './raw.ts'
import { readMetadata } from './read-metadata.ts'

/** What every object has. */
type Head = Omit<NodeDeletionRequest, 'nodeName'>

/** The resource of each kind, as paths spell it (docs/domain.md A.1). */
export const PLURALS: Readonly<Record<MaintenanceKind, string>> = {
  ClusterMaintenanceRequest: 'clustermaintenancerequests',
  NodeMaintenanceRequest: 'nodemaintenancerequests',
  ClusterWorkloadLock: 'clusterworkloadlocks',
  NodeWorkloadLock: 'nodeworkloadlocks',
  NodeDisableNotification: 'nodedisablenotifications',
  NodeDeletionRequest: 'nodedeletionrequests',
}

/** Told where the kinds are missing without which there is no maintenance. */
export const NO_MAINTENANCE_API = `This cluster has no node maintenance API (${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}). \`lockkeeper crds install\` brings it.`

/** Path of all objects of a kind; they are cluster-scoped. */
export function folderOf(kind: MaintenanceKind): string {
  return `/apis/${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}/${PLURALS[kind]}`
}

/** Path of one object. */
export function pathOf(kind: MaintenanceKind, name: string): string {
  return `${folderOf(kind)}/${encodeURIComponent(name)}`
}

/** Reads a ClusterWorkloadLock; what is wrong with it is told in `faults`, never hidden. */
export function readClusterLock(object: RawObject): ClusterWorkloadLock {
  const { faults, ...lock } = lockOf(object)
  return { ...headOf(object, faults), ...lock }
}

/** Reads a NodeWorkloadLock. */
export function readNodeLock(object: RawObject): NodeWorkloadLock {
  const spec = rawObject(object.spec)
  const { faults, ...lock } = lockOf(object)
  return {
    ...headOf(object, [...faults, ...nodeNameFaults(spec)]),
    ...lock,
    nodeName: rawText(spec.nodeName),
    nodeDeletionRequestSupported: spec.nodeDeletionRequestSupported === true,
  }
}

/** Reads a ClusterMaintenanceRequest. */
export function readClusterRequest(object: RawObject): ClusterMaintenanceRequest {
  const { faults, ...request } = requestOf(object)
  return { ...headOf(object, faults), ...request }
}

/** Reads a NodeMaintenanceRequest. */
export function readNodeRequest(object: RawObject): NodeMaintenanceRequest {
  const spec = rawObject(object.spec)
  const { faults, ...request } = requestOf(object)
  return {
    ...headOf(object, [...faults, ...nodeNameFaults(spec)]),
    ...request,
    nodeName: rawText(spec.nodeName),
  }
}

/** Reads a NodeDisableNotification. */
export function readDisableNotification(object: RawObject): NodeDisableNotification {
  return ofNode(object)
}

/** Reads a NodeDeletionRequest. */
export function readDeletionRequest(object: RawObject): NodeDeletionRequest {
  return ofNode(object)
}

function ofNode(object: RawObject): NodeDeletionRequest {
  const spec = rawObject(object.spec)
  return { ...headOf(object, nodeNameFaults(spec)), nodeName: rawText(spec.nodeName) }
}

function headOf(object: RawObject, faults: readonly string[]): Head {
  const { uid, name, resourceVersion, createdAt, deletionAt, annotations } = readMetadata(object)
  return {
    uid,
    name,
    resourceVersion,
    createdAt,
    deletingSince: deletionAt,
    finalizers: rawList(rawObject(object.metadata).finalizers).filter(entry => typeof entry === 'string'),
    annotations: { ...annotations },
    faults: [...faults],
  }
}

function lockOf(object: RawObject): Omit<ClusterWorkloadLock, Exclude<keyof Head, 'faults'>> {
  const spec = rawObject(object.spec)
  const status = rawObject(object.status)
  const controller = rawText(spec.controllerName)
  const state = LockState.exclude(['unknown']).safeParse(status.state)
  const inner = readMetadata(object).annotations[INNER_STATE_ANNOTATION]
  const progress = rawObject(status.inactivationProgress)
  return {
    controller,
    state: state.success ? state.data : ('unknown' as const),
    release: rawTextOrNull(status.release),
    errorMessage: rawText(status.errorMessage),
    innerState: inner === 'active' || inner === 'inactive' ? inner : null,
    progress:
      Object.keys(progress).length === 0
        ? null
        : {
            percentage: typeof progress.percentage === 'number' ? progress.percentage : null,
            description: rawText(progress.description),
          },
    faults: [
      ...(controller === '' ? ['It names no controller (spec.controllerName).'] : []),
      ...(state.success ? [] : [stateFault(object.status, status.state)]),
      ...(inner === undefined || inner === 'active' || inner === 'inactive'
        ? []
        : [`Its annotation ${INNER_STATE_ANNOTATION} is "${inner}", neither active nor inactive.`]),
    ],
  }
}

function stateFault(status: unknown, state: unknown): string {
  if (status === undefined) return 'It has no status yet: its controller did not say a state.'
  return state === undefined
    ? 'Its status says no state.'
    : `Its state is ${JSON.stringify(state)}, which is none of active, inactive, failed.`
}

function requestOf(object: RawObject): Pick<ClusterMaintenanceRequest, 'scope' | 'release' | 'faults'> {
  const spec = rawObject(object.spec)
  const scope = spec.scope === 'os' || spec.scope === 'drain' ? spec.scope : null
  return {
    scope,
    release: rawTextOrNull(spec.release),
    faults:
      scope === null && spec.scope !== undefined
        ? [`Its scope is ${JSON.stringify(spec.scope)}, neither drain nor os.`]
        : [],
  }
}

function nodeNameFaults(spec: RawObject): readonly string[] {
  return rawText(spec.nodeName) === '' ? ['It names no node (spec.nodeName).'] : []
}
