import { gatewayAgentsOf } from '../../shared/domain/agents-of-node.ts'
import type { CephOsd } from '../../shared/domain/ceph.ts'
import { osdsOfNode } from '../../shared/domain/ceph-safety.ts'
import type { ClusterFlavour } from '../../shared/domain/cluster.ts'
import { type ForeignMaintenance, maintenancesOf } from '../../shared/domain/foreign-maintenance.ts'
import { HOST_MODE_ANNOTATION } from '../../shared/domain/instance-policy.ts'
import type { ClusterNode, Pod } from '../../shared/domain/kubernetes.ts'
import { namesOfNode } from '../../shared/domain/machine-names.ts'
import {
  controlPodsOn,
  type RoleFacts,
  roleContradictions,
  rolesOfNode,
  sourcesOfRoles,
} from '../../shared/domain/node-roles.ts'
import type { NodeSummary } from '../../shared/domain/node-summary.ts'
import { taintsOfOthers } from '../../shared/domain/node-taints.ts'
import { type EmptinessVerdict, instancesLeftIn, podsLeftIn } from '../../shared/domain/node-verdict.ts'
import type { ComputeService, Hypervisor, NetworkAgent } from '../../shared/domain/openstack.ts'
import type { RoleLabelRules } from '../../shared/domain/roles.ts'
import { contradictionWords } from '../../shared/words/node-roles.ts'
import { messagesOf } from '../../shared/words/steps/coded.ts'
import { recordsSeen } from '../procedures/steps/compute/agent-records.ts'
import { computeServiceOf } from '../procedures/steps/compute/compute-host.ts'
import { hypervisorsSeen } from '../procedures/steps/compute/hypervisor-records.ts'
import type { ActiveNodeRun } from '../runs/active-runs.ts'
import { type HostOccupancy, machinesOutside } from './machines-outside.ts'
import { type MaintenanceOwners, unknownNodeRow } from './maintenance-owners.ts'
import { type NodeStatus, statusOf } from './node-status.ts'

/** Everything the node list is made of, read before. */
export interface NodeSummariesInput {
  readonly nodes: readonly ClusterNode[]
  readonly flavour: ClusterFlavour
  readonly roleLabels: RoleLabelRules
  /** Whether the cluster has an OpenStack cloud at all. */
  readonly hasCloud: boolean
  /** Nova's compute services; null when there is no cloud, or it could not be asked. */
  readonly services: readonly ComputeService[] | null
  /** Nova's hypervisor records; null when they were not read. */
  readonly hypervisors: readonly Hypervisor[] | null
  /** Neutron's agents; null when there is no cloud, or it could not be asked. */
  readonly agents: readonly NetworkAgent[] | null
  /** Whether Ceph says how a node stands: not where the maintenance API's controllers answer for it. */
  readonly asksCeph: boolean
  /** Ceph's OSDs as it last told them; null when it never did. */
  readonly osds: readonly CephOsd[] | null
  /** Whether Ceph answers now: an old answer is enough for a role, not for saying that its disks are safe. */
  readonly cephAnswers: boolean
  readonly activeRuns: readonly ActiveNodeRun[]
  /** The pods among which those of a control plane are; null when they could not be read. */
  readonly controlPlanePods: readonly Pod[] | null
  /** Whether a node is empty: asked only of cordoned nodes; null for one that could not be asked. */
  readonly verdicts: ReadonlyMap<string, EmptinessVerdict | null>
  /** What is on the hosts of Nova that are no nodes; left out where it could not be asked. */
  readonly outside: ReadonlyMap<string, HostOccupancy>
  /** Of machines that are no nodes, the run that keeps noout for each, or null; left out where its Lease could not be read. */
  readonly nooutRuns: ReadonlyMap<string, string | null>
  /** What the node maintenance API says; null when it could not be asked. */
  readonly maintenanceOwners: MaintenanceOwners | null
  /** Maintenance by other programs of the cluster; null where it was not read. */
  readonly foreign: readonly ForeignMaintenance[] | null
}

/** The rows of the node list, by name (states as shared/domain/node-summary.ts documents them), with the names that are nodes no more. */
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

/** Whether something of a node is out of service, so that it is asked whether it is empty: what is on one that serves has not to leave. */
export function isToBeEmpty(node: ClusterNode, services: readonly ComputeService[] | null): boolean {
  return node.unschedulable || (services !== null && computeServiceOf(node, services)?.status === 'disabled')
}

/** Of a node that computes Nova has no nova-compute: what it has there is not known, as at the end of a run (steps/general/read-verdict.ts). */
function withoutService(seen: EmptinessVerdict): EmptinessVerdict {
  const lost = { what: 'compute-service', code: 'NoAnswer', message: '' } as const
  if (seen.kind === 'Empty') return { kind: 'Unknown', at: seen.at, looked: seen.looked, unread: [lost] }
  return { ...seen, unread: [...seen.unread, lost] }
}

/** The rows of names that are no nodes: machines of their own, those that were nodes, and those that only a request names. */
export function rowsOutside(
  known: Parameters<typeof machinesOutside>[0] & Pick<NodeSummariesInput, 'maintenanceOwners'>,
): readonly NodeSummary[] {
  const former = machinesOutside(known)
  const unknownNodes = [...(known.maintenanceOwners?.unknownNodes ?? [])].filter(([name]) =>
    former.every(row => row.name !== name),
  )
  return [...former, ...unknownNodes.map(([name, requests]) => unknownNodeRow(name, requests))]
}

/** The row of one node. */
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
  // The newest run counts: an older one that was left behind no longer says where the node is going.
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
    // A node that Ceph could not be asked about may have OSDs, where no label tells.
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
