import { type CephOsd, NOOUT_ANNOTATION } from '../../../../shared/domain/ceph.ts'
import { osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import type { Evidence } from '../../../../shared/domain/plan.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { evidence } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { proveOsds } from './storage-node.ts'

/** Who else needs noout of all of Ceph: whoever is in maintenance, or down with all of its OSDs. */
interface NooutNeed {
  /** The node or machine, or the CRUSH host where nothing of this name is known. */
  readonly node: string
  readonly hosts: readonly string[]
  /** It says so itself, on its node or its Lease; else its OSDs tell. */
  readonly noted: boolean
}

/** Where noout stands for a node. */
export interface NooutState {
  readonly own: readonly CephOsd[]
  /** Set for all of Ceph. */
  readonly everywhere: boolean
  /** The run that asked for noout of all of Ceph for this node; null: none did. */
  readonly heldBy: string | null
  /** Those for whom noout of all of Ceph has to stay when this node needs it no longer. */
  readonly others: readonly NooutNeed[]
}

/**
 * Reads who needs noout: nodes that say so, machines outside of Kubernetes whose Lease says so, and CRUSH hosts that are away, all of whose OSDs
 * that are in are down. A single OSD that is down beside others is a broken disk, which Ceph is to repair, and no maintenance. A note that cannot
 * be read is not "none": the reading fails.
 */
export async function readNoout(node: string, ctx: MaintenanceContext): Promise<Result<NooutState>> {
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
  const onLeases = await notesOnLeases([...new Set([node, ...hostsOf(osds.value)])], ctx)
  if (!onLeases.ok) return onLeases
  const onNodes = nodes.value.flatMap(({ name, annotations }) => {
    const run = annotations[NOOUT_ANNOTATION]
    return run === undefined ? [] : [[name, run] as const]
  })
  const notes = new Map([...onLeases.value, ...onNodes])
  const holders = [...notes.keys()]
    .filter(name => name !== node)
    .map(name => ({
      node: name,
      hosts: hostsOf(osdsOfNode(osds.value, name)),
      noted: true,
    }))
  const known = new Set([...hostsOf(own), ...holders.flatMap(({ hosts }) => hosts)])
  const away = hostsOf(osds.value)
    .filter(host => !known.has(host))
    .map(host => osds.value.filter(osd => osd.host === host))
    .filter(isAway)
    .flatMap(hostsOf)
    .map(host => ({ node: host, hosts: [host], noted: false }))
  return ok({
    own,
    everywhere: status.value.flags.includes('noout'),
    heldBy: notes.get(node) ?? null,
    others: [...holders, ...away],
  })
}

/**
 * The notes on Leases, each with the run that made it. Sunbeam alone has machines outside of Kubernetes, and the subject of one with OSDs is its CRUSH
 * host (steps/general/machine-found.ts): the rights to its Leases are those that any run has, which lists none.
 */
async function notesOnLeases(
  subjects: readonly string[],
  { world: { cluster, kubernetes }, signal }: MaintenanceContext,
): Promise<Result<readonly (readonly [string, string])[]>> {
  if (cluster.flavour !== 'sunbeam') return ok([])
  const leases = await Promise.all(subjects.map(subject => kubernetes.getLeaseAnnotations(subject, signal)))
  const notes: (readonly [string, string])[] = []
  for (const [at, lease] of leases.entries()) {
    if (!lease.ok) return lease
    const run = lease.value[NOOUT_ANNOTATION]
    const subject = subjects[at]
    if (run !== undefined && subject !== undefined) notes.push([subject, run])
  }
  return ok(notes)
}

/** The CRUSH hosts of OSDs. */
export function hostsOf(osds: readonly CephOsd[]): readonly string[] {
  return [...new Set(osds.flatMap(({ host }) => host ?? []))]
}

/** Those who need noout, as the texts name them. */
export function needsIn(others: NooutState['others']): { readonly node: string; readonly noted: boolean }[] {
  return others.map(({ node, noted }) => ({ node, noted }))
}

/** Where noout stands, as evidence. */
export function nooutEvidence(node: string, status: NooutState, ctx: MaintenanceContext): Evidence {
  return evidence(`noout for ${node}`, ctx.at(), {
    everywhere: status.everywhere,
    askedForByRun: status.heldBy,
    osds: status.own.map(({ id, host, up, in: inside, noout, hostNoout }) => ({
      id,
      host,
      up,
      in: inside,
      noout,
      hostNoout,
    })),
    others: needsIn(status.others),
  })
}

/** Down as a whole, and not protected by a flag of its own. */
function isAway(osds: readonly CephOsd[]): boolean {
  const inside = osds.filter(osd => osd.in)
  return inside.length > 0 && inside.every(osd => !osd.up && !osd.hostNoout)
}
