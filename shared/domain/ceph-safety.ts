import { type CephOkToStop, type CephOsd, type CephStatus, isActiveClean } from './ceph.ts'

/** The OSDs on a node: their CRUSH host is its name, or the first label of it. */
export function osdsOfNode<Osd extends Pick<CephOsd, 'host'>>(osds: readonly Osd[], node: string): readonly Osd[] {
  const first = node.split('.')[0]
  return osds.filter(osd => osd.host !== null && (osd.host === node || osd.host === first))
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
  const carried = new Set(nodes.flatMap(({ name }) => osdsOfNode(osds, name)).map(({ host }) => host))
  return [...new Set(osds.flatMap(({ host }) => (host === null || carried.has(host) ? [] : [host])))]
}

/** What keeps Ceph from being whole, in words: groups by state, and OSDs that are down. Null when all is active and clean. */
export function whyNotWhole(status: CephStatus): string | null {
  if (isActiveClean(status)) return null
  const unclean = Object.entries(status.pgs.byState)
    .filter(([state]) => !(state.split('+').includes('active') && state.split('+').includes('clean')))
    .sort(([, one], [, other]) => other - one)
  const counted = unclean.reduce((sum, [, count]) => sum + count, 0)
  const states = unclean.map(([state, count]) => `${count} ${state}`).join(', ')
  const { up, total } = status.osds
  const osds = up < total ? `; ${up} of ${total} OSDs are up` : ''
  const groups =
    counted > 0 ? `${counted} of ${status.pgs.total} placement groups are not active+clean (${states})` : ''
  return `${groups || `the state of ${status.pgs.total} placement groups is not known`}${osds}`
}

/** Monitors that may still be lost before Ceph has no quorum: with fewer than one, no node that could have a monitor may stop. */
export function sparedMons(status: Pick<CephStatus, 'monsInQuorum' | 'monsTotal'>): number {
  return status.monsInQuorum.length - (Math.floor(status.monsTotal / 2) + 1)
}

/**
 * Why the OSDs of a node must not be stopped now; null when they may (docs/domain.md C.3). The whole cluster has to be active+clean, unless the
 * node's own OSDs are what is missing, and Ceph itself has to say that they may stop together.
 */
export function whyNotStop(
  node: string,
  own: readonly CephOsd[],
  status: CephStatus,
  answer: CephOkToStop,
): string | null {
  if (own.length === 0) return null
  const whole = own.every(osd => osd.up || !osd.in) ? whyNotWhole(status) : null
  if (whole !== null) return `Ceph is not whole: ${whole}`
  if (!answer.ok) {
    return `Ceph does not let OSDs ${own.map(osd => osd.id).join(', ')} of ${node} stop: ${answer.message}`
  }
  if (sparedMons(status) >= 1 || status.monsTotal <= 1) return null
  const { monsInQuorum, monsTotal } = status
  return `${monsInQuorum.length} of ${monsTotal} Ceph monitors are in quorum (${monsInQuorum.join(', ')}): none may be lost`
}
