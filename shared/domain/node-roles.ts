import type { Cluster, ClusterFlavour } from './cluster.ts'
import type { Pod } from './kubernetes.ts'
import { labelsOfRole, NodeRole, type RoleLabelRules, rolesOf } from './roles.ts'

/**
 * Whether Ceph has OSDs on a node. `silent`: Ceph is unreadable. `contradicts`: the OSDs' own reports disagree with its CRUSH map
 * (docs/decisions/0025).
 */
export type StoresOsds = boolean | 'silent' | 'contradicts'

/** What programs say about a node's roles; null if unreadable, `not-asked`: the cluster has no such service. */
export interface RoleFacts {
  readonly computes: boolean | 'not-asked' | null
  readonly stores: StoresOsds | 'not-asked'
  /** An OVN gateway agent; read only on Sunbeam. */
  readonly routes: boolean | 'not-asked' | null
  /** Its pods of the control plane, see {@link controlPodsOn}. */
  readonly controls: readonly string[] | null
}

/** A source of a role in an operator's words: `its label openstack-compute-node=enabled`. */
interface RoleSource {
  readonly role: NodeRole
  readonly by: string
}

export type RoleContradiction = { readonly node: string } & (
  | {
      /** A service runs without a matching label; `rule`: the first label that would match, null means the settings name none. */
      readonly kind: 'not-labelled'
      readonly role: NodeRole
      readonly rule: string | null
      readonly runs:
        | { readonly kind: 'control-pods'; readonly pods: readonly string[] }
        | { readonly kind: 'nova-compute' }
    }
  | {
      readonly kind: 'unfounded'
      readonly role: 'compute' | 'storage'
      readonly labels: readonly string[]
    }
)

interface OfCluster {
  readonly flavour: ClusterFlavour
  readonly roleLabels: RoleLabelRules
}

interface Labelled {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
}

/** The roles by labels and running services, in the order control, gateway, compute, storage. */
export function rolesOfNode(node: Labelled, cluster: OfCluster, facts: RoleFacts): readonly NodeRole[] {
  const shown = sourcesOfRoles(node, cluster, facts).map(({ role }) => role)
  return NodeRole.options.filter(role => shown.includes(role))
}

/** Includes unreadable roles, so that their checks name the silent service; but where labels define compute and storage, silence adds no role. */
export function rolesToMaintain(node: Labelled, cluster: OfCluster, facts: RoleFacts): readonly NodeRole[] {
  const known = rolesOfNode(node, cluster, facts)
  const isSunbeam = cluster.flavour === 'sunbeam'
  const open: Readonly<Record<NodeRole, boolean>> = {
    control: false,
    gateway: isSunbeam && facts.routes === null,
    compute: isSunbeam && facts.computes === null,
    storage: facts.stores === 'contradicts' || (isSunbeam && facts.stores === 'silent'),
  }
  return NodeRole.options.filter(role => known.includes(role) || open[role])
}

/** Every source of a role, labels first. */
export function sourcesOfRoles(
  { labels }: Labelled,
  { roleLabels }: OfCluster,
  { computes, routes, stores, controls }: RoleFacts,
): readonly RoleSource[] {
  return [
    ...NodeRole.options.flatMap(role =>
      labelsOfRole(labels, role, roleLabels).map(label => ({ role, by: `its label ${label}` })),
    ),
    ...(controls === null || controls.length === 0 ? [] : [{ role: 'control' as const, by: firstPods(controls) }]),
    ...(routes === true ? [{ role: 'gateway' as const, by: 'its OVN gateway' }] : []),
    ...(computes === true ? [{ role: 'compute' as const, by: "Nova's compute service" }] : []),
    ...(stores === true ? [{ role: 'storage' as const, by: "Ceph's OSDs" }] : []),
  ]
}

/** Missing labels count only where labels define the role: Sunbeam labels only its control plane (docs/domain.md A.10). */
export function roleContradictions(node: Labelled, cluster: OfCluster, facts: RoleFacts): readonly RoleContradiction[] {
  const { name, labels } = node
  const { roleLabels } = cluster
  const labelled = (role: NodeRole) => labelsOfRole(labels, role, roleLabels)
  const unlabelled = (
    role: NodeRole,
    runs: Extract<RoleContradiction, { kind: 'not-labelled' }>['runs'],
  ): RoleContradiction => ({ kind: 'not-labelled', node: name, role, rule: roleLabels[role][0] ?? null, runs })
  const unfounded = (role: 'compute' | 'storage'): RoleContradiction => ({
    kind: 'unfounded',
    node: name,
    role,
    labels: labelled(role),
  })
  const pods = facts.controls ?? []
  return [
    ...(pods.length > 0 && labelled('control').length === 0
      ? [unlabelled('control', { kind: 'control-pods', pods })]
      : []),
    ...(facts.computes === true && labelled('compute').length === 0 && cluster.flavour !== 'sunbeam'
      ? [unlabelled('compute', { kind: 'nova-compute' })]
      : []),
    ...(facts.computes === false && labelled('compute').length > 0 ? [unfounded('compute')] : []),
    ...(facts.stores === false && labelled('storage').length > 0 ? [unfounded('storage')] : []),
  ]
}

export function firstPods(pods: readonly string[]): string {
  const more = pods.length > 3 ? ` and ${pods.length - 3} more` : ''
  return `${pods.length === 1 ? 'pod' : 'pods'} ${pods.slice(0, 3).join(', ')}${more}`
}

const CONTROL_PLANE_COMPONENTS: readonly (string | undefined)[] = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
]

export function controlPlaneNamespaces({ openstackNamespace }: Pick<Cluster, 'openstackNamespace'>): readonly string[] {
  return ['kube-system', openstackNamespace]
}

/** Kubernetes' own components, and pods that select a label of the role: they stay when the label goes. DaemonSet pods do not count. */
export function controlPodsOn(node: string, pods: readonly Pod[], rules: RoleLabelRules): readonly string[] {
  return pods
    .filter(({ nodeName, phase }) => nodeName === node && phase === 'Running')
    .filter(
      ({ namespace, labels, nodeSelector }) =>
        (namespace === 'kube-system' && CONTROL_PLANE_COMPONENTS.includes(labels.component)) ||
        rolesOf(nodeSelector, rules).includes('control'),
    )
    .map(({ namespace, name }) => `${namespace}/${name}`)
    .sort()
}
