import { NOOUT_ANNOTATION } from '../../../../shared/domain/ceph.ts'
import { osdsOfNode } from '../../../../shared/domain/ceph-safety.ts'
import { cephAccessOf } from '../../../../shared/domain/cluster.ts'
import { providersOf } from '../../../../shared/domain/destinations.ts'
import { isMaintenanceReason } from '../../../../shared/domain/disabled-reason.ts'
import type { ClusterNode } from '../../../../shared/domain/kubernetes.ts'
import { nodeLease } from '../../../../shared/domain/lease-name.ts'
import { isGone } from '../../../../shared/domain/lease-state.ts'
import { mapLimited } from '../../../../shared/domain/map-limited.ts'
import type { ComputeService, ResourceProvider } from '../../../../shared/domain/openstack.ts'
import { ok, type Result } from '../../../../shared/domain/result.ts'
import { found } from '../../../../shared/words/step-texts.ts'
import type { AwayNode, MaintenanceSign } from '../../../../shared/words/steps/away-nodes.ts'
import type { Finding } from '../../../../shared/words/steps/coded.ts'
import type { MaintenanceContext } from '../../node-input.ts'
import { computeServiceOf } from '../compute/compute-host.ts'
import { storesOf } from '../storage/storage-node.ts'
import { listStoringMachines } from './machine-outside.ts'

interface OtherMaintenance {
  readonly node: ClusterNode
  readonly signs: readonly MaintenanceSign[]
}

const AT_ONCE = 8

/** A node's cordon, and its nova-compute disabled for a maintenance. */
export function maintenanceSigns(node: ClusterNode, service: ComputeService | null): readonly MaintenanceSign[] {
  const reason = service?.status === 'disabled' ? service.disabledReason : null
  return [
    ...(node.unschedulable ? [{ code: 'Cordoned' } as const] : []),
    ...(reason !== null && isMaintenanceReason(reason) ? [{ code: 'ComputeDisabled', reason } as const] : []),
  ]
}

function isComputeAway({ signs }: OtherMaintenance): boolean {
  return signs.some(({ code }) => code !== 'Cordoned')
}

export async function findOtherMaintenances(
  name: string,
  nodes: readonly ClusterNode[],
  services: readonly ComputeService[] | null,
  ctx: MaintenanceContext,
): Promise<Result<readonly OtherMaintenance[]>> {
  const others = nodes.filter(node => node.name !== name)
  const { leases, isLeaseFree } = ctx.world.kubernetes
  const found = await mapLimited(others, AT_ONCE, async node => {
    const free = await isLeaseFree(node.name, ctx.signal)
    const holder = free.ok && free.value ? ok(null) : await leases.holder(nodeLease(node.name), ctx.signal)
    if (!holder.ok) return holder
    const service = services === null ? null : computeServiceOf(node, services)
    const signs = [
      ...(holder.value === null || isGone(holder.value)
        ? []
        : [{ code: 'RunWorks', run: holder.value.runId } as const]),
      ...maintenanceSigns(node, service),
    ]
    return { ok: true as const, value: { node, signs } }
  })
  const failed = found.find(answer => !answer.ok)
  if (failed !== undefined && !failed.ok) return failed
  return {
    ok: true,
    value: found.flatMap(answer => (answer.ok && answer.value.signs.length > 0 ? [answer.value] : [])),
  }
}

/** Other machines outside Kubernetes with OSDs, by the note on their Lease or by the signs of nodes. */
export async function findMachineMaintenances(
  name: string,
  nodes: readonly ClusterNode[],
  services: readonly ComputeService[] | null,
  ctx: MaintenanceContext,
): Promise<Result<readonly OtherMaintenance[]>> {
  const machines = await listStoringMachines(nodes, ctx.world, ctx.signal)
  if (!machines.ok) return machines
  const found = await findOtherMaintenances(name, machines.value, services, ctx)
  if (!found.ok) return found
  return ok(
    machines.value.flatMap(node => {
      const run = node.annotations[NOOUT_ANNOTATION]
      const signs = [
        ...(found.value.find(other => other.node === node)?.signs ?? []),
        ...(run === undefined ? [] : [{ code: 'NooutKept', run } as const]),
      ]
      return node.name === name || signs.length === 0 ? [] : [{ node, signs }]
    }),
  )
}

/** Nodes in maintenance, going out, or not ready, by name. */
export type NodesAway = ReadonlyMap<string, AwayNode>

interface ReadAway {
  readonly away: NodesAway
  readonly unread: readonly Finding[]
}

/** Other nodes that count as gone in a quorum check. `counts` selects the relevant nodes, so that no other Lease is read. */
export async function readNodesAway(
  name: string,
  ctx: MaintenanceContext,
  counts: (node: ClusterNode) => boolean = () => true,
): Promise<Result<ReadAway>> {
  const [nodes, services] = await Promise.all([
    ctx.world.kubernetes.listNodes(ctx.signal),
    ctx.world.openstack?.computeServices(ctx.signal) ?? null,
  ])
  if (!nodes.ok) return nodes
  const beside = nodes.value.filter(node => node.name !== name && counts(node))
  // Without Nova two signs remain: the cordon and a run's Lease.
  const others = await findOtherMaintenances(name, beside, services?.ok ? services.value : null, ctx)
  if (!others.ok) return others
  const signs = new Map(others.value.map(other => [other.node.name, other.signs]))
  const away = beside
    .map(({ name: node, readiness }): AwayNode => ({ node, readiness, signs: signs.get(node) ?? [] }))
    .filter(each => each.readiness !== 'ready' || each.signs.length > 0)
  const unread =
    services?.ok === false && beside.length > 0
      ? [found('OtherComputesNotCounted', { cause: services.failure.message })]
      : []
  return ok({ away: new Map(away.map(each => [each.node, each])), unread })
}

