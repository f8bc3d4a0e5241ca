import { LCM_VERSION, type ResourceType } from './resource-types.ts'

export interface ForeignKind extends ResourceType {
  /** The fields that Lockkeeper reads or writes, as paths; `[]` is each element of a list, `*` each key of a map. */
  readonly fields: readonly string[]
  readonly source: string
}

const ROCKOON = 'Mirantis/rockoon, charts/rockoon/templates/resources_shared'
const MANAGEMENT_API = 'docs.mirantis.com/mosk/latest/api/mgmt-api/lcm-api'

/** Every foreign kind in use, except Kubernetes' own and the node maintenance API (definition-manifests.ts). The simulated clouds serve them from this table. */
export const FOREIGN_KINDS = {
  OpenStackDeploymentStatus: {
    apiVersion: LCM_VERSION,
    kind: 'OpenStackDeploymentStatus',
    plural: 'openstackdeploymentstatus',
    namespaced: true,
    fields: ['status.osdpl.state', 'status.osdpl.release', 'status.services.*', 'status.health.*.*.status'],
    source: `${ROCKOON}/_24-openstackdeploymentstatus-crd.yaml.tpl`,
  },
  /** Lockkeeper does not read it directly. If the cluster serves it, Lockkeeper must read its status. */
  OpenStackDeployment: {
    apiVersion: LCM_VERSION,
    kind: 'OpenStackDeployment',
    plural: 'openstackdeployments',
    namespaced: true,
    fields: [],
    source: `${ROCKOON}/_23-openstackdeployment-crd.yaml.tpl`,
  },
  ClusterUpdatePlan: {
    apiVersion: 'kaas.mirantis.com/v1alpha1',
    kind: 'ClusterUpdatePlan',
    plural: 'clusterupdateplans',
    namespaced: true,
    fields: [
      'spec.cluster',
      'spec.source',
      'spec.target',
      'spec.steps[].id',
      'status.status',
      'status.completedAt',
      'status.steps[].id',
      'status.steps[].status',
      'status.steps[].message',
      'status.steps[].startedAt',
      'status.steps[].completedAt',
    ],
    source: `${MANAGEMENT_API}/cluster-update-plan.html`,
  },
  Machine: {
    apiVersion: 'cluster.k8s.io/v1alpha1',
    kind: 'Machine',
    plural: 'machines',
    namespaced: true,
    fields: ['metadata.labels', 'status.nodeRef.name'],
    source: `${MANAGEMENT_API}/machine.html`,
  },
  NodeMaintenance: {
    apiVersion: 'nodemaintenance.medik8s.io/v1beta1',
    kind: 'NodeMaintenance',
    plural: 'nodemaintenances',
    namespaced: false,
    fields: ['spec.nodeName', 'spec.reason'],
    source: 'medik8s/node-maintenance-operator, config/crd/bases/nodemaintenance.medik8s.io_nodemaintenances.yaml',
  },
  ClusterApiMachine: {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Machine',
    plural: 'machines',
    namespaced: true,
    fields: ['metadata.annotations', 'metadata.deletionTimestamp', 'status.nodeRef.name'],
    source: 'kubernetes-sigs/cluster-api, config/crd/bases/cluster.x-k8s.io_machines.yaml',
  },
  BareMetalHost: {
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'BareMetalHost',
    plural: 'baremetalhosts',
    namespaced: true,
    fields: ['metadata.annotations', 'spec.online', 'status.hardware.hostname'],
    source: 'metal3-io/baremetal-operator, config/base/crds/bases/metal3.io_baremetalhosts.yaml',
  },
} as const satisfies Readonly<Record<string, ForeignKind>>
