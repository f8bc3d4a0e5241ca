import { gatewayAgentsOf } from '../../../shared/domain/agents-of-node.ts'
import type { CephOsd } from '../../../shared/domain/ceph.ts'
import { osdsOfNode } from '../../../shared/domain/ceph-safety.ts'
import type { ClusterFlavour } from '../../../shared/domain/cluster.ts'
import { type ForeignMaintenance, maintenancesOf } from '../../../shared/domain/foreign-maintenance.ts'
import { HOST_MODE_ANNOTATION } from '../../../shared/domain/instance-policy.ts'
import type { ClusterNode, Pod } from '../../../shared/domain/kubernetes.ts'
import { namesOfNode } from '../../../shared/domain/machine-names.ts'
import {
  controlPodsOn,
  type RoleFacts,
  roleContradictions,
  rolesOfNode,
  sourcesOfRoles,
} from '../../../shared/domain/node-roles.ts'
import type { NodeSummary } from '../../../shared/domain/node-summary.ts'
import { taintsOfOthers } from '../../../shared/domain/node-taints.ts'
import { type EmptinessVerdict, instancesLeftIn, podsLeftIn } from '../../../shared/domain/node-verdict.ts'
import type { ComputeService, Hypervisor, NetworkAgent } from '../../../shared/domain/openstack.ts'
import type { RoleLabelRules } from '../../../shared/domain/roles.ts'
import { contradictionWords } from '../../../shared/words/node-roles.ts'
import { messagesOf } from '../../../shared/words/steps/coded.ts'
import { recordsSeen } from '../../procedures/steps/compute/agent-records.ts'
import { computeServiceOf } from '../../procedures/steps/compute/compute-host.ts'
import { hypervisorsSeen } from '../../procedures/steps/compute/hypervisor-records.ts'
import type { ActiveNodeRun } from '../../runs/active-runs.ts'
import { type HostOccupancy, machinesOutside } from './machines-outside.ts'
import { type MaintenanceOwners, unknownNodeRow } from './maintenance-owners.ts'
import { type NodeStatus, statusOf } from './node-status.ts'

export interface NodeSummariesInput {
  readonly nodes: readonly ClusterNode[]
  readonly flavour: ClusterFlavour
  readonly roleLabels: RoleLabelRules
  readonly hasCloud: boolean
  /** Nova's compute services; null if there is no cloud, or unreadable. */
  readonly services: readonly ComputeService[] | null
  readonly hypervisors: readonly Hypervisor[] | null
  readonly agents: readonly NetworkAgent[] | null
  /** Whether Ceph decides the state of a node: not where the maintenance API's controllers do. */
  readonly asksCeph: boolean
  /** Ceph's OSDs from its last answer; null if it never answered. */
  readonly osds: readonly CephOsd[] | null
  /** Whether Ceph answers now: an old answer is enough for a role, but not to call its disks safe. */
  readonly cephAnswers: boolean
  readonly activeRuns: readonly ActiveNodeRun[]
  /** The pods that include the control plane's; null if unreadable. */
  readonly controlPlanePods: readonly Pod[] | null
  /** Verdicts about cordoned nodes; null if unreadable. */
  readonly verdicts: ReadonlyMap<string, EmptinessVerdict | null>
  /** Occupancy of Nova hosts that are not nodes; unreadable ones are missing. */
  readonly outside: ReadonlyMap<string, HostOccupancy>
  /** The run that keeps noout for each machine that is not a node, or null; machines with an unreadable Lease are missing. */
  readonly nooutRuns: ReadonlyMap<string, string | null>
  readonly maintenanceOwners: MaintenanceOwners | null
  readonly foreign: readonly ForeignMaintenance[] | null
}

export function summarizeNodes(input: NodeSummariesInput): NodeSummary[] {
  const outside = rowsOutside({
    ...input,
    occupancyOf: host => input.outside.get(host) ?? null,
    nooutRunOf: name => input.nooutRuns.get(name),
  })
  return [...input.nodes.map(node => summarizeNode(node, input)), ...outside].sort((a, b) =>
    a.name.localeCompare(b.name, 'en', { numeric: true }),
  )
}

/** Whether part of a node is out of service, so that it should be empty. */
export function isToBeEmpty(node: ClusterNode, services: readonly ComputeService[] | null): boolean {
  return node.unschedulable || (services !== null && computeServiceOf(node, services)?.status === 'disabled')
}

