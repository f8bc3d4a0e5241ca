/** Control nodes of Kubernetes and OpenStack; the first is also a gateway. */
export const MOSK_CONTROL_NODES = ['mosk-ctl-1', 'mosk-ctl-2', 'mosk-ctl-3'] as const

/** Hosts of routers and DHCP, besides the first control node. */
export const MOSK_GATEWAY_NODES = ['mosk-gtw-1', 'mosk-gtw-2'] as const

/** Hosts of instances; the node name is also Nova's host name. */
export const MOSK_COMPUTE_NODES = [
  'mosk-cmp-01',
  'mosk-cmp-02',
  'mosk-cmp-03',
  'mosk-cmp-04',
  'mosk-cmp-05',
  'mosk-cmp-06',
  'mosk-cmp-07',
  'mosk-cmp-08',
] as const

/** Hosts of Ceph's disks. */
export const MOSK_STORAGE_NODES = ['mosk-osd-1', 'mosk-osd-2', 'mosk-osd-3'] as const

/** The first four computes are in az1, the others in az2. */
export function moskZoneOf(name: (typeof MOSK_COMPUTE_NODES)[number]): 'az1' | 'az2' {
  return MOSK_COMPUTE_NODES.indexOf(name) < MOSK_COMPUTE_NODES.length / 2 ? 'az1' : 'az2'
}
