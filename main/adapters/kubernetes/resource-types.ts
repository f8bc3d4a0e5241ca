import { MAINTENANCE_GROUP, MAINTENANCE_VERSION, type MaintenanceKind } from '../../../shared/domain/maintenance-api.ts'
import { RUNNER_GROUP, RUNNER_VERSION } from '../../../shared/domain/maintenance-run.ts'

/** A kind of object of the API, and where it lives: what is asked for and what has to come back are told by the same value. */
export interface ResourceType {
  /** Group and version, such as `apps/v1`, or `v1`. */
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  /** Objects a page of a list has at most; fewer where objects are big. */
  readonly pageSize?: number
}

/** All objects of a type, or those of one namespace. */
export interface Collection {
  readonly type: ResourceType
  /** Null: those of the whole cluster. */
  readonly namespace: string | null
}

/** One object by its name. */
export interface Named extends Collection {
  readonly name: string
}

const namespaced = (apiVersion: string, kind: string, plural: string): ResourceType => ({
  apiVersion,
  kind,
  plural,
  namespaced: true,
})
const clusterWide = (apiVersion: string, kind: string, plural: string): ResourceType => ({
  apiVersion,
  kind,
  plural,
  namespaced: false,
})

export const NODES = clusterWide('v1', 'Node', 'nodes')
export const PODS = namespaced('v1', 'Pod', 'pods')
export const EVENTS = namespaced('v1', 'Event', 'events')
export const VOLUMES = clusterWide('v1', 'PersistentVolume', 'persistentvolumes')
export const SECRETS = namespaced('v1', 'Secret', 'secrets')
export const NAMESPACES = clusterWide('v1', 'Namespace', 'namespaces')
export const CLAIMS = namespaced('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims')
export const STORAGE_CLASSES = clusterWide('storage.k8s.io/v1', 'StorageClass', 'storageclasses')
export const LEASES = namespaced('coordination.k8s.io/v1', 'Lease', 'leases')
export const JOBS = namespaced('batch/v1', 'Job', 'jobs')
export const BUDGETS = namespaced('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets')
export const OLD_BUDGETS = namespaced('policy/v1beta1', 'PodDisruptionBudget', 'poddisruptionbudgets')
export const DEPLOYMENTS = namespaced('apps/v1', 'Deployment', 'deployments')
export const REPLICA_SETS = namespaced('apps/v1', 'ReplicaSet', 'replicasets')
export const STATEFUL_SETS = namespaced('apps/v1', 'StatefulSet', 'statefulsets')
export const DAEMON_SETS = namespaced('apps/v1', 'DaemonSet', 'daemonsets')
export const DEFINITION_TYPE = clusterWide(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  'customresourcedefinitions',
)

/** Group and version of LCM's own objects. */
export const LCM_VERSION = `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`

/** Group and version of the runner's own objects. */
const RUNNER_API = `${RUNNER_GROUP}/${RUNNER_VERSION}`
/** A plan in each: a page of them stays below what is read at once. */
export const MAINTENANCE_RUNS = {
  ...namespaced(RUNNER_API, 'MaintenanceRun', 'maintenanceruns'),
  pageSize: 50,
}
export const MAINTENANCE_CAMPAIGNS = namespaced(RUNNER_API, 'MaintenanceCampaign', 'maintenancecampaigns')
export const MAINTENANCE_RUN_CONTROLS = namespaced(RUNNER_API, 'MaintenanceRunControl', 'maintenanceruncontrols')
export const ADMISSION_POLICIES = clusterWide(
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicy',
  'validatingadmissionpolicies',
)
export const ADMISSION_BINDINGS = clusterWide(
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicyBinding',
  'validatingadmissionpolicybindings',
)

/** The resource of each kind of the node maintenance API, as paths spell it (docs/domain.md A.1). */
export const PLURALS: Readonly<Record<MaintenanceKind, string>> = {
  ClusterMaintenanceRequest: 'clustermaintenancerequests',
  NodeMaintenanceRequest: 'nodemaintenancerequests',
  ClusterWorkloadLock: 'clusterworkloadlocks',
  NodeWorkloadLock: 'nodeworkloadlocks',
  NodeDisableNotification: 'nodedisablenotifications',
  NodeDeletionRequest: 'nodedeletionrequests',
}

/** The type of a kind of the node maintenance API; all are cluster-scoped. */
export function maintenanceType(kind: MaintenanceKind): ResourceType {
  return clusterWide(LCM_VERSION, kind, PLURALS[kind])
}

/** Path of a group and version: `/api/v1`, `/apis/apps/v1`. */
export function versionPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
}

/** Path of a collection. */
export function folderOf({ type, namespace }: Collection): string {
  const within = namespace === null ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  return `${versionPath(type.apiVersion)}${within}/${type.plural}`
}

/** Path of one object. */
export function pathOf(target: Named): string {
  return `${folderOf(target)}/${encodeURIComponent(target.name)}`
}
