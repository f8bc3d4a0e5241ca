import { type CephOkToStop, type CephOsd, type CephStatus, isActiveClean } from './ceph.ts'
import { firstLabel } from './machine-names.ts'

type Placed = Pick<CephOsd, 'host'> & Partial<Pick<CephOsd, 'up' | 'in'>>

/**
 * The OSDs on a node. Their CRUSH host is its name, the first label of it, its FQDN where the node goes by its first label, or its name with dashes for
 * dots, as Rook writes it. Not those of a host that is left over: all of them down and out, beside another host of the node that has some.
 */
export function osdsOfNode<Osd extends Placed>(osds: readonly Osd[], node: string): readonly Osd[] {
  return servingOsds(osds, node).own
}

/** The OSDs that are left over on a node under another CRUSH host, as after a rename. */
export function osdsLeftOver<Osd extends Placed>(osds: readonly Osd[], node: string): readonly Osd[] {
  return servingOsds(osds, node).leftOver
}

function servingOsds<Osd extends Placed>(osds: readonly Osd[], node: string) {
  const fitting = osds.filter(({ host }) => host !== null && isCrushHostOf(host, node))
  // What only reports where an OSD is says nothing of its life.
  const serving = fitting.filter(osd => (osd.up ?? true) || (osd.in ?? true))
  const hosts = new Set((serving.length > 0 ? serving : fitting).map(({ host }) => host))
  return {
    own: fitting.filter(({ host }) => hosts.has(host)),
    leftOver: fitting.filter(({ host }) => !hosts.has(host)),
  }
}

function isCrushHostOf(host: string, node: string): boolean {
  return [node, firstLabel(node), node.replaceAll('.', '-')].includes(host) || firstLabel(host) === node
}

/** The OSDs on a node whose loss makes Ceph move data: up, and not covered by noout. */
export function unprotectedOsds(osds: readonly CephOsd[], node: string): readonly CephOsd[] {
  return osdsOfNode(osds, node).filter(osd => osd.up && !osd.noout)
}

/** CRUSH hosts with OSDs that none of these nodes carries, such as those of machines outside of Kubernetes. */
export function crushHostsBeside(
  nodes: readonly { readonly name: string }[],
  osds: readonly Pick<CephOsd, 'host'>[],
): readonly string[] {
  const names = nodes.map(({ name }) => name)
  const hosts = [...new Set(osds.flatMap(({ host }) => host ?? []))]
  return hosts.filter(host => !names.some(name => isCrushHostOf(host, name)))
}

/** What keeps Ceph from being whole: placement groups that are not active and clean, and OSDs that are down. */
export type CephNotWhole = {
  /** The placement groups that are not active and clean, by state, the most first; none: Ceph does not tell the state of its groups. */
  readonly unclean: readonly { readonly state: string; readonly groups: number }[]
  readonly groups: number
  readonly osdsUp: number
  readonly osds: number
}

/** What keeps Ceph from being whole; null when all is active and clean. */
export function whyNotWhole(status: CephStatus): CephNotWhole | null {
  if (isActiveClean(status)) return null
  const unclean = Object.entries(status.pgs.byState)
    .filter(([state]) => !(state.split('+').includes('active') && state.split('+').includes('clean')))
    .map(([state, groups]) => ({ state, groups }))
    .toSorted((one, other) => other.groups - one.groups)
  return { unclean, groups: status.pgs.total, osdsUp: status.osds.up, osds: status.osds.total }
}

/** Monitors that may still be lost before Ceph has no quorum: with fewer than one, no node that could have a monitor may stop. */
export function sparedMons(status: Pick<CephStatus, 'monsInQuorum' | 'monsTotal'>): number {
  return status.monsInQuorum.length - (Math.floor(status.monsTotal / 2) + 1)
}

/** Why the OSDs of a node must not be stopped. */
export type CephNotToStop =
  | { readonly kind: 'NotWhole'; readonly why: CephNotWhole }
  | { readonly kind: 'NotOkToStop'; readonly node: string; readonly osds: readonly number[]; readonly output: string }
  | { readonly kind: 'NoMonToSpare'; readonly inQuorum: readonly string[]; readonly total: number }

/**
 * Why the OSDs of a node must not be stopped now; null when they may (docs/domain.md C.3). The whole cluster has to be active+clean, unless the
 * node's own OSDs are what is missing, and Ceph itself has to say that they may stop together.
 */
export function whyNotStop(
  node: string,
  own: readonly CephOsd[],
  status: CephStatus,
  answer: CephOkToStop,
): CephNotToStop | null {
  if (own.length === 0) return null
  const whole = own.every(osd => osd.up || !osd.in) ? whyNotWhole(status) : null
  if (whole !== null) return { kind: 'NotWhole', why: whole }
  if (!answer.ok) return { kind: 'NotOkToStop', node, osds: own.map(osd => osd.id), output: answer.message }
  if (sparedMons(status) >= 1 || status.monsTotal <= 1) return null
  return { kind: 'NoMonToSpare', inQuorum: status.monsInQuorum, total: status.monsTotal }
}
