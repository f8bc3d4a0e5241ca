import type { CephOsd, CephStatus } from '../../shared/domain/ceph.ts'
import { osdsOfNode } from '../../shared/domain/ceph-safety.ts'
import type { Evidence } from '../../shared/domain/plan.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import { evidence } from './answers.ts'
import type { MaintenanceContext } from './node-input.ts'

/** The OSDs of a node and all of them, as Ceph has them now. */
export interface StorageNode {
  readonly own: readonly CephOsd[]
  readonly all: readonly CephOsd[]
}

/** Asks Ceph for its OSDs. */
export async function readStorageNode(node: string, ctx: MaintenanceContext): Promise<Result<StorageNode>> {
  const osds = await ctx.world.ceph.osds(ctx.signal)
  return osds.ok ? ok({ own: osdsOfNode(osds.value, node), all: osds.value }) : osds
}

/** The OSDs of a node, as evidence. */
export function osdEvidence(node: string, own: readonly CephOsd[], ctx: MaintenanceContext): Evidence {
  return evidence(`OSDs of ${node}`, ctx.at(), {
    osds: own.map(({ id, host, up, in: inside, noout }) => ({ id, host, up, in: inside, noout })),
  })
}

/** What `ceph status` tells, as evidence. */
export function statusEvidence(status: CephStatus, ctx: MaintenanceContext): Evidence {
  return evidence('ceph', ctx.at(), {
    health: status.health,
    checks: status.checks.map(({ code, summary, muted }) => ({ code, summary, muted })),
    pgs: { ...status.pgs.byState },
    flags: [...status.flags],
  })
}

/** `is` or `are`, as many as they are. */
export function areWord(osds: readonly unknown[]): 'is' | 'are' {
  return osds.length === 1 ? 'is' : 'are'
}

/** `OSD 3`, `OSDs 3, 4`. */
export function osdNames(osds: readonly Pick<CephOsd, 'id'>[]): string {
  return `${osds.length === 1 ? 'OSD' : 'OSDs'} ${osds.map(({ id }) => id).join(', ')}`
}
