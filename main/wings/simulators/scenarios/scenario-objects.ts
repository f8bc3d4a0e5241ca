import type { V1DeploymentSpec, V1Node, V1PodDisruptionBudgetSpec, V1StatefulSetSpec } from '@kubernetes/client-node'
import type { Written } from '../../../adapters/kubernetes/model-fields.ts'
import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'

export const OPENSTACK_NAMESPACE = 'openstack'

/** The DaemonSets that run OpenStack's agents on a compute node. */
export const NOVA_COMPUTE = 'nova-compute-default'
export const NETWORK_AGENT = 'neutron-ovs-agent-default'

/** Labels that give a node its role (docs/domain.md A.10). */
export const CONTROL = { 'openstack-control-plane': 'enabled' }
export const COMPUTE = { 'openstack-compute-node': 'enabled' }
export const WITH_AGENT = { openvswitch: 'enabled' }

/** The container of every pod in the embedded clouds. */
export const CONTAINERS = [{ name: 'main', image: 'registry.example/openstack/demo:2023.1' }]

/** Makes a node; its kubelet reports the rest (kubelet version, boot id, conditions, Lease). */
export function scenarioNode(
  name: string,
  zone: string,
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>> = {},
): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone, ...labels },
      annotations,
    },
    spec: {},
  } satisfies Written<V1Node>
}

/** Makes the DaemonSets of a compute node: nova-compute, libvirt and the network agent. */
export function computeDaemonSets(): readonly KubernetesObject[] {
  return [
    workload('DaemonSet', NOVA_COMPUTE, { application: 'nova', component: 'compute' }, { on: COMPUTE }),
    workload('DaemonSet', 'libvirt-libvirt-default', { application: 'libvirt', component: 'libvirt' }, { on: COMPUTE }),
    workload(
      'DaemonSet',
      NETWORK_AGENT,
      { application: 'neutron', component: 'neutron-ovs-agent' },
      { on: WITH_AGENT },
    ),
  ]
}

/** Makes three replicas on the control nodes and a budget that keeps two. `apart` allows one on each node, as for members of a quorum. */
export function replicated(
  kind: 'Deployment' | 'StatefulSet',
  name: string,
  labels: Readonly<Record<string, string>>,
  { apart }: { readonly apart: boolean } = { apart: false },
): readonly KubernetesObject[] {
  return [
    workload(kind, name, labels, { replicas: 3, on: CONTROL, apart }),
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace: OPENSTACK_NAMESPACE },
      spec: { minAvailable: 2, selector: { matchLabels: labels } } satisfies Written<V1PodDisruptionBudgetSpec>,
    },
  ]
}

interface Shape {
  readonly replicas?: number
  readonly on: Readonly<Record<string, string>>
  /** Forbids two replicas on one node; by default they only prefer other nodes. */
  readonly apart?: boolean
  readonly pod?: Readonly<
    Record<string, readonly { readonly name: string; readonly emptyDir: Record<string, never> }[]>
  >
}

/** Makes one workload with the template of its pods. */
export function workload(
  kind: 'Deployment' | 'StatefulSet' | 'DaemonSet',
  name: string,
  labels: Readonly<Record<string, string>>,
  shape: Shape,
): KubernetesObject {
  const term = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' }
  const spread = {
    podAntiAffinity: shape.apart
      ? { requiredDuringSchedulingIgnoredDuringExecution: [term] }
      : { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term }] },
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
    } satisfies Written<V1DeploymentSpec> & Written<V1StatefulSetSpec>,
  }
}
