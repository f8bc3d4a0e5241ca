import { agentsOf, agentsState } from '../../../shared/domain/agents-of-node.ts'
import { osdsOfNode } from '../../../shared/domain/ceph-safety.ts'
import type { ClusterFlavour } from '../../../shared/domain/cluster.ts'
import type { InstanceCounts, InstanceView, NodeView } from '../../../shared/domain/cluster-view.ts'
import { ATTEMPTS_ANNOTATION, HOST_MODE_ANNOTATION, HOST_MODES } from '../../../shared/domain/instance-policy.ts'
import type { ClusterNode, Pod } from '../../../shared/domain/kubernetes.ts'
import { isGone, type LeaseState, leaseStateOf } from '../../../shared/domain/lease-state.ts'
import { namesOfNode, recordNamed } from '../../../shared/domain/machine-names.ts'
import {
  declinedOf,
  type EmptinessVerdict,
  emptinessOf,
  type InstanceOnHost,
  isForcedDown,
  type Unread,
} from '../../../shared/domain/node-verdict.ts'
import type { ComputeService, Instance, ResourceProvider } from '../../../shared/domain/openstack.ts'
import type { RoleLabelRules } from '../../../shared/domain/roles.ts'
import { isDrainedOnly, isHostDrainedOnly } from '../../../shared/domain/taken-out.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { computeServiceOf, doublesOf, underAnotherName } from '../../procedures/steps/compute/compute-host.ts'
import type { ClusterFacts } from './facts.ts'
import { occupancyOfMachine } from './machines-outside.ts'
import { isToBeEmpty, rowsOutside, summarizeNode } from './node-summaries.ts'

interface NodeSetting {
  readonly nodes: readonly ClusterNode[]
  readonly flavour: ClusterFlavour
  readonly fateOf: (instance: Instance, node: Pick<ClusterNode, 'annotations'>) => InstanceOnHost['fate']
  readonly asksCeph: boolean
  readonly roleLabels: RoleLabelRules
  readonly hasCloud: boolean
  readonly controlNamespaces: readonly string[]
  readonly monotonicMs: number
}

const RACK_LABELS = ['topology.kubernetes.io/rack', 'kubernetes.io/rack', 'rack'] as const

/** A node as the screens draw it; null if there is no such node. */
export function projectNode(
  name: string,
  facts: ClusterFacts,
  instances: ReadonlyMap<string, InstanceView>,
  setting: NodeSetting,
): NodeView | null {
  const node = facts.nodes.get(name)
  if (node === undefined) return null
  const pods = [...(facts.podsOn.get(name)?.values() ?? [])]
  const service = facts.services === null ? null : computeServiceOf(node, facts.services)
  const { nodes } = setting
  const doubles = doublesOf(node, nodes, facts.services ?? [])
  const isClaimedTwice =
    doubles.length > 0 && facts.services?.some(({ host, state }) => state === 'up' && doubles.includes(host)) === true
  // Of two live hosts nobody knows which has the instances of the node.
  const counts = isClaimedTwice ? null : countsOf(facts, service?.host ?? null, instances, setting)
  const summary = summarizeNode(node, {
    nodes,
    flavour: setting.flavour,
    roleLabels: setting.roleLabels,
    hasCloud: setting.hasCloud,
    asksCeph: setting.asksCeph,
    services: facts.services,
    hypervisors: null,
    agents: facts.agents,
    osds: facts.osds,
    cephAnswers: facts.cephAnswers,
    activeRuns: facts.activeRuns,
    controlPlanePods: facts.has('pods')
      ? pods.filter(({ namespace }) => setting.controlNamespaces.includes(namespace))
      : null,
    // Nobody asks whether a node in service is empty, and each of its instances would be judged.
    verdicts: isToBeEmpty(node, facts.services)
      ? new Map([[name, emptinessSeen(facts, { node, service, pods, doubles }, setting)]])
      : new Map(),
    foreign: facts.foreign,
    maintenanceOwners: setting.flavour === 'mosk' && !isReported(facts) ? null : facts.maintenanceOwners,
  })
  const attempts = node.annotations[ATTEMPTS_ANNOTATION] ?? null
  const odd = modeFindings(node, attempts)
  const agents = facts.agents === null ? null : agentsState(agentsOf(namesOfNode(node), facts.agents)).agents
  const lease = facts.leases.get(name)
  const status =
    lease === undefined || lease.holder === null ? null : leaseStateOf(lease.holder, lease.seen, setting.monotonicMs)
  return {
    ...summary,
    rack: RACK_LABELS.map(label => node.labels[label]).find(rack => rack !== undefined) ?? null,
    internalIp: node.internalIp,
    osImage: node.osImage,
    createdAt: node.createdAt,
    readinessText: node.readinessText,
    readinessSince: node.readinessSince,
    migrationAttempts: attempts,
    modeWarnings: odd.map(({ message }) => message),
    modeFindings: odd,
    instances: counts,
    pods: facts.has('pods') ? pods.filter(pod => !isFinished(pod)).length : null,
    load: service === null ? null : loadOf(providerOn([service.host, name], facts)),
    osds: facts.osds === null ? null : osdsOfNode(facts.osds, name).length,
    agents:
      agents === null || agents.length === 0
        ? null
        : { alive: agents.filter(agent => agent.alive).length, total: agents.length },
    locks: facts.maintenance === null ? null : [...(facts.lamps.get(name) ?? [])],
    heldBy: status === null ? null : holderOf(status),
  }
}

