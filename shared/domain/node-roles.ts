import type { ClusterFlavour } from './cluster.ts'
import { NodeRole, type RoleLabelRules, rolesOf } from './roles.ts'

/** What the cloud tells of a node's roles beside its labels; null where it could not be asked. */
export interface RoleFacts {
  /** Nova has a nova-compute service on it. */
  readonly computes: boolean | null
  /** Ceph has OSDs on it; null also where its CRUSH map and what the OSDs reported contradict each other. */
  readonly stores: boolean | null
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
  return rolesWith(node, cluster, facts, told => told === true)
}

/**
 * The roles a plan has to look after: those of {@link rolesOfNode}, and those that could not be asked about, so that their own checks say what
 * does not answer instead of a plan that leaves a role out in silence. Nova and Neutron tell roles on Sunbeam alone.
 */
export function rolesToMaintain(
  node: { readonly labels: Readonly<Record<string, string>> },
  cluster: OfCluster,
  facts: RoleFacts,
): readonly NodeRole[] {
  return rolesWith(node, cluster, facts, told => told !== false)
}

function rolesWith(
  { labels }: { readonly labels: Readonly<Record<string, string>> },
  { flavour, roleLabels }: OfCluster,
  { computes, stores, routes }: RoleFacts,
  counts: (told: boolean | null) => boolean,
): readonly NodeRole[] {
  const labelled = rolesOf(labels, roleLabels)
  const told: Readonly<Record<NodeRole, boolean>> =
    flavour === 'sunbeam'
      ? { control: false, gateway: counts(routes), compute: counts(computes), storage: counts(stores) }
      : { control: false, gateway: false, compute: false, storage: counts(stores) }
  return NodeRole.options.filter(role => labelled.includes(role) || told[role])
}
