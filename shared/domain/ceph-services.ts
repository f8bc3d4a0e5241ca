import type { CephDaemon, CephServices } from './ceph.ts'
import { type ClusterFlavour, cephAccessOf } from './cluster.ts'
import { isSameMachine } from './machine-names.ts'
import type { CephAccess, CephServicesRule, RoleMaintenanceSettings } from './role-maintenance.ts'

/** `by-version` is resolved (docs/domain.md C.1). */
type CephServicesRuleInForce = Exclude<CephServicesRule, 'by-version'>

/** One kind of service: how many stay when a node goes away, and how many are needed. */
interface CephServiceCount {
  readonly kind: CephDaemon['kind']
  /** Running, and certainly not on the node. */
  readonly staying: number
  readonly needed: number
  readonly onNode: readonly string[]
  /** Running on an unknown node, possibly this one: they do not count as staying. */
  readonly unplaced: readonly string[]
}

/** Seed 004, storage role: 3 mons, 1 mds, 1 mgr. */
const FIXED_MONS = 3

/** MicroCeph counts a majority of monitors since Squid (19): docs/domain.md C.1, `main/adapters/ceph/operations.go`. */
const MAJORITY_SINCE = 19

/** The operator's rule; else fixed numbers on Sunbeam and MicroCeph (before Squid three other monitors), and a majority elsewhere. */
export function cephServicesRuleOf(
  cluster: { readonly flavour: ClusterFlavour; readonly roleMaintenance: RoleMaintenanceSettings },
  release: number | null,
): CephServicesRuleInForce {
  const { cephServicesRule } = cluster.roleMaintenance
  const access: CephAccess = cephAccessOf(cluster)
  if (cephServicesRule === null) return cluster.flavour === 'sunbeam' || access === 'microceph' ? 'fixed' : 'majority'
  if (cephServicesRule !== 'by-version') return cephServicesRule
  return access === 'microceph' && (release ?? 0) < MAJORITY_SINCE ? 'fixed' : 'majority'
}

/** The first node goes, the others are out already. Monitors count in quorum, a standby mgr or mds counts, and only file systems need an mds. */
export function servicesWithout(
  services: CephServices,
  nodes: readonly string[],
  rule: CephServicesRuleInForce,
): readonly CephServiceCount[] {
  const mons = rule === 'fixed' ? FIXED_MONS : Math.floor(services.monsTotal / 2) + 1
  const hasMds = services.filesystems > 0 || services.daemons.some(({ kind }) => kind === 'mds')
  return [
    countWithout(services, nodes, 'mon', mons),
    countWithout(services, nodes, 'mds', hasMds ? 1 : 0),
    countWithout(services, nodes, 'mgr', 1),
  ]
}

function countWithout(
  { daemons }: CephServices,
  nodes: readonly string[],
  kind: CephDaemon['kind'],
  needed: number,
): CephServiceCount {
  const running = daemons.filter(daemon => daemon.kind === kind && (kind !== 'mon' || daemon.active))
  const names = (list: readonly CephDaemon[]) => list.map(({ name }) => `${kind}.${name}`)
  const on = (host: string | null, those: readonly string[]) =>
    host !== null && those.some(node => isSameMachine(host, node))
  const onNode = running.filter(daemon => on(daemon.node, nodes.slice(0, 1)))
  const elsewhere = running.filter(daemon => !on(daemon.node, nodes.slice(0, 1)) && on(daemon.node, nodes.slice(1)))
  const unplaced = running.filter(daemon => daemon.node === null)
  return {
    kind,
    staying: running.length - onNode.length - elsewhere.length - unplaced.length,
    needed,
    onNode: names(onNode),
    unplaced: names(unplaced),
  }
}
