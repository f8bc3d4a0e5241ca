import { osdsOfNode } from '../../shared/domain/ceph-safety.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import { isGone } from '../../shared/domain/lease-standing.ts'
import { mapLimited } from '../../shared/domain/map-limited.ts'
import type { ComputeService, ResourceProvider } from '../../shared/domain/openstack.ts'
import type { Result } from '../../shared/domain/result.ts'
import { cephAccessOf } from '../../shared/domain/role-maintenance.ts'
import { rolesOf } from '../../shared/domain/roles.ts'
import { count, some } from './answers.ts'
import { computeServiceOf } from './compute-host.ts'
import { isMaintenanceReason } from './disabled-reason.ts'
import type { MaintenanceContext } from './node-input.ts'
import { quorumOf } from './steps/control-quorum.ts'
import { storesOf } from './storage-node.ts'

/** Another node that is out of service or on its way, and by what that is told. */
export interface OtherMaintenance {
  readonly node: ClusterNode
  readonly signs: readonly string[]
}

const AT_ONCE = 8

/** The nodes beside this one that are cordoned, whose nova-compute is disabled for a maintenance, or on which a run works now. */
export async function findOtherMaintenances(
  name: string,
  nodes: readonly ClusterNode[],
  services: readonly ComputeService[] | null,
  ctx: MaintenanceContext,
): Promise<Result<readonly OtherMaintenance[]>> {
  const others = nodes.filter(node => node.name !== name)
  const found = await mapLimited(others, AT_ONCE, async node => {
    const holder = await ctx.world.kubernetes.leases.holder(node.name, ctx.signal)
    if (!holder.ok) return holder
    const service = services === null ? null : computeServiceOf(node, services)
    const signs = [
      ...(holder.value === null || isGone(holder.value)
        ? []
        : [`run ${holder.value.runId ?? 'of another console'} works on it`]),
      ...(node.unschedulable ? ['cordoned'] : []),
      ...(service?.status === 'disabled' && isMaintenanceReason(service.disabledReason)
        ? [`nova-compute disabled: ${service.disabledReason}`]
        : []),
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

/** What the cloud would still have without this node and those others, a sentence a role; what cannot be told says so. */
export async function whatRemains(
  name: string,
  nodes: readonly ClusterNode[],
  services: readonly ComputeService[] | null,
  out: readonly OtherMaintenance[],
  ctx: MaintenanceContext,
): Promise<readonly string[]> {
  const gone = new Set([name, ...out.map(other => other.node.name)])
  return [
    remainingControl(nodes, gone, ctx),
    await remainingCompute(nodes, services, gone, ctx),
    await remainingCeph(nodes, gone, ctx),
  ].filter(sentence => sentence !== null)
}

function remainingControl(
  nodes: readonly ClusterNode[],
  gone: ReadonlySet<string>,
  { world }: MaintenanceContext,
): string | null {
  const control = nodes.filter(node => rolesOf(node.labels, world.cluster.roleLabels).includes('control'))
  if (!control.some(node => gone.has(node.name))) return null
  const left = control.filter(node => !gone.has(node.name) && node.readiness === 'ready')
  const needed = quorumOf(control.length)
  return `Control: ${left.length} of ${control.length} nodes would remain${left.length < needed ? `, fewer than the ${needed} of a quorum` : ` (a quorum needs ${needed})`}.`
}

async function remainingCompute(
  nodes: readonly ClusterNode[],
  services: readonly ComputeService[] | null,
  gone: ReadonlySet<string>,
  ctx: MaintenanceContext,
): Promise<string | null> {
  const { openstack } = ctx.world
  if (openstack === null) return null
  if (services === null) return 'Compute: what would remain is not known, Nova could not be asked.'
  const goneHosts = new Set(
    nodes.filter(node => gone.has(node.name)).flatMap(node => computeServiceOf(node, services)?.host ?? []),
  )
  if (goneHosts.size === 0) return null
  const left = services.filter(
    ({ host, status, state }) => !goneHosts.has(host) && status === 'enabled' && state === 'up',
  )
  const hosts = `Compute: ${left.length} of ${count(services.length, 'host')} would remain`
  const providers = await openstack.resourceProviders(ctx.signal)
  if (!providers.ok) return `${hosts}; their free capacity is not known, Placement could not be asked.`
  const of = (names: ReadonlySet<string>) => providers.value.filter(provider => names.has(provider.name))
  const free = of(new Set(left.map(({ host }) => host)))
  const leaving = of(goneHosts)
  const [vcpus, ram] = [room(free, 'VCPU'), room(free, 'MEMORY_MB')]
  const [usedVcpus, usedRam] = [used(leaving, 'VCPU'), used(leaving, 'MEMORY_MB')]
  const fits = usedVcpus <= vcpus && usedRam <= ram
  return `${hosts}, with ${vcpus} vCPUs and ${gib(ram)} free for ${usedVcpus} vCPUs and ${gib(usedRam)} still on those that go${fits ? '' : ': not enough'}.`
}

async function remainingCeph(
  nodes: readonly ClusterNode[],
  gone: ReadonlySet<string>,
  ctx: MaintenanceContext,
): Promise<string | null> {
  if (cephAccessOf(ctx.world.cluster) === 'none') return null
  const { ceph } = ctx.world
  const [osds, reported] = await Promise.all([ceph.osds(ctx.signal), ceph.osdsReported(ctx.signal)])
  if (!osds.ok) {
    return osds.failure.code === 'not-found' ? null : 'Ceph: what would remain is not known, it could not be asked.'
  }
  const out = nodes.filter(node => gone.has(node.name))
  const unclear = out.filter(({ name }) => typeof storesOf(osds.value, reported, name) === 'string')
  if (unclear.length > 0) {
    return `Ceph: what would remain is not known, it cannot be told which OSDs ${some(unclear.map(({ name }) => name))} ${unclear.length === 1 ? 'has' : 'have'}.`
  }
  const going = out.filter(({ name }) => osdsOfNode(osds.value, name).length > 0)
  if (going.length === 0) return null
  const goingIds = new Set(going.flatMap(node => osdsOfNode(osds.value, node.name)).map(osd => osd.id))
  const hosts = (list: typeof osds.value) => new Set(list.flatMap(osd => osd.host ?? [])).size
  const left = osds.value.filter(osd => !goingIds.has(osd.id) && osd.up)
  return `Ceph: ${hosts(left)} of ${count(hosts(osds.value), 'host')} with ${left.length} of ${osds.value.length} OSDs would remain without ${some(going.map(node => node.name))}.`
}

function room(providers: readonly ResourceProvider[], resource: string): number {
  return providers.reduce((sum, { inventories, usages }) => {
    const inventory = inventories[resource]
    if (inventory === undefined) return sum
    const most = Math.floor((inventory.total - inventory.reserved) * inventory.allocationRatio)
    return sum + Math.max(0, most - (usages[resource] ?? 0))
  }, 0)
}

function used(providers: readonly ResourceProvider[], resource: string): number {
  return providers.reduce((sum, { usages }) => sum + (usages[resource] ?? 0), 0)
}

function gib(mib: number): string {
  return `${Math.round(mib / 1024)} GiB`
}