/** A compute node without a nova-compute record: its instances are unknown, as at the end of a run (steps/general/read-verdict.ts). */
function withoutService(seen: EmptinessVerdict): EmptinessVerdict {
  const lost = { what: 'compute-service', code: 'NoAnswer', message: '' } as const
  if (seen.kind === 'Empty') return { kind: 'Unknown', at: seen.at, looked: seen.looked, unread: [lost] }
  return { ...seen, unread: [...seen.unread, lost] }
}

/** The rows of names that are not nodes: separate machines, former nodes, and names that only a request has. */
export function rowsOutside(
  known: Parameters<typeof machinesOutside>[0] & Pick<NodeSummariesInput, 'maintenanceOwners'>,
): readonly NodeSummary[] {
  const former = machinesOutside(known)
  const unknownNodes = [...(known.maintenanceOwners?.unknownNodes ?? [])].filter(([name]) =>
    former.every(row => row.name !== name),
  )
  return [...former, ...unknownNodes.map(([name, requests]) => unknownNodeRow(name, requests))]
}

export function summarizeNode(
  node: ClusterNode,
  input: Omit<NodeSummariesInput, 'outside' | 'nooutRuns'>,
): NodeSummary {
  const service = input.services === null ? null : computeServiceOf(node, input.services)
  const records = [
    ...recordsSeen(node, input.nodes, input.services, input.agents),
    ...hypervisorsSeen(node, input.nodes, service, input.hypervisors ?? []),
  ]
  const stores = input.osds === null ? null : osdsOfNode(input.osds, node.name).length > 0
  const reported: RoleFacts = {
    computes: !input.hasCloud ? 'not-asked' : input.services === null ? null : service !== null,
    routes:
      input.flavour === 'sunbeam' &&
      input.agents !== null &&
      gatewayAgentsOf(namesOfNode(node), input.agents).length > 0,
    stores: input.asksCeph ? (stores ?? 'silent') : 'not-asked',
    controls:
      input.controlPlanePods === null ? null : controlPodsOn(node.name, input.controlPlanePods, input.roleLabels),
  }
  const sources = sourcesOfRoles(node, input, reported)
  const roles = rolesOfNode(node, input, reported)
  const contradictions = roleContradictions(node, input, reported).map(contradictionWords)
  // The newest run counts: an older one without a driver no longer decides.
  const run = input.activeRuns.findLast(active => active.node === node.name) ?? null
  const seen = isToBeEmpty(node, input.services) ? (input.verdicts.get(node.name) ?? null) : null
  const isServiceLost = input.hasCloud && input.services !== null && service === null && roles.includes('compute')
  const verdict = isServiceLost && seen !== null ? withoutService(seen) : seen
  const status: NodeStatus = statusOf({
    node,
    isControl: roles.includes('control'),
    compute: !input.hasCloud
      ? null
      : input.services === null
        ? // On Sunbeam no label says who computes: Nova does.
          roles.includes('compute') || input.flavour === 'sunbeam'
          ? 'not-asked'
          : null
        : (service ?? (roles.includes('compute') ? 'missing' : null)),
    // If Ceph is unreadable, a node may have OSDs, unless a label decides.
    storage:
      input.asksCeph && (roles.includes('storage') || (stores === null && input.flavour === 'sunbeam'))
        ? { osds: input.cephAnswers ? input.osds : null }
        : null,
    pods: podsLeftIn(verdict),
    instances: instancesLeftIn(verdict),
    onIt: verdict?.kind === 'NotEmpty' ? verdict.instances.length : 0,
    owner: input.maintenanceOwners === null ? 'not-asked' : (input.maintenanceOwners.ofNode.get(node.name) ?? null),
    run,
  })
  return {
    name: node.name,
    roles: [...roles],
    roleSources: sources.map(reporter => ({ ...reporter })),
    roleContradictions: contradictions,
    ready: node.readiness,
    schedulable: !node.unschedulable,
    ...(input.foreign === null ? {} : { maintainedBy: [...maintenancesOf(node, input.foreign, input.nodes)] }),
    ...(records.length === 0 ? {} : { records: [...records] }),
    taints: [...taintsOfOthers(node.taints, input.roleLabels)],
    state: status.state,
    stateReason: messagesOf(status.reasons),
    stateFindings: [...status.reasons],
    conditions: [...status.conditions],
    verdict: status.state === 'active' ? null : verdict,
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