/** For Ceph: machines outside Kubernetes in maintenance are away too. */
export async function readStoresAway(name: string, ctx: MaintenanceContext): Promise<Result<ReadAway>> {
  const [nodes, services, read] = await Promise.all([
    ctx.world.kubernetes.listNodes(ctx.signal),
    ctx.world.openstack?.computeServices(ctx.signal) ?? null,
    readNodesAway(name, ctx),
  ])
  if (!nodes.ok) return nodes
  if (!read.ok) return read
  const machines = await findMachineMaintenances(name, nodes.value, services?.ok ? services.value : null, ctx)
  if (!machines.ok) return machines
  // Such a machine has only its notes.
  const outside = machines.value.map(
    ({ node: { name: node }, signs }) => [node, { node, readiness: 'ready', signs }] as const,
  )
  return ok({ away: new Map<string, AwayNode>([...read.value.away, ...outside]), unread: read.value.unread })
}

export function awayAmong(away: NodesAway, those: readonly string[] = [...away.keys()]): readonly AwayNode[] {
  return those.flatMap(name => away.get(name) ?? [])
}

/** What the cloud has left by role, as far as known. Checks of the control and storage roles judge the quorums, and block. */
export async function whatRemains(
  name: string,
  nodes: readonly ClusterNode[],
  services: readonly ComputeService[] | null,
  out: readonly OtherMaintenance[],
  ctx: MaintenanceContext,
): Promise<readonly Finding[]> {
  const gone = new Set([name, ...out.map(other => other.node.name)])
  // A cordon keeps pods away, not instances: the compute service of a cordoned node still accepts them.
  const computesGone = new Set([name, ...out.filter(isComputeAway).map(other => other.node.name)])
  return [await remainingCompute(nodes, services, computesGone, ctx), await remainingCeph(nodes, gone, ctx)].filter(
    each => each !== null,
  )
}

async function remainingCompute(
  nodes: readonly ClusterNode[],
  services: readonly ComputeService[] | null,
  gone: ReadonlySet<string>,
  ctx: MaintenanceContext,
): Promise<Finding | null> {
  const { openstack } = ctx.world
  if (openstack === null) return null
  if (services === null) return found('ComputeRemainsNotKnown')
  const goneHosts = new Set(
    nodes.filter(node => gone.has(node.name)).flatMap(node => computeServiceOf(node, services)?.host ?? []),
  )
  if (goneHosts.size === 0) return null
  const left = services.filter(
    ({ host, status, state }) => !goneHosts.has(host) && status === 'enabled' && state === 'up',
  )
  const hosts = { left: left.length, hosts: services.length }
  const providers = await openstack.resourceProviders(ctx.signal)
  if (!providers.ok) return found('ComputeRoomNotKnown', hosts)
  const of = (names: ReadonlySet<string>) => [...providersOf([...names], providers.value).values()]
  const free = of(new Set(left.map(({ host }) => host)))
  const leaving = of(goneHosts)
  return found('ComputeRemains', {
    ...hosts,
    vcpus: room(free, 'VCPU'),
    memoryMib: room(free, 'MEMORY_MB'),
    usedVcpus: used(leaving, 'VCPU'),
    usedMemoryMib: used(leaving, 'MEMORY_MB'),
  })
}

async function remainingCeph(
  nodes: readonly ClusterNode[],
  gone: ReadonlySet<string>,
  ctx: MaintenanceContext,
): Promise<Finding | null> {
  if (cephAccessOf(ctx.world.cluster) === 'none') return null
  const { ceph } = ctx.world
  const [osds, reported] = await Promise.all([ceph.osds(ctx.signal), ceph.osdsReported(ctx.signal)])
  if (!osds.ok) return osds.failure.code === 'not-found' ? null : found('CephRemainsNotKnown')
  const out = nodes.filter(node => gone.has(node.name))
  const unclear = out.filter(({ name }) => typeof storesOf(osds.value, reported, name) === 'string')
  if (unclear.length > 0) return found('CephOsdsNotKnown', { nodes: unclear.map(({ name }) => name) })
  const going = out.filter(({ name }) => osdsOfNode(osds.value, name).length > 0)
  if (going.length === 0) return null
  const goingIds = new Set(going.flatMap(node => osdsOfNode(osds.value, node.name)).map(osd => osd.id))
  const hosts = (list: typeof osds.value) => new Set(list.flatMap(osd => osd.host ?? [])).size
  const left = osds.value.filter(osd => !goingIds.has(osd.id) && osd.up)
  return found('CephRemains', {
    nodes: going.map(node => node.name),
    leftHosts: hosts(left),
    hosts: hosts(osds.value),
    leftOsds: left.length,
    osds: osds.value.length,
  })
}

function room(providers: readonly ResourceProvider[], resource: string): number {
  return providers.reduce(
    (sum, { capacities, usages }) => sum + Math.max(0, (capacities[resource] ?? 0) - (usages[resource] ?? 0)),
    0,
  )
}

function used(providers: readonly ResourceProvider[], resource: string): number {
  return providers.reduce((sum, { usages }) => sum + (usages[resource] ?? 0), 0)
}
