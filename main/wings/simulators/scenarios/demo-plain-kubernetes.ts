import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'
import { COMPUTE_NODES, CONTROL_NODES, STORAGE_NODES, zoneOfCompute } from './demo-plain-names.ts'
import { rookOsdObjects } from './rook-ceph.ts'
import {
  COMPUTE,
  CONTAINERS,
  CONTROL,
  computeDaemonSets,
  scenarioNode as node,
  OPENSTACK_NAMESPACE,
  replicated,
  WITH_AGENT,
  workload,
} from './scenario-objects.ts'

/**
 * The Kubernetes side of demo-plain, a typical OpenStack on Kubernetes (as the lab's seed.sh): APIs, database and
 * etcd with budgets of 2 of 3; horizon and rabbitmq with one replica, which the replica check names; memcached with
 * emptyDir data; a pod without a controller on ctl-2; DaemonSets on the compute nodes; a Ceph under Rook.
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
    ...computeDaemonSets(),
    // ctl-2 has what blocks it already.
    ...rookOsdObjects(STORAGE_NODES, 'ctl-2'),
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
