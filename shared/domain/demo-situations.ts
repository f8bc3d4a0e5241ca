/** Situations of real clouds that demo-plain can simulate at one of its compute nodes. */
export const SITUATIONS = [
  /** Since a rename, its nova-compute reports under the FQDN; the dead record of the old name remains. */
  'renamed-compute',
  'two-computes',
  /** Its nova-compute disabled itself, and enables itself again after two minutes unless somebody else disables it meanwhile. */
  'auto-disabled',
  /** An instance left it by a cold migration that nobody confirmed. */
  'unconfirmed-resize',
  /** Neutron has a dead record of its agent beside the one that reports. */
  'leftover-agent',
  /** Others keep pods off it: medik8s and a cloud provider. */
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

/** Reads `renamed-compute=cmp-02`; null: no known situation and node. */
export function situationIn(text: string): PlayedSituation | null {
  const [name, node, ...more] = text.split('=')
  const situation = SITUATIONS.find(known => known === name)
  if (situation === undefined || node === undefined || more.length > 0 || !COMPUTE_NODES.test(node)) return null
  return { situation, node }
}

const COMPUTE_NODES = /^cmp-0[1-8]$/
