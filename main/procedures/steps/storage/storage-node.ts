import type { CephOsd, CephStatus } from '../../../../shared/domain/ceph.ts'
import { osdsLeftOver, osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import type { Failure } from '../../../../shared/domain/failure.ts'
import type { StoresOsds } from '../../../../shared/domain/node-roles.ts'
import { failed, ok, type Result } from '../../../../shared/domain/result.ts'
import type { Blocker, Counted, Evidence } from '../../../../shared/domain/step-answers.ts'
import { type Fault, fault, found } from '../../../../shared/words/step-texts.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceWorld } from '../../../ports/world.ts'
import { blocker, evidence, refusal } from '../../answers.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { cephDaemonOf } from './ceph-daemons.ts'

const COUNTED = 'osd'

export interface StorageNode {
  readonly own: readonly CephOsd[]
  readonly all: readonly CephOsd[]
  /** Down and out under another CRUSH host of the node, as after a rename. */
  readonly leftOver: readonly CephOsd[]
}

/** OSDs by the host that each reported at its start (`ceph node ls`). */
export type OsdsReported = readonly Pick<CephOsd, 'id' | 'host'>[]

/** Whether a node has OSDs, for callers that check many nodes with one read of Ceph. */
export function storesOf(osds: readonly CephOsd[], reported: Result<OsdsReported>, node: string): StoresOsds {
  if (osdsOfNode(osds, node).length > 0) return true
  if (!reported.ok) return silentOsds(reported.failure)
  return whyNotWithout(osds, reported.value, node) === null ? false : 'contradicts'
}

/** Only an unreadable answer contradicts anything. */
export function silentOsds({ code }: Failure): 'silent' | 'contradicts' {
  return code === 'unreadable' ? 'contradicts' : 'silent'
}

/** Why the OSDs' own reports do not prove that none runs on the node; null if they do. */
function whyNotWithout(osds: readonly CephOsd[], reported: OsdsReported, node: string): Fault | null {
  const named = osdsOfNode(reported, node)
  if (named.length > 0) return fault('OsdsReportedOnNode', { node, osds: idsOf(named) })
  // Every running OSD has reported its host: a list without it is incomplete.
  const silent = osds.filter(({ id, up }) => up && reported.every(osd => osd.id !== id))
  return silent.length > 0 ? fault('OsdsUnplaced', { node, osds: idsOf(silent) }) : null
}

/** The node's OSDs, proved. A list that is not credible is `unreadable`. */
export async function readStorageNode(node: string, ctx: MaintenanceContext): Promise<Result<StorageNode>> {
  const osds = await ctx.world.ceph.osds(ctx.signal)
  if (!osds.ok) return osds
  const { world, signal } = ctx
  return proveOsds([node], osds.value, { world, signal, counted: ctx.counted() })
}

export function countedOsds(own: readonly Pick<CephOsd, 'id'>[]): readonly Counted[] {
  return own.map(({ id }) => ({ kind: COUNTED, id: String(id), name: `osd.${id}`, values: {} }))
}

/** Compares Ceph's list with what OSDs and Rook's pods report: an OSD may be outside the CRUSH map or under another host (docs/decisions/0025). */
export async function proveOsds(
  nodes: readonly string[],
  all: readonly CephOsd[],
  asking: {
    readonly world: Pick<MaintenanceWorld, 'ceph' | 'cluster' | 'kubernetes' | 'osds'>
    readonly counted: readonly Counted[]
    readonly signal?: AbortSignal
  },
): Promise<Result<StorageNode>> {
  const { world, counted, signal } = asking
  const own = nodes.flatMap(node => osdsOfNode(all, node))
  const without = nodes.filter(node => osdsOfNode(all, node).length === 0)
  const leftOver = nodes.flatMap(node => osdsLeftOver(all, node))
  const torn = nodes.filter(node => new Set(osdsOfNode(all, node).map(({ host }) => host)).size > 1)
  const lost = counted.filter(({ kind, id }) => kind === COUNTED && all.every(osd => String(osd.id) !== id))
  if (without.length === 0 && lost.length === 0 && torn.length === 0) return ok({ own, all, leftOver })
  const [reported, pods] = await Promise.all([
    world.ceph.osdsReported(signal),
    world.osds === null ? null : world.kubernetes.listPods(world.cluster.maintenanceApi.cephNamespace, signal),
  ])
  if (!reported.ok) return reported
  if (pods?.ok === false) return pods
  const severalHosts = torn.flatMap(node => whySeveralHosts(node, osdsOfNode(all, node), reported.value) ?? [])
  if (severalHosts[0] !== undefined) return failed(unbelieved(severalHosts[0]))
  const hidden = lost.filter(({ id }) => reported.value.some(osd => String(osd.id) === id))
  // A list without any OSD does not prove that these were removed.
  const unsettled = reported.value.length === 0 ? lost : hidden
  if (unsettled.length > 0) {
    return failed(unbelieved(fault('OsdsMissing', { names: unsettled.map(({ name }) => name), nodes })))
  }
  for (const node of without) {
    const doubt = whyNotWithout(all, reported.value, node)
    if (doubt !== null) return failed(unbelieved(doubt))
    const here = (pods?.value ?? []).filter(pod => pod.nodeName === node)
    const running = here.filter(pod => cephDaemonOf(pod, world.cluster) === 'osd')
    if (running.length > 0) {
      return failed(unbelieved(fault('OsdPodsOnNode', { node, pods: running.map(({ name }) => name) })))
    }
    if (pods?.value.length === 0) return failed(unbelieved(fault('NoPodsOfRook', { node })))
  }
  return ok({ own, all, leftOver })
}

/** Several CRUSH hosts match a node: only a host that all running OSDs reported decides. */
function whySeveralHosts(node: string, own: readonly CephOsd[], reported: OsdsReported): Fault | null {
  const running = new Set(own.flatMap(({ id, up }) => (up ? [id] : [])))
  const from = reported.filter(({ id }) => running.has(id))
  if (from.length === running.size && new Set(from.map(({ host }) => host)).size <= 1) return null
  const hosts = [...Map.groupBy(own, ({ host }) => host ?? '')]
  return fault('SeveralCrushHosts', { node, hosts: hosts.map(([host, osds]) => ({ host, osds: idsOf(osds) })) })
}

export function leftOverOsds(leftOver: readonly CephOsd[]): readonly Finding[] {
  if (leftOver.length === 0) return []
  const hosts = [...new Set(leftOver.flatMap(({ host }) => host ?? []))]
  return [found('OsdsLeftOver', { hosts, osds: idsOf(leftOver) })]
}

function unbelieved(why: Fault): Failure {
  return refusal('unreadable', why, { retryable: true })
}

/** Nothing in the plan protects these or brings them back. */
export function osdsUnplanned(node: string, own: readonly CephOsd[]): Blocker {
  return blocker(fault('OsdsUnplanned', { node, osds: idsOf(own) }))
}

export function osdEvidence(node: string, own: readonly CephOsd[], ctx: MaintenanceContext): Evidence {
  return evidence(`OSDs of ${node}`, ctx.at(), {
    osds: own.map(({ id, host, up, in: inside, noout }) => ({ id, host, up, in: inside, noout })),
  })
}

export function statusEvidence(status: CephStatus, ctx: MaintenanceContext): Evidence {
  return evidence('ceph', ctx.at(), {
    health: status.health,
    checks: status.checks.map(({ code, summary, muted }) => ({ code, summary, muted })),
    pgs: { ...status.pgs.byState },
    flags: [...status.flags],
  })
}

export function idsOf(osds: readonly Pick<CephOsd, 'id'>[]): readonly number[] {
  return osds.map(({ id }) => id)
}
