/** What real clouds were seen in, and demo-plain can play at one of its compute nodes. */
export const SITUATIONS = [
  /** Its nova-compute reports under the FQDN since a rename; the record of the old name is left over, dead. */
  'renamed-compute',
  /** Two records of its nova-compute report. */
  'two-computes',
  /** Its nova-compute disabled itself, and enables itself again after two minutes unless somebody else disables it meanwhile. */
  'auto-disabled',
  /** An instance left it by a cold migration that nobody confirmed. */
  'unconfirmed-resize',
  /** Neutron has a dead record of its agent beside the one that reports. */
  'leftover-agent',
  /** Others keep pods off it: medik8s and a cloud provider. */
  'foreign-taints',
  /** medik8s has it in maintenance. */
  'node-maintenance',
  /** Evictions are accepted in the whole cloud, and not carried out. */
  'held-evictions',
] as const
type Situation = (typeof SITUATIONS)[number]

/** A situation, and the node that it is played at. */
export interface PlayedSituation {
  readonly situation: Situation
  readonly node: string
}

/** `renamed-compute=cmp-02` as a situation and its node; null: it is none. */
export function situationIn(text: string): PlayedSituation | null {
  const [name, node, ...more] = text.split('=')
  const situation = SITUATIONS.find(known => known === name)
  if (situation === undefined || node === undefined || more.length > 0 || !COMPUTE_NODES.test(node)) return null
  return { situation, node }
}

/** The compute nodes of demo-plain. */
const COMPUTE_NODES = /^cmp-0[1-8]$/
