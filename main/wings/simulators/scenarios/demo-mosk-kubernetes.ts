import { ATTEMPTS_ANNOTATION, HOST_MODE_ANNOTATION } from '../../../../shared/domain/instance-policy.ts'
import { MAINTENANCE_GROUP, MAINTENANCE_VERSION } from '../../../../shared/domain/maintenance-api.ts'
import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'
import { MOSK_RELEASE, moskBundle, moskDefinitions, moskMachine, moskUpdatePlan } from './demo-mosk-definitions.ts'
import {
  MOSK_COMPUTE_NODES,
  MOSK_CONTROL_NODES,
  MOSK_GATEWAY_NODES,
  MOSK_STORAGE_NODES,
  moskZoneOf,
} from './demo-mosk-names.ts'
import { rookCephObjects } from './rook-ceph.ts'
import {
  COMPUTE,
  CONTROL,
  computeDaemonSets,
  NETWORK_AGENT,
  OPENSTACK_NAMESPACE,
  replicated,
  scenarioNode,
  WITH_AGENT,
  workload,
} from './scenario-objects.ts'

const GATEWAY = { 'openstack-gateway': 'enabled' }
const STACKLIGHT = { stacklight: 'enabled' }
const STACKLIGHT_NAMESPACE = 'stacklight'
const TUNGSTEN_FABRIC = { tfvrouter: 'enabled' }

/** Tungsten Fabric's namespace, and the labels of its vRouter pods. */
const TF_NAMESPACE = 'tf'
const VROUTER_LABELS = { app: 'tf-vrouter-agent' }

/** Migration modes that operators set (docs/domain.md A.5); the default of other nodes is `live`. */
const ANNOTATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'mosk-cmp-03': { [HOST_MODE_ANNOTATION]: 'manual' },
  'mosk-cmp-04': { [HOST_MODE_ANNOTATION]: 'skip' },
  'mosk-cmp-05': { [HOST_MODE_ANNOTATION]: 'live', [ATTEMPTS_ANNOTATION]: '5' },
  'mosk-cmp-07': { [HOST_MODE_ANNOTATION]: 'manual' },
  'mosk-cmp-08': { [HOST_MODE_ANNOTATION]: 'skip' },
}

const DEPLOYMENT_NAME = 'osh-dev'

/** The update groups of demo-mosk's workers, each one node at a time as is LCM's default (UpdateGroup, docs/domain.md A.4). */
export const MOSK_WORKER_GROUPS = [
  { name: 'gateways', nodes: MOSK_GATEWAY_NODES, concurrentUpdates: 1 },
  { name: 'storage', nodes: MOSK_STORAGE_NODES, concurrentUpdates: 1 },
  { name: 'compute-az1', nodes: MOSK_COMPUTE_NODES.slice(0, 4), concurrentUpdates: 1 },
  { name: 'compute-az2', nodes: MOSK_COMPUTE_NODES.slice(4), concurrentUpdates: 1 },
] as const

/** The Kubernetes side of demo-mosk: replicated services with budgets (the hard locks check three of them, docs/domain.md A.2), Rook's Ceph and MOSK's objects. */
export function demoMoskKubernetes(tungstenFabric: boolean): readonly KubernetesObject[] {
  return [
    ...moskDefinitions(),
    ...nodes(tungstenFabric),
    ...replicated('Deployment', 'keystone-api', { application: 'keystone', component: 'api' }),
    ...replicated('Deployment', 'nova-api-osapi', { application: 'nova', component: 'os-api' }),
    ...replicated('Deployment', 'neutron-server', { application: 'neutron', component: 'server' }),
    ...replicated('StatefulSet', 'mariadb-server', { application: 'mariadb', component: 'server' }, { apart: true }),
    ...replicated('StatefulSet', 'etcd-etcd', { application: 'etcd', component: 'server' }, { apart: true }),
    ...replicated('StatefulSet', 'openstack-redis', { application: 'redis', component: 'redis' }, { apart: true }),
    ...replicated(
      'StatefulSet',
      'openstack-rabbitmq-rabbitmq',
      { application: 'rabbitmq', component: 'server' },
      { apart: true },
    ),
    ...replicated('Deployment', 'horizon', { application: 'horizon', component: 'server' }),
    ...network(tungstenFabric),
    ...rookCephObjects(MOSK_STORAGE_NODES, MOSK_CONTROL_NODES),
    ...stacklight(),
    {
      apiVersion: `${MAINTENANCE_GROUP}/${MAINTENANCE_VERSION}`,
      kind: 'OpenStackDeploymentStatus',
      metadata: { name: DEPLOYMENT_NAME, namespace: OPENSTACK_NAMESPACE },
      spec: {},
      status: {
        osdpl: {
          state: 'APPLIED',
          openstack_version: 'caracal',
          controller_version: MOSK_RELEASE,
          release: MOSK_RELEASE,
          health: '',
        },
        health: {},
      },
    },
    ...moskApplications(tungstenFabric).map(moskBundle),
    moskUpdatePlan(MOSK_WORKER_GROUPS.map(({ name }) => name)),
    ...MOSK_CONTROL_NODES.map(node => moskMachine(node, null)),
    ...MOSK_WORKER_GROUPS.flatMap(({ name, nodes }) => nodes.map(node => moskMachine(node, name))),
  ]
}

