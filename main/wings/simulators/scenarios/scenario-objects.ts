import type { V1DeploymentSpec, V1Node, V1PodDisruptionBudgetSpec, V1StatefulSetSpec } from '@kubernetes/client-node'
import type { Written } from '../../../adapters/kubernetes/model-fields.ts'
import type { KubernetesObject } from '../kubernetes/store/kubernetes-object.ts'

/** Where the pods of OpenStack live. */
export const OPENSTACK_NAMESPACE = 'openstack'

/** The DaemonSets whose pods are a compute node's side of OpenStack. */
export const NOVA_COMPUTE = 'nova-compute-default'
export const NETWORK_AGENT = 'neutron-ovs-agent-default'

/** Labels that give a node its part in the cloud (docs/domain.md A.10). */
export const CONTROL = { 'openstack-control-plane': 'enabled' }
export const COMPUTE = { 'openstack-compute-node': 'enabled' }
export const WITH_AGENT = { openvswitch: 'enabled' }

/** What every pod of the embedded clouds runs. */
export const CONTAINERS = [{ name: 'main', image: 'registry.example/openstack/demo:2023.1' }]

/** The rest of a node (kubelet version, boot id, conditions, its Lease) is what its kubelet reports. */
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

/** A compute node's side of OpenStack: nova-compute, libvirt and the network agent. */
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

/** Three replicas on the control nodes, of which a budget keeps two. `apart`: never two on one node, as members of a quorum are kept. */
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
  /** Replicas must not share a node, instead of only preferring not to. */
  readonly apart?: boolean
  readonly pod?: Readonly<
    Record<string, readonly { readonly name: string; readonly emptyDir: Record<string, never> }[]>
  >
}

/** One workload and what its pods are given. */
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
