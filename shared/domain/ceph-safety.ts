import { type CephOkToStop, type CephOsd, type CephStatus, isActiveClean } from './ceph.ts'
import { firstLabel } from './machine-names.ts'

type Placed = Pick<CephOsd, 'host'> & Partial<Pick<CephOsd, 'up' | 'in'>>

/** By CRUSH host: the node's name, first label, FQDN, or dashes for dots, as Rook writes. A host whose OSDs are all dead is a leftover. */
export function osdsOfNode<Osd extends Placed>(osds: readonly Osd[], node: string): readonly Osd[] {
  return servingOsds(osds, node).own
}

/** Under another CRUSH host of the node, as after a rename. */
export function osdsLeftOver<Osd extends Placed>(osds: readonly Osd[], node: string): readonly Osd[] {
  return servingOsds(osds, node).leftOver
}

function servingOsds<Osd extends Placed>(osds: readonly Osd[], node: string) {
  const fitting = fittingOsds(osds, node)
  const serving = fitting.filter(osd => (osd.up ?? true) || (osd.in ?? true))
  const hosts = new Set((serving.length > 0 ? serving : fitting).map(({ host }) => host))
  return {
    own: fitting.filter(({ host }) => hosts.has(host)),
    leftOver: fitting.filter(({ host }) => !hosts.has(host)),
  }
}

interface Indexed {
  readonly osd: Placed
  readonly host: string
  readonly at: number
}

/** The OSDs of a list by CRUSH host, and by its first label: each node needs its own. */
const indexes = new WeakMap<readonly Placed[], Readonly<Record<'whole' | 'first', ReadonlyMap<string, Indexed[]>>>>()

/** In the order of the list. */
function fittingOsds<Osd extends Placed>(osds: readonly Osd[], node: string): readonly Osd[] {
  const { whole, first } = indexes.get(osds) ?? indexed(osds)
  const found = new Set(
    crushNamesOf(node)
      .flatMap(name => whole.get(name) ?? [])
      .concat(first.get(node) ?? []),
  )
  return [...found].sort((a, b) => a.at - b.at).map(({ osd }) => osd as Osd)
}

function indexed(osds: readonly Placed[]) {
  const placed = osds.flatMap((osd, at): Indexed[] => (osd.host === null ? [] : [{ osd, host: osd.host, at }]))
  const index = {
    whole: Map.groupBy(placed, ({ host }) => host),
    first: Map.groupBy(placed, ({ host }) => firstLabel(host)),
  }
  indexes.set(osds, index)
  return index
}

function isCrushHostOf(host: string, node: string): boolean {
  return crushNamesOf(node).includes(host) || firstLabel(host) === node
}

function crushNamesOf(node: string): readonly string[] {
  return [node, firstLabel(node), node.replaceAll('.', '-')]
}

/** OSDs whose loss makes Ceph move data: up, and not covered by noout. */
export function unprotectedOsds(osds: readonly CephOsd[], node: string): readonly CephOsd[] {
  return osdsOfNode(osds, node).filter(osd => osd.up && !osd.noout)
}

/** Such as machines outside of Kubernetes. */
export function crushHostsBeside(
  nodes: readonly { readonly name: string }[],
  osds: readonly Pick<CephOsd, 'host'>[],
): readonly string[] {
  const names = nodes.map(({ name }) => name)
  const hosts = [...new Set(osds.flatMap(({ host }) => host ?? []))]
  return hosts.filter(host => !names.some(name => isCrushHostOf(host, name)))
}

export type CephNotWhole = {
  /** By state, the largest number first; empty if Ceph does not report states. */
  readonly unclean: readonly { readonly state: string; readonly groups: number }[]
  readonly groups: number
  readonly osdsUp: number
  readonly osds: number
}

export function whyNotWhole(status: CephStatus): CephNotWhole | null {
  if (isActiveClean(status)) return null
  const unclean = Object.entries(status.pgs.byState)
    .filter(([state]) => !(state.split('+').includes('active') && state.split('+').includes('clean')))
    .map(([state, groups]) => ({ state, groups }))
    .toSorted((one, other) => other.groups - one.groups)
  return { unclean, groups: status.pgs.total, osdsUp: status.osds.up, osds: status.osds.total }
}

/** How many monitors Ceph can lose and keep quorum. */
export function sparedMons(status: Pick<CephStatus, 'monsInQuorum' | 'monsTotal'>): number {
  return status.monsInQuorum.length - (Math.floor(status.monsTotal / 2) + 1)
}

export type CephNotToStop =
  | { readonly kind: 'NotWhole'; readonly why: CephNotWhole }
  | { readonly kind: 'NotOkToStop'; readonly node: string; readonly osds: readonly number[]; readonly output: string }
  | { readonly kind: 'NoMonToSpare'; readonly inQuorum: readonly string[]; readonly total: number }

/** Why the OSDs of a node must not stop now (docs/domain.md C.3); null if they may. */
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