/** The applications of demo-mosk in the order of their updates. */
export function moskApplications(tungstenFabric: boolean): readonly string[] {
  return ['openstack', 'ceph', 'stacklight', ...(tungstenFabric ? ['tungstenfabric'] : [])]
}

/** The smallest StackLight: pairs on the gateways, with a budget that keeps one of each. */
function stacklight(): readonly KubernetesObject[] {
  return ['prometheus-server', 'prometheus-alertmanager', 'opensearch-master'].flatMap(name => {
    const labels = { app: name }
    const set = workload('StatefulSet', name, labels, { replicas: 2, on: STACKLIGHT, apart: true })
    return [
      { ...set, metadata: { ...set.metadata, namespace: STACKLIGHT_NAMESPACE } },
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name, namespace: STACKLIGHT_NAMESPACE },
        spec: { minAvailable: 1, selector: { matchLabels: labels } },
      },
    ]
  })
}

function nodes(tungstenFabric: boolean): readonly KubernetesObject[] {
  const agent = tungstenFabric ? {} : WITH_AGENT
  const vrouter = tungstenFabric ? TUNGSTEN_FABRIC : WITH_AGENT
  const zones = ['az1', 'az2', 'az1']
  return [
    ...MOSK_CONTROL_NODES.map((name, index) =>
      scenarioNode(name, zones[index] ?? 'az1', {
        ...CONTROL,
        'node-role.kubernetes.io/control-plane': '',
        ...(index === 0 ? { ...GATEWAY, ...agent } : {}),
      }),
    ),
    ...MOSK_GATEWAY_NODES.map((name, index) =>
      scenarioNode(name, zones[index] ?? 'az1', { ...GATEWAY, ...STACKLIGHT, ...agent }),
    ),
    ...MOSK_COMPUTE_NODES.map(name =>
      scenarioNode(name, moskZoneOf(name), { ...COMPUTE, ...vrouter }, ANNOTATIONS[name]),
    ),
    ...MOSK_STORAGE_NODES.map((name, index) =>
      scenarioNode(name, zones[index] ?? 'az1', { role: 'ceph-osd-node', ceph_role_osd: 'true' }),
    ),
  ]
}

/** Neutron's agents on computes and gateways, or Tungsten Fabric's vRouters on the computes. */
function network(tungstenFabric: boolean): readonly KubernetesObject[] {
  if (!tungstenFabric) {
    return [
      ...computeDaemonSets(),
      workload(
        'DaemonSet',
        'neutron-l3-agent-default',
        { application: 'neutron', component: 'l3-agent' },
        { on: GATEWAY },
      ),
    ]
  }
  const vrouter = workload('DaemonSet', 'tf-vrouter-agent', VROUTER_LABELS, { on: TUNGSTEN_FABRIC })
  return [
    ...computeDaemonSets().filter(set => set.metadata.name !== NETWORK_AGENT),
    { ...vrouter, metadata: { ...vrouter.metadata, namespace: TF_NAMESPACE } },
  ]
}
