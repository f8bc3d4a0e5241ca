import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'
import { COMPUTE_NODES, CONTROL_NODES, STORAGE_NODES, zoneOfCompute } from './demo-plain-names.ts'

/** Where the pods of OpenStack live. */
export const OPENSTACK_NAMESPACE = 'openstack'

/** The DaemonSets whose pods are a compute node's side of OpenStack. */
export const NOVA_COMPUTE = 'nova-compute-default'
export const NETWORK_AGENT = 'neutron-ovs-agent-default'

const CONTROL = { 'openstack-control-plane': 'enabled' }
const COMPUTE = { 'openstack-compute-node': 'enabled' }
const WITH_AGENT = { openvswitch: 'enabled' }
const CONTAINERS = [{ name: 'main', image: 'registry.example/openstack/demo:2023.1' }]

/**
 * The Kubernetes side of demo-plain, as an OpenStack-on-Kubernetes cloud has it (the lab's seed.sh has the same):
 * APIs, database and etcd with budgets of 2 of 3; horizon and rabbitmq with a single replica, which a control node's replica
 * check names; memcached with emptyDir data; a pod without a controller on ctl-2; DaemonSets on the compute nodes.
 */
export function demoPlainKubernetes(): readonly KubernetesObject[] {
  return [
    ...nodes(),
    ...replicated('Deployment', 'keystone-api', { application: 'keystone', component: 'api' }),
    ...replicated('Deployment', 'nova-api-osapi', { application: 'nova', component: 'os-api' }),
    ...replicated('Deployment', 'neutron-server', { application: 'neutron', component: 'server' }),
    ...replicated('StatefulSet', 'mariadb-server', { application: 'mariadb', component: 'server' }),
    ...replicated('StatefulSet', 'etcd-etcd', { application: 'etcd', component: 'server' }),
    workload('Deployment', 'horizon', { application: 'horizon', component: 'server' }, { replicas: 1, on: CONTROL }),
    workload(
      'StatefulSet',
      'openstack-rabbitmq-rabbitmq',
      { application: 'rabbitmq', component: 'server' },
      { replicas: 1, on: CONTROL },
    ),
    workload(
      'Deployment',
      'memcached-memcached',
      { application: 'memcached', component: 'server' },
      { replicas: 3, on: CONTROL, pod: { volumes: [{ name: 'scratch', emptyDir: {} }] } },
    ),
    workload('Deployment', 'image-cache', { application: 'glance', component: 'cache' }, { replicas: 2, on: COMPUTE }),
    workload('DaemonSet', NOVA_COMPUTE, { application: 'nova', component: 'compute' }, { on: COMPUTE }),
    workload('DaemonSet', 'libvirt-libvirt-default', { application: 'libvirt', component: 'libvirt' }, { on: COMPUTE }),
    workload(
      'DaemonSet',
      NETWORK_AGENT,
      { application: 'neutron', component: 'neutron-ovs-agent' },
      { on: WITH_AGENT },
    ),
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'debug-shell', namespace: OPENSTACK_NAMESPACE },
      spec: { nodeName: 'ctl-2', containers: CONTAINERS, terminationGracePeriodSeconds: 1 },
    },
  ]
}

function nodes(): readonly KubernetesObject[] {
  const zones = ['az1', 'az2', 'az1']
  return [
    ...CONTROL_NODES.map((name, index) =>
      node(name, zones[index] ?? 'az1', { ...CONTROL, ...WITH_AGENT, 'node-role.kubernetes.io/control-plane': '' }),
    ),
    ...COMPUTE_NODES.map(name => node(name, zoneOfCompute(name), { ...COMPUTE, ...WITH_AGENT })),
    ...STORAGE_NODES.map((name, index) =>
      node(name, zones[index] ?? 'az1', { role: 'ceph-osd-node', ceph_role_osd: 'true' }),
    ),
  ]
}

/** The rest of a node (kubelet version, boot id, conditions, its Lease) is what its kubelet reports. */
function node(name: string, zone: string, labels: Readonly<Record<string, string>>): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone, ...labels } },
    spec: {},
  }
}

/** Three replicas on the control nodes, of which a budget keeps two. */
function replicated(
  kind: 'Deployment' | 'StatefulSet',
  name: string,
  labels: Readonly<Record<string, string>>,
): readonly KubernetesObject[] {
  return [
    workload(kind, name, labels, { replicas: 3, on: CONTROL }),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace: OPENSTACK_NAMESPACE },
      spec: { minAvailable: 2, selector: { matchLabels: labels } },
    },
  ]
}

interface Shape {
  readonly replicas?: number
  readonly on: Readonly<Record<string, string>>
  readonly pod?: Readonly<
    Record<string, readonly { readonly name: string; readonly emptyDir: Record<string, never> }[]>
  >
}

function workload(
  kind: 'Deployment' | 'StatefulSet' | 'DaemonSet',
  name: string,
  labels: Readonly<Record<string, string>>,
  shape: Shape,
): KubernetesObject {
  const term = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' }
  const spread = {
    podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term }] },
  }
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: OPENSTACK_NAMESPACE, labels },
    spec: {
      ...(shape.replicas === undefined ? {} : { replicas: shape.replicas }),
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          nodeSelector: shape.on,
          containers: CONTAINERS,
          terminationGracePeriodSeconds: 1,
          ...((shape.replicas ?? 1) > 1 ? { affinity: spread } : {}),
          ...shape.pod,
        },
      },
    },
  }
}