/** A dead holder is shown as gone, not left out: its work on the node is unfinished. */
function holderOf(status: LeaseState): NonNullable<NodeView['heldBy']> {
  const { runId, operator, machine, since } = status
  return { runId, operator, machine, since, gone: isGone(status) }
}

/** Names that are not nodes, as the screens draw them: former nodes, and names that a request has. */
export function projectOutside(
  facts: ClusterFacts,
  { nodes, flavour, fateOf }: Pick<NodeSetting, 'nodes' | 'flavour' | 'fateOf'>,
): ReadonlyMap<string, NodeView> {
  const rows = rowsOutside({
    maintenanceOwners: facts.maintenanceOwners,
    flavour,
    nodes,
    services: facts.services,
    osds: facts.osds,
    cephAnswers: facts.cephAnswers,
    activeRuns: facts.activeRuns,
    nooutRunOf: name => (isAnswering(facts, 'leases') ? (facts.leases.get(name)?.nooutRun ?? null) : undefined),
    occupancyOf: host => {
      if (!isAnswering(facts, 'instances')) return null
      const there = [...(facts.instancesOn.get(host) ?? [])].flatMap(id => facts.instances.get(id) ?? [])
      return occupancyOfMachine(
        there.map(instance => ({ instance, fate: fateOf(instance, { annotations: {} }) })),
        {
          returning: facts.returningTo(host),
          unread: facts.areMovesKnown ? [] : [unheard('migrations')],
          isDrainOnly: isHostDrainedOnly(facts.drainedOnly, host, facts.services ?? []),
        },
      )
    },
  })
  return new Map(
    rows.map(row => [
      row.name,
      {
        ...row,
        rack: null,
        internalIp: null,
        osImage: '',
        createdAt: '',
        readinessText: '',
        readinessSince: null,
        migrationAttempts: null,
        modeWarnings: [],
        instances: null,
        pods: null,
        load: null,
        osds: facts.osds === null ? null : osdsOfNode(facts.osds, row.name).length,
        agents: null,
        locks: null,
        heldBy: null,
      },
    ]),
  )
}

/** Null if the cloud's instances are unknown; zero on a node without compute. */
function countsOf(
  facts: ClusterFacts,
  host: string | null,
  instances: ReadonlyMap<string, InstanceView>,
  { hasCloud }: NodeSetting,
): InstanceCounts | null {
  if (!hasCloud || !facts.has('instances') || facts.services === null) return null
  const counts = { total: 0, live_migrate: 0, migrating: 0, poweroff: 0, notify: 0, ignore: 0, blocked: 0 }
  for (const id of (host === null ? undefined : facts.instancesOn.get(host)) ?? []) {
    const instance = instances.get(id)
    if (instance === undefined) continue
    counts.total += 1
    counts[instance.action] += 1
  }
  return counts
}

