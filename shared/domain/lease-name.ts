import { textSum } from './text-sum.ts'

/** Keeps two consoles apart, so it is the same in every version. */
export type LeaseName = string & { readonly isLeaseName: true }

const NODE_LEASE = 'lockkeeper-node-'

/** The Lease of a node, or of a machine outside Kubernetes. One run at a time works on it. */
export function nodeLease(node: string): LeaseName {
  return `${NODE_LEASE}${node}` as LeaseName
}

export const UPDATE_LEASE = 'lockkeeper-update' as LeaseName

export const CONTROLLERS_LEASE = 'lockkeeper-controllers' as LeaseName

/** Returns null for objects without a cloud. Names that are not lowercase get a checksum. */
export function runnerLease(cloud: string | null): LeaseName {
  if (cloud === null) return 'lockkeeper-runner' as LeaseName
  if (/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(cloud)) return `lockkeeper-runner-${cloud}` as LeaseName
  const plain = cloud
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `lockkeeper-runner-${plain}-${textSum(cloud).toString(16)}` as LeaseName
}

/** Campaign names are valid in Kubernetes; a long one is cut and gets a checksum. */
export function campaignLease(campaign: string): LeaseName {
  const plain = campaign.length <= 200 ? campaign : `${campaign.slice(0, 200)}${textSum(campaign).toString(16)}`
  return `lockkeeper-campaign-${plain}` as LeaseName
}

/** Null means a Lease of the whole cluster. Undefined if it is not ours. */
export function nodeOfLease(name: string): string | null | undefined {
  if (name.startsWith(NODE_LEASE)) return name.slice(NODE_LEASE.length)
  return name === UPDATE_LEASE || name === CONTROLLERS_LEASE ? null : undefined
}
