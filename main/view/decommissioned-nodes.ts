import type { CephOsd } from '../../shared/domain/ceph.ts'
import { osdsOfNode } from '../../shared/domain/ceph-safety.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import type { NodeSummary } from '../../shared/domain/node-summary.ts'
import type { ComputeService } from '../../shared/domain/openstack.ts'
import { computeServiceOf, matchComputeService } from '../maintenance/compute-host.ts'

/** Who still knows of names. */
interface Known {
  readonly nodes: readonly ClusterNode[]
  readonly services: readonly ComputeService[] | null
  readonly osds: readonly CephOsd[] | null
}

/**
 * Names that are no node of the cluster any more, but that Nova's services or Ceph's map still have, with nothing of them running (seed 004,
 * "States of the Node"). A machine whose nova-compute or OSDs live was never one: Sunbeam keeps such machines outside of Kubernetes.
 */
export function decommissionedNodes({ nodes, services, osds }: Known): readonly NodeSummary[] {
  const carried = new Set(nodes.flatMap(node => computeServiceOf(node, services ?? [])?.host ?? []))
  const hosts = (services ?? []).filter(({ host }) => !carried.has(host)).map(({ host }) => host)
  const known = new Set(nodes.flatMap(({ name }) => osdsOfNode(osds ?? [], name)).map(({ host }) => host))
  const buckets = (osds ?? []).flatMap(({ host }) => (host === null || known.has(host) ? [] : [host]))
  // A machine that both know has one row, under Nova's name for it.
  const names = [
    ...new Set([...hosts, ...buckets.filter(bucket => !hosts.some(host => first(host) === first(bucket)))]),
  ]
  return names.flatMap(name => rowOf(name, services ?? [], osds ?? []) ?? [])
}

function rowOf(name: string, services: readonly ComputeService[], osds: readonly CephOsd[]): NodeSummary | null {
  const service = matchComputeService([name], services)
  const own = osdsOfNode(osds, name)
  if (service?.state === 'up' || own.some(osd => osd.up)) return null
  const knowers = [
    ...(service === null ? [] : [`Nova still has its nova-compute (${service.status}, down)`]),
    ...(own.length === 0 ? [] : [`Ceph still has OSD ${own.map(({ id }) => id).join(', ')} of it (down)`]),
  ]
  return {
    name,
    roles: [...(service === null ? [] : ['compute' as const]), ...(own.length === 0 ? [] : ['storage' as const])],
    roleTellers: [],
    roleContradictions: [],
    ready: 'unknown',
    schedulable: false,
    state: 'decommissioned',
    stateReason: `Kubernetes has no such node any more; ${knowers.join(', and ')}. It counts for no quorum and no capacity.`,
    conditions: [],
    zone: service?.zone ?? null,
    kubeletVersion: '',
    computeService:
      service === null
        ? null
        : { status: service.status, state: service.state, disabledReason: service.disabledReason },
    runId: null,
    migrationMode: null,
  }
}

function first(name: string): string {
  return name.split('.')[0] ?? name
}
