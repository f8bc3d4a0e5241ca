import type { ClusterFlavour } from './cluster.ts'
import { NodeRole, type RoleLabelRules, rolesOf } from './roles.ts'

/**
 * Whether Ceph has OSDs on a node. `silent`: Ceph could not be asked. `contradicts`: its CRUSH map shows none there, and what the OSDs reported
 * says otherwise or tells too little, or what came is no answer (docs/decisions/0025).
 */
export type StoresOsds = boolean | 'silent' | 'contradicts'

/** What the cloud tells of a node's roles beside its labels; null where it could not be asked. */
export interface RoleFacts {
  /** Nova has a nova-compute service on it. */
  readonly computes: boolean | null
  /** Ceph has OSDs on it. */
  readonly stores: StoresOsds
  /** Neutron has an OVN gateway agent on it. */
  readonly routes: boolean | null
}

interface OfCluster {
  readonly flavour: ClusterFlavour
  readonly roleLabels: RoleLabelRules
}

/**
 * The roles of a node, in the order control, gateway, compute, storage: by its labels, and by what is known to run on it. Sunbeam labels
 * only its control plane, so there Nova and Neutron tell the rest; OSDs make a storage node everywhere (docs/domain.md A.10).
 */
export function rolesOfNode(
  node: { readonly labels: Readonly<Record<string, string>> },
  cluster: OfCluster,
  facts: RoleFacts,
): readonly NodeRole[] {
  return rolesWith(node, cluster, facts, told => told === true, facts.stores === true)
}

/**
 * The roles a plan has to look after: those of {@link rolesOfNode}, and those that could not be asked about, so that their own checks say what
 * does not answer instead of a plan that leaves a role out in silence. Nova and Neutron tell roles on Sunbeam alone. Where labels tell who stores,
 * a Ceph that is silent makes no storage node: it would keep every other node where it is, and a broken Ceph would keep them out of service.
 */
export function rolesToMaintain(
  node: { readonly labels: Readonly<Record<string, string>> },
  cluster: OfCluster,
  facts: RoleFacts,
): readonly NodeRole[] {
  const { stores } = facts
  const mayStore = stores === true || stores === 'contradicts' || (stores === 'silent' && cluster.flavour === 'sunbeam')
  return rolesWith(node, cluster, facts, told => told !== false, mayStore)
}

function rolesWith(
  { labels }: { readonly labels: Readonly<Record<string, string>> },
  { flavour, roleLabels }: OfCluster,
  { computes, routes }: RoleFacts,
  counts: (told: boolean | null) => boolean,
  storage: boolean,
): readonly NodeRole[] {
  const labelled = rolesOf(labels, roleLabels)
  const told: Readonly<Record<NodeRole, boolean>> =
    flavour === 'sunbeam'
      ? { control: false, gateway: counts(routes), compute: counts(computes), storage }
      : { control: false, gateway: false, compute: false, storage }
  return NodeRole.options.filter(role => labelled.includes(role) || told[role])
}
