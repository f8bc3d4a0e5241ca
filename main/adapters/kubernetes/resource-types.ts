import type {
  CoreV1Event,
  V1CustomResourceDefinition,
  V1DaemonSet,
  V1Deployment,
  V1Job,
  V1Lease,
  V1Namespace,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1ReplicaSet,
  V1Secret,
  V1StatefulSet,
  V1StorageClass,
  V1ValidatingAdmissionPolicy,
  V1ValidatingAdmissionPolicyBinding,
} from '@kubernetes/client-node'
import { MAINTENANCE_GROUP, MAINTENANCE_VERSION, type MaintenanceKind } from '../../../shared/domain/maintenance-api.ts'
import { RUNNER_GROUP, RUNNER_VERSION } from '../../../shared/domain/maintenance-run.ts'
import type { OfModel } from './model-fields.ts'

/** A kind of object and its path; the same value builds requests and checks answers. Built-in kinds carry their model for typed readers. */
export interface ResourceType<M = unknown> extends OfModel<M> {
  readonly apiVersion: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
  readonly pageSize?: number
}

export interface Collection<M = unknown> {
  readonly type: ResourceType<M>
  readonly namespace: string | null
}

export interface Named<M = unknown> extends Collection<M> {
  readonly name: string
}

const namespaced = <M>(apiVersion: string, kind: string, plural: string): ResourceType<M> => ({
  apiVersion,
  kind,
  plural,
  namespaced: true,
})
const clusterWide = <M>(apiVersion: string, kind: string, plural: string): ResourceType<M> => ({
  apiVersion,
  kind,
  plural,
  namespaced: false,
})

export const NODES = clusterWide<V1Node>('v1', 'Node', 'nodes')
export const PODS = namespaced<V1Pod>('v1', 'Pod', 'pods')
export const EVENTS = namespaced<CoreV1Event>('v1', 'Event', 'events')
export const VOLUMES = clusterWide<V1PersistentVolume>('v1', 'PersistentVolume', 'persistentvolumes')
export const SECRETS = namespaced<V1Secret>('v1', 'Secret', 'secrets')
export const NAMESPACES = clusterWide<V1Namespace>('v1', 'Namespace', 'namespaces')
export const CLAIMS = namespaced<V1PersistentVolumeClaim>('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims')
export const STORAGE_CLASSES = clusterWide<V1StorageClass>('storage.k8s.io/v1', 'StorageClass', 'storageclasses')
export const LEASES = namespaced<V1Lease>('coordination.k8s.io/v1', 'Lease', 'leases')
export const JOBS = namespaced<V1Job>('batch/v1', 'Job', 'jobs')
export const BUDGETS = namespaced<V1PodDisruptionBudget>('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets')
export const OLD_BUDGETS = namespaced<V1PodDisruptionBudget>(
  'policy/v1beta1',
  'PodDisruptionBudget',
  'poddisruptionbudgets',
)
export const DEPLOYMENTS = namespaced<V1Deployment>('apps/v1', 'Deployment', 'deployments')
export const REPLICA_SETS = namespaced<V1ReplicaSet>('apps/v1', 'ReplicaSet', 'replicasets')
export const STATEFUL_SETS = namespaced<V1StatefulSet>('apps/v1', 'StatefulSet', 'statefulsets')
export const DAEMON_SETS = namespaced<V1DaemonSet>('apps/v1', 'DaemonSet', 'daemonsets')
export const DEFINITION_TYPE = clusterWide<V1CustomResourceDefinition>(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  'customresourcedefinitions',
)

export const LCM_VERSION = `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`

const RUNNER_API = `${RUNNER_GROUP}/${RUNNER_VERSION}`
/** Each contains a plan, so pages stay below the size limit. */
export const MAINTENANCE_RUNS: ResourceType = {
  ...namespaced(RUNNER_API, 'MaintenanceRun', 'maintenanceruns'),
  pageSize: 50,
}
export const MAINTENANCE_CAMPAIGNS = namespaced(RUNNER_API, 'MaintenanceCampaign', 'maintenancecampaigns')
export const MAINTENANCE_RUN_CONTROLS = namespaced(RUNNER_API, 'MaintenanceRunControl', 'maintenanceruncontrols')
export const ADMISSION_POLICIES = clusterWide<V1ValidatingAdmissionPolicy>(
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicy',
  'validatingadmissionpolicies',
)
export const ADMISSION_BINDINGS = clusterWide<V1ValidatingAdmissionPolicyBinding>(
  'admissionregistration.k8s.io/v1',
  'ValidatingAdmissionPolicyBinding',
  'validatingadmissionpolicybindings',
)

export const PLURALS: Readonly<Record<MaintenanceKind, string>> = {
  ClusterMaintenanceRequest: 'clustermaintenancerequests',
  NodeMaintenanceRequest: 'nodemaintenancerequests',
  ClusterWorkloadLock: 'clusterworkloadlocks',
  NodeWorkloadLock: 'nodeworkloadlocks',
  NodeDisableNotification: 'nodedisablenotifications',
  NodeDeletionRequest: 'nodedeletionrequests',
}

export function maintenanceType(kind: MaintenanceKind): ResourceType {
  return clusterWide(LCM_VERSION, kind, PLURALS[kind])
}

export function versionPath(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
}

export function folderOf({ type, namespace }: Collection): string {
  const within = namespace === null ? '' : `/namespaces/${encodeURIComponent(namespace)}`
  return `${versionPath(type.apiVersion)}${within}/${type.plural}`
}

export function pathOf(target: Named): string {
  return `${folderOf(target)}/${encodeURIComponent(target.name)}`
}

export function nodeTarget(name: string): Named<V1Node> {
  return { type: NODES, namespace: null, name }
}
