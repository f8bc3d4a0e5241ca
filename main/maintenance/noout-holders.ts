import { type CephOsd, NOOUT_ANNOTATION } from '../../shared/domain/ceph.ts'
import { osdsOfNode } from '../../shared/domain/ceph-safety.ts'
import type { Evidence } from '../../shared/domain/plan.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { evidence } from './answers.ts'
import type { MaintenanceContext } from './node-input.ts'
import { proveOsds } from './storage-node.ts'

/** Who else needs noout of all of Ceph, and why. */
interface NooutNeed {
  /** The node, or the CRUSH host where no node of this name is known. */
  readonly node: string
  readonly hosts: readonly string[]
  /** The node itself says so; else its OSDs tell. */
  readonly noted: boolean
  readonly why: string
}

/** Where noout stands for a node. */
export interface NooutStanding {
  readonly own: readonly CephOsd[]
  /** Set for all of Ceph. */
  readonly everywhere: boolean
  /** The run that asked for noout of all of Ceph for this node; null: none did. */
  readonly heldBy: string | null
  /** Those for whom noout of all of Ceph has to stay when this node needs it no longer. */
  readonly others: readonly NooutNeed[]
}

/**
 * Reads who needs noout: nodes that say so, and CRUSH hosts that are away, all of whose OSDs that are in are down. A single OSD that is down
 * beside others is a broken disk, which Ceph is to repair, and no maintenance.
 */
export async function readNoout(node: string, ctx: MaintenanceContext): Promise<Result<NooutStanding>> {
  const { kubernetes, ceph } = ctx.world
  const [nodes, osds, status] = await Promise.all([
    kubernetes.listNodes(ctx.signal),
    ceph.osds(ctx.signal),
    ceph.status(ctx.signal),
  ])
  if (!nodes.ok) return nodes
  if (!osds.ok) return osds
  if (!status.ok) return status
  const { world, signal } = ctx
  const proved = await proveOsds([node], osds.value, { world, signal, counted: ctx.counted() })
  if (!proved.ok) return proved
  const { own } = proved.value
  const holders = nodes.value
    .filter(({ name, annotations }) => name !== node && annotations[NOOUT_ANNOTATION] !== undefined)
    .map(({ name }) => ({
      node: name,
      hosts: hostsOf(osdsOfNode(osds.value, name)),
      noted: true,
      why: `${name} is in maintenance`,
    }))
  const known = new Set([...hostsOf(own), ...holders.flatMap(({ hosts }) => hosts)])
  const away = hostsOf(osds.value)
    .filter(host => !known.has(host))
    .map(host => osds.value.filter(osd => osd.host === host))
    .filter(isAway)
    .flatMap(hostsOf)
    .map(host => ({ node: host, hosts: [host], noted: false, why: `all OSDs of ${host} are down` }))
  return ok({
    own,
    everywhere: status.value.flags.includes('noout'),
    heldBy: nodes.value.find(({ name }) => name === node)?.annotations[NOOUT_ANNOTATION] ?? null,
    others: [...holders, ...away],
  })
}

/** The CRUSH hosts of OSDs. */
export function hostsOf(osds: readonly CephOsd[]): readonly string[] {
  return [...new Set(osds.flatMap(({ host }) => host ?? []))]
}

/** Where noout stands, as evidence. */
export function nooutEvidence(node: string, standing: NooutStanding, ctx: MaintenanceContext): Evidence {
  return evidence(`noout for ${node}`, ctx.at(), {
    everywhere: standing.everywhere,
    askedForByRun: standing.heldBy,
    osds: standing.own.map(({ id, host, up, in: inside, noout, hostNoout }) => ({
      id,
      host,
      up,
      in: inside,
      noout,
      hostNoout,
    })),
    others: standing.others.map(({ node: name, why }) => ({ node: name, why })),
  })
}

/** Down as a whole, and not protected by a flag of its own. */
function isAway(osds: readonly CephOsd[]): boolean {
  const inside = osds.filter(osd => osd.in)
  return inside.length > 0 && inside.every(osd => !osd.up && !osd.hostNoout)
}
