/** Hosts of the control plane, of Nova's own services and of the network agents. */
export const CONTROL_NODES = ['ctl-1', 'ctl-2', 'ctl-3'] as const

/** Hosts of instances; the node name is also Nova's host name. */
export const COMPUTE_NODES = ['cmp-01', 'cmp-02', 'cmp-03', 'cmp-04', 'cmp-05', 'cmp-06', 'cmp-07', 'cmp-08'] as const

/** Hosts of Ceph's disks. */
export const STORAGE_NODES = ['osd-1', 'osd-2', 'osd-3'] as const

/** The first four computes are in az1, the others in az2. */
export function zoneOfCompute(name: (typeof COMPUTE_NODES)[number]): 'az1' | 'az2' {
  return COMPUTE_NODES.indexOf(name) < COMPUTE_NODES.length / 2 ? 'az1' : 'az2'
}
