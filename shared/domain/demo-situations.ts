/** Situations of real clouds that demo-plain plays at one of its compute nodes. */
export const SITUATIONS = [
  /** nova-compute reports under the FQDN since a rename; the dead record remains. */
  'renamed-compute',
  'two-computes',
  /** nova-compute disabled itself, and enables itself after two minutes unless somebody else disables it. */
  'auto-disabled',
  /** A cold migration off it that nobody confirmed. */
  'unconfirmed-resize',
  /** A dead record of its Neutron agent beside the one that reports. */
  'leftover-agent',
  /** Keep pods off it: medik8s and a cloud provider. */
  'foreign-taints',
  'node-maintenance',
  /** The whole cloud accepts evictions and does not carry them out. */
  'held-evictions',
] as const
type Situation = (typeof SITUATIONS)[number]

export interface PlayedSituation {
  readonly situation: Situation
  readonly node: string
}

/** Reads `renamed-compute=cmp-02`; null if unknown. */
export function situationIn(text: string): PlayedSituation | null {
  const [name, node, ...more] = text.split('=')
  const situation = SITUATIONS.find(known => known === name)
  if (situation === undefined || node === undefined || more.length > 0 || !COMPUTE_NODES.test(node)) return null
  return { situation, node }
}

const COMPUTE_NODES = /^cmp-0[1-8]$/
