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

/** Whose Lease a name is, as Kubernetes shows it: the node's, or null for one of the whole cluster. Undefined: it is none of ours. */
export function nodeOfLease(name: string): string | null | undefined {
  if (name.startsWith(NODE_LEASE)) return name.slice(NODE_LEASE.length)
  return name === UPDATE_LEASE || name === CONTROLLERS_LEASE ? null : undefined
}
