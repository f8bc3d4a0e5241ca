import { textSum } from './text-sum.ts'

/** The name of a Lease of ours in the cluster's lease namespace. Two consoles keep off each other by it, so it is the same in every version. */
export type LeaseName = string & { readonly isLeaseName: true }

const NODE_LEASE = 'lockkeeper-node-'

/** The Lease of a node, or of a machine outside of Kubernetes: one run at a time works on it. */
export function nodeLease(node: string): LeaseName {
  return `${NODE_LEASE}${node}` as LeaseName
}

/** The Lease of whoever works on many nodes of a cluster, in an update or a rolling maintenance. */
export const UPDATE_LEASE = 'lockkeeper-update' as LeaseName

/** The Lease of whoever runs our controllers on a cluster. */
export const CONTROLLERS_LEASE = 'lockkeeper-controllers' as LeaseName

/**
 * The Lease of the runner that works on a cloud, in the runner's namespace; null: of the one that looks after objects that name no cloud. Leases have
 * names of small letters, clouds need not: such a name bears a sum of its letters too.
 */
export function runnerLease(cloud: string | null): LeaseName {
  if (cloud === null) return 'lockkeeper-runner' as LeaseName
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(cloud)) return `lockkeeper-runner-${cloud}` as LeaseName
  const plain = cloud
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `lockkeeper-runner-${plain}-${textSum(cloud).toString(16)}` as LeaseName
}

/** The Lease of whoever drives a MaintenanceCampaign, whose name is one of Kubernetes already; of a long one its beginning and a sum of its letters. */
export function campaignLease(campaign: string): LeaseName {
  const plain = campaign.length <= 200 ? campaign : `${campaign.slice(0, 200)}${textSum(campaign).toString(16)}`
  return `lockkeeper-campaign-${plain}` as LeaseName
}

/** Whose Lease a name is, as Kubernetes shows it: the node's, or null for one of the whole cluster. Undefined: it is none of ours. */
export function nodeOfLease(name: string): string | null | undefined {
  if (name.startsWith(NODE_LEASE)) return name.slice(NODE_LEASE.length)
  return name === UPDATE_LEASE || name === CONTROLLERS_LEASE ? null : undefined
}