/** Whether a node is empty, by the view's facts; the map itself shows how fresh they are. */
function emptinessSeen(
  facts: ClusterFacts,
  seen: {
    readonly node: ClusterNode
    readonly service: ComputeService | null
    readonly pods: readonly Pod[]
    readonly doubles: readonly string[]
  },
  { hasCloud, asksCeph, fateOf }: NodeSetting,
): EmptinessVerdict {
  const { service, pods } = seen
  const host = service?.host ?? null
  const isKnown = !hasCloud || (isAnswering(facts, 'instances') && isAnswering(facts, 'compute-services'))
  // An old answer does not show what runs there now.
  const there = isKnown && host !== null ? [...(facts.instancesOn.get(host) ?? [])] : []
  const podsAreKnown = isAnswering(facts, 'pods')
  return emptinessOf({
    at: '',
    looked: [],
    instances: there
      .flatMap(id => facts.instances.get(id) ?? [])
      .map(instance => ({ instance, fate: fateOf(instance, seen.node) })),
    returning: host === null ? [] : facts.returningTo(host),
    pods: (podsAreKnown ? pods : []).filter(leavesOnDrain).map(({ namespace, name }) => `${namespace}/${name}`),
    unread: [
      ...(isKnown ? [] : [unheard('instances')]),
      ...(isKnown && host !== null && !facts.areMovesKnown ? [unheard('migrations')] : []),
      ...(isKnown ? withInstances(facts, seen.doubles) : []),
      ...(podsAreKnown ? [] : [unheard('pods')]),
    ],
    declined: asksCeph ? declinedOf(facts.osds ?? [], seen.node.name) : [],
    isDrainOnly: isDrainedOnly(facts.drainedOnly, seen.node),
    isForcedDown: isKnown && isForcedDown(service, seen.node),
    decided: new Map(),
  })
}

/** Those of the hosts that have instances: the node may be one of them under another name. */
function withInstances(facts: ClusterFacts, hosts: readonly string[]): readonly Unread[] {
  return hosts.flatMap(host => {
    const there = facts.instancesOn.get(host)?.size ?? 0
    return there === 0 ? [] : [underAnotherName(host, there)]
  })
}

function unheard(what: Unread['what']): Unread {
  return { what, code: 'NoAnswer', message: '' }
}

/** Whether the node maintenance API answers now, even if only that it does not exist. */
function isReported(facts: ClusterFacts): boolean {
  return facts.states.get('workload-locks')?.kind === 'absent' || isAnswering(facts, 'workload-locks')
}

/** Whether a source answers now: an old answer cannot prove that a node is empty. */
function isAnswering(
  facts: ClusterFacts,
  source: 'pods' | 'leases' | 'instances' | 'compute-services' | 'workload-locks',
): boolean {
  const state = facts.states.get(source)
  return facts.has(source) && state?.kind !== 'offline' && state?.kind !== 'not-permitted'
}

/** Whether a forced drain evicts a pod (docs/drain.md 5.2 rules 2 and 3). A vanished DaemonSet is not checked here. */
function leavesOnDrain(pod: Pod): boolean {
  const ofDaemonSet = pod.controller?.kind === 'DaemonSet' && pod.controller.apiVersion === 'apps/v1'
  return !pod.mirror && (!ofDaemonSet || isFinished(pod))
}

function isFinished(pod: Pod): boolean {
  return pod.phase === 'Succeeded' || pod.phase === 'Failed'
}

function providerOn(names: readonly string[], { providers }: ClusterFacts): ResourceProvider | undefined {
  const exact = names.flatMap(name => providers?.get(name) ?? [])[0]
  return exact ?? recordNamed(names, [...(providers?.values() ?? [])], each => each.name) ?? undefined
}

function loadOf(provider: ResourceProvider | undefined): NodeView['load'] {
  const of = (resource: string) => {
    const total = provider?.capacities[resource]
    return total === undefined ? null : { used: provider?.usages[resource] ?? 0, total }
  }
  const [vcpus, ram] = [of('VCPU'), of('MEMORY_MB')]
  if (vcpus === null || ram === null) return null
  return { vcpusUsed: vcpus.used, vcpusTotal: vcpus.total, ramUsedMib: ram.used, ramTotalMib: ram.total }
}

/** Problems of the host's two annotations (docs/domain.md A.5). */
function modeFindings(node: ClusterNode, attempts: string | null): Finding[] {
  const mode = node.annotations[HOST_MODE_ANNOTATION]
  return [
    ...(mode === undefined || HOST_MODES.some(known => known === mode)
      ? []
      : [because('MigrationModeUnknown', { mode, modes: HOST_MODES })]),
    ...(attempts === null || /^\s*[1-9]\d*\s*$/.test(attempts)
      ? []
      : [because('MigrationAttemptsUnknown', { attempts })]),
  ]
}
