import { MAINTENANCE_GROUP, MAINTENANCE_VERSION } from '../../../shared/domain/maintenance-api.ts'
import type { ResourceType } from './resource-types.ts'

/** A kind of object that somebody else defines, as the definition of its owner has it. */
export interface ForeignKind extends ResourceType {
  /** Fields that are read or written, as paths; `[]` stands for each element of a list, `*` for each name of a map. */
  readonly fields: readonly string[]
  /** Where its owner publishes the definition. */
  readonly source: string
}

const ROCKOON = 'Mirantis/rockoon, charts/rockoon/templates/resources_shared'
const MANAGEMENT_API = 'docs.mirantis.com/mosk/latest/api/mgmt-api/lcm-api'
const LCM = `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`

/**
 * Every kind of somebody else's that is read or written, but for Kubernetes' own and the node maintenance API, whose definitions are compared as a
 * whole (definition-manifests.ts). The embedded clouds serve their definitions from this table, so that neither is written from memory.
 */
export const FOREIGN_KINDS = {
  /** What the OpenStack Controller says of its deployment. The plural has no ending of its own. */
  OpenStackDeploymentStatus: {
    apiVersion: LCM,
    kind: 'OpenStackDeploymentStatus',
    plural: 'openstackdeploymentstatus',
    namespaced: true,
    fields: ['status.osdpl.state', 'status.osdpl.release', 'status.services.*', 'status.health.*.*.status'],
    source: `${ROCKOON}/_24-openstackdeploymentstatus-crd.yaml.tpl`,
  },
  /** The deployment itself is not read: that it is served tells that its status has to be. */
  OpenStackDeployment: {
    apiVersion: LCM,
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
  /** A machine of the management cluster. */
  Machine: {
    apiVersion: 'cluster.k8s.io/v1alpha1',
    kind: 'Machine',
    plural: 'machines',
    namespaced: true,
    fields: ['metadata.labels', 'status.nodeRef.name'],
    source: `${MANAGEMENT_API}/machine.html`,
  },
  /** A maintenance by the Node Maintenance Operator of medik8s. */
  NodeMaintenance: {
    apiVersion: 'nodemaintenance.medik8s.io/v1beta1',
    kind: 'NodeMaintenance',
    plural: 'nodemaintenances',
    namespaced: false,
    fields: ['spec.nodeName', 'spec.reason'],
    source: 'medik8s/node-maintenance-operator, config/crd/bases/nodemaintenance.medik8s.io_nodemaintenances.yaml',
  },
  /** A machine of Cluster API; both served versions have these fields. */
  ClusterApiMachine: {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Machine',
    plural: 'machines',
    namespaced: true,
    fields: ['metadata.annotations', 'metadata.deletionTimestamp', 'status.nodeRef.name'],
    source: 'kubernetes-sigs/cluster-api, config/crd/bases/cluster.x-k8s.io_machines.yaml',
  },
  /** A server of Metal3: which node it is, its hardware's host name tells. */
  BareMetalHost: {
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'BareMetalHost',
    plural: 'baremetalhosts',
    namespaced: true,
    fields: ['metadata.annotations', 'spec.online', 'status.hardware.hostname'],
    source: 'metal3-io/baremetal-operator, config/base/crds/bases/metal3.io_baremetalhosts.yaml',
  },
} as const satisfies Readonly<Record<string, ForeignKind>>
