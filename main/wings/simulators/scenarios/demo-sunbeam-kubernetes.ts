import { LOCAL_STORAGE } from '../kubernetes/controllers/local-volumes.ts'
import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'
import { JUJU_NAMESPACE, SUNBEAM_NODES } from './demo-sunbeam-names.ts'
import { COMPUTE, CONTROL, OPENSTACK_NAMESPACE, replicated, scenarioNode, workload } from './scenario-objects.ts'

/** Variants of the Kubernetes side of demo-sunbeam. */
export interface SunbeamKubernetesVariant {
  /** The node with the pod of Juju's controller; by default the controller is a machine outside the cluster. */
  readonly jujuControllerOn?: (typeof SUNBEAM_NODES)[number]
}

const GATEWAY = { 'openstack-gateway': 'enabled' }
const STORAGE = { ceph_role_osd: 'true' }

/**
 * The Kubernetes side of demo-sunbeam: the charms' StatefulSets and Deployments with three replicas and budgets.
 * mysql has its data in claims and never two members on a node, so an evicted member waits for its node; horizon has
 * one replica, on sun-2. nova-compute, OVN and Ceph are snaps on the machines and have no pods.
 */
export function demoSunbeamKubernetes({ jujuControllerOn }: SunbeamKubernetesVariant): readonly KubernetesObject[] {
  return [
    ...SUNBEAM_NODES.map(name =>
      scenarioNode(name, 'nova', {
        ...CONTROL,
        ...COMPUTE,
        ...GATEWAY,
        ...STORAGE,
        'node-role.kubernetes.io/control-plane': '',
      }),
    ),
    ...charm('keystone'),
    ...charm('nova'),
    ...charm('neutron'),
    ...charm('watcher'),
    ...replicated('StatefulSet', 'mysql', appLabels('mysql'), { apart: true }).map(withClaim),
    workload('Deployment', 'horizon', appLabels('horizon'), { replicas: 1, on: { 'kubernetes.io/hostname': 'sun-2' } }),
    moved('kube-system', workload('Deployment', 'coredns', appLabels('coredns'), { replicas: 2, on: CONTROL })),
    moved('kube-system', workload('DaemonSet', 'cilium', appLabels('cilium'), { on: CONTROL })),
    ...(jujuControllerOn === undefined
      ? []
      : [
          moved(
            JUJU_NAMESPACE,
            workload('StatefulSet', 'controller', appLabels('controller'), {
              replicas: 1,
              on: { 'kubernetes.io/hostname': jujuControllerOn },
            }),
          ),
        ]),
  ]
}

function charm(name: string): readonly KubernetesObject[] {
  return replicated('StatefulSet', name, appLabels(name))
}

function appLabels(name: string): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name }
}

function moved(namespace: string, object: KubernetesObject): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, namespace } }
}

function withClaim(object: KubernetesObject): KubernetesObject {
  if (object.kind !== 'StatefulSet') return object
  const claim = {
    metadata: { name: 'database', namespace: OPENSTACK_NAMESPACE },
    spec: {
      storageClassName: LOCAL_STORAGE,
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '20Gi' } },
    },
  }
  return { ...object, spec: { ...(object.spec as object), volumeClaimTemplates: [claim] } }
}
