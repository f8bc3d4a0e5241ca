import { type CephOsd, NOOUT_ANNOTATION } from '../../../../shared/domain/ceph.ts'
import { osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import type { Evidence } from '../../../../shared/domain/step-answers.ts'
import { evidence } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { proveOsds } from './storage-node.ts'

/** Another node that needs the cluster-wide noout: in maintenance, or with all its OSDs down. */
interface NooutNeed {
  /** The CRUSH host where the node's name is unknown. */
  readonly node: string
  readonly hosts: readonly string[]
  /** Whether a note on its node or Lease says so; false if only its OSDs show it. */
  readonly noted: boolean
}

export interface NooutState {
  readonly own: readonly CephOsd[]
  readonly everywhere: boolean
  /** The run that requested it cluster-wide for this node; null if none did. */
  readonly heldBy: string | null
  readonly others: readonly NooutNeed[]
}

/** Nodes and machines with a note, and CRUSH hosts whose "in" OSDs are all down. One OSD down beside others is a broken disk for Ceph to repair. */
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

/** Only Sunbeam's machines outside Kubernetes have notes on Leases, under the name of their CRUSH host (steps/general/machine-found.ts). */
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

export function hostsOf(osds: readonly CephOsd[]): readonly string[] {
  return [...new Set(osds.flatMap(({ host }) => host ?? []))]
}

export function needsIn(others: NooutState['others']): { readonly node: string; readonly noted: boolean }[] {
  return others.map(({ node, noted }) => ({ node, noted }))
}

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

function isAway(osds: readonly CephOsd[]): boolean {
  const inside = osds.filter(osd => osd.in)
  return inside.length > 0 && inside.every(osd => !osd.up && !osd.hostNoout)
}
