import { HOST_MODE_ANNOTATION } from '../../shared/domain/instance-policy.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import type { NodeState, NodeSummary } from '../../shared/domain/node-summary.ts'
import type { ComputeService } from '../../shared/domain/openstack.ts'
import type { NodeRunKind } from '../../shared/domain/plan.ts'
import { type NodeRole, type RoleLabelRules, rolesOf } from '../../shared/domain/roles.ts'
import { computeServiceOf } from '../maintenance/compute-host.ts'

/** What is still on a node that should be empty: pods that a drain would send away, instances that would have to move. */
export interface NodeOccupancy {
  readonly pods: number
  readonly instances: number
}

/** A run that is not finished, and the node it works on. */
export interface ActiveNodeRun {
  readonly runId: string
  readonly node: string
  /** Where the node is going: of an update, out of service until its way back is begun. */
  readonly kind: NodeRunKind
}

/** Everything the node list is made of, read before. */
export interface NodeSummariesInput {
  readonly nodes: readonly ClusterNode[]
  readonly roleLabels: RoleLabelRules
  /** Whether the cluster has an OpenStack cloud at all. */
  readonly hasCloud: boolean
  /** Nova's compute services; null when there is no cloud, or it could not be asked. */
  readonly services: readonly ComputeService[] | null
  readonly activeRuns: readonly ActiveNodeRun[]
  /** Asked only for cordoned nodes; null for a node whose occupancy could not be asked. */
  readonly occupancy: ReadonlyMap<string, NodeOccupancy | null>
}

/** The rows of the node list, by name (states as shared/domain/node-summary.ts documents them). */
export function summarizeNodes(input: NodeSummariesInput): NodeSummary[] {
  return input.nodes
    .map(node => summaryOf(node, input))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

function summaryOf(node: ClusterNode, input: NodeSummariesInput): NodeSummary {
  const roles = rolesOf(node.labels, input.roleLabels)
  const service = input.services === null ? null : computeServiceOf(node, input.services)
  // The newest run counts: an older one that was left behind no longer says where the node is going.
  const run = input.activeRuns.findLast(active => active.node === node.name) ?? null
  const standing = stateOf(node, roles, service, run, input)
  return {
    name: node.name,
    roles: [...roles],
    ready: node.readiness,
    schedulable: !node.unschedulable,
    state: standing.state,
    stateReason: standing.reason,
    zone: service?.zone ?? node.labels['topology.kubernetes.io/zone'] ?? null,
    kubeletVersion: node.kubeletVersion,
    computeService:
      service === null
        ? null
        : { status: service.status, state: service.state, disabledReason: service.disabledReason },
    runId: run?.runId ?? null,
    migrationMode: node.annotations[HOST_MODE_ANNOTATION] ?? null,
  }
}

interface Standing {
  readonly state: NodeState
  readonly reason: string
}

function stateOf(
  node: ClusterNode,
  roles: readonly NodeRole[],
  service: ComputeService | null,
  run: ActiveNodeRun | null,
  input: NodeSummariesInput,
): Standing {
  if (run !== null) {
    return run.kind === 'enter'
      ? { state: 'entering', reason: `Run ${run.runId} takes it out of service.` }
      : { state: 'leaving', reason: `Run ${run.runId} brings it back into service.` }
  }
  if (node.readiness === 'unknown') {
    return { state: 'unknown', reason: `The control plane has lost contact with it${because(node.readinessText)}.` }
  }
  const isCompute = input.hasCloud && (roles.includes('compute') || service !== null)
  if (isCompute && input.services === null) {
    return { state: 'unknown', reason: 'It is a compute node, and Nova could not be asked about its compute service.' }
  }
  if (isCompute && service === null) {
    return { state: 'partial', reason: 'It is labelled as a compute node, but Nova has no nova-compute service on it.' }
  }
  const inService = [
    ...(node.readiness === 'ready' ? [] : [`its kubelet is not ready${because(node.readinessText)}`]),
    ...(node.unschedulable
      ? [service === null ? 'it is cordoned' : 'it is cordoned, but its nova-compute still takes instances']
      : []),
    ...serviceTroubles(service),
  ]
  if (inService.length === 0) return { state: 'active', reason: '' }
  if (node.unschedulable && (service === null || service.status === 'disabled')) {
    return outOfService(node, service, input.occupancy.get(node.name) ?? null)
  }
  return { state: 'partial', reason: sentence(inService) }
}

/** Cordoned, and disabled where it computes: in maintenance only when it is empty too. */
function outOfService(node: ClusterNode, service: ComputeService | null, occupancy: NodeOccupancy | null): Standing {
  const out = service === null ? 'it is cordoned' : 'it is cordoned and its nova-compute is disabled'
  if (occupancy === null) {
    return { state: 'unknown', reason: sentence([`${out}, but what is still on it could not be asked`]) }
  }
  const left = [
    ...(occupancy.instances === 0 ? [] : [`${counted(occupancy.instances, 'instance')} had to move`]),
    ...(occupancy.pods === 0 ? [] : [`${counted(occupancy.pods, 'pod')} should have left`]),
  ]
  if (left.length > 0) return { state: 'partial', reason: sentence([`${out}, but still here: ${left.join(', ')}`]) }
  const notes = [
    ...(node.readiness === 'ready' ? [] : ['its kubelet is not ready']),
    ...(service?.state === 'down' ? ['its nova-compute is down'] : []),
  ]
  return { state: 'maintenance', reason: sentence([`${out}, nothing that had to leave is left`, ...notes]) }
}

function serviceTroubles(service: ComputeService | null): readonly string[] {
  if (service === null) return []
  return [
    ...(service.status === 'enabled' ? [] : [`its nova-compute is disabled${because(service.disabledReason ?? '')}`]),
    ...(service.state === 'up' ? [] : ['its nova-compute is down']),
  ]
}

function because(text: string): string {
  const plain = text.trim().replace(/\.$/, '')
  return plain === '' ? '' : ` (${plain})`
}

function counted(number: number, noun: string): string {
  return number === 1 ? `1 ${noun} that` : `${number} ${noun}s that`
}

function sentence(parts: readonly string[]): string {
  const text = parts.join('; ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
