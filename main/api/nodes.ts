import type { RequestOutput } from '../../shared/contract/index.ts'
import { type CephOsd, NOOUT_ANNOTATION } from '../../shared/domain/ceph.ts'
import { crushHostsBeside, osdsOfNode } from '../../shared/domain/ceph-safety.ts'
import type { Cluster } from '../../shared/domain/cluster.ts'
import { shownAction } from '../../shared/domain/instance-policy.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import { mapLimited } from '../../shared/domain/map-limited.ts'
import type { InstanceSummary, NodeSummary } from '../../shared/domain/node-summary.ts'
import type { EmptinessVerdict } from '../../shared/domain/node-verdict.ts'
import type { ComputeService, Instance, Listing } from '../../shared/domain/openstack.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { type DrainedOnly, isDrainedOnly, isHostDrainedOnly } from '../../shared/domain/taken-out.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { namesOf } from '../../shared/words/steps/coded.ts'
import type { ConnectedWorld } from '../clusters/clusters.ts'
import { asksCephAbout } from '../clusters/view/asks-ceph.ts'
import { type HostOccupancy, hostsWithRow, occupancyOfMachine } from '../clusters/view/machines-outside.ts'
import { maintenanceOwnersOf } from '../clusters/view/maintenance-owners.ts'
import { isToBeEmpty, summarizeNodes } from '../clusters/view/node-summaries.ts'
import { isoNow } from '../platform/clock/clock.ts'
import { readCluster } from '../platform/reading/cluster-reading.ts'
import { fateOf, usualPolicyOf } from '../procedures/steps/compute/classify-instances.ts'
import { computeServiceOf, matchComputeService } from '../procedures/steps/compute/compute-host.ts'
import { readEmptiness, readReturning } from '../procedures/steps/general/read-verdict.ts'
import { listControlPlanePods } from '../procedures/steps/general/role-facts.ts'
import { activeNodeRuns, nodesDrainedOnly } from '../runs/active-runs.ts'
import { createProjectNames, type ProjectNames } from '../windows/project-names.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

/** Parallel requests to Nova about hosts outside Kubernetes. */
const AT_ONCE = 8

/** Requests about nodes and instances: reads again each time, and reports unreadable parts. */
export function nodeHandlers(
  services: Pick<ApiServices, 'clock' | 'worlds'> & {
    readonly runs: Pick<ApiServices['runs'], 'unfinished' | 'takenOut'>
  },
): Pick<Handlers, 'node.list' | 'instance.list'> {
  const projectNames = createProjectNames(services.clock)
  return {
    'node.list': async ({ cluster }) => {
      const connected = await services.worlds.open(cluster)
      if (!connected.ok) return connected
      return listNodes({ ...connected.value, ...readCluster(connected.value.world, services.clock) }, cluster, services)
    },
    'instance.list': async ({ cluster, node }) => {
      const connected = await services.worlds.open(cluster)
      if (!connected.ok) return connected
      const { openstack } = connected.value.world
      const [listed, names] = await Promise.all([
        listInstances(connected.value, node, services),
        openstack === null ? null : projectNames(cluster, openstack),
      ])
      return listed.ok ? ok({ ...listed.value, projects: projectsOf(listed.value.instances, names) }) : listed
    },
  }
}

async function listNodes(
  { world, at, openstackFailure }: ConnectedWorld & { readonly at: string },
  cluster: string,
  services: { readonly runs: Pick<ApiServices['runs'], 'unfinished' | 'takenOut'> },
): Promise<Result<RequestOutput<'node.list'>>> {
  const asksCeph = asksCephAbout(world.cluster)
  const [nodes, computes, hypervisors, agents, osds, objects, pods, foreign] = await Promise.all([
    world.kubernetes.listNodes(),
    world.openstack?.computeServices() ?? null,
    world.openstack?.hypervisors() ?? null,
    // Only on Sunbeam do agents show roles without labels.
    world.cluster.flavour === 'sunbeam' ? (world.openstack?.networkAgents(null) ?? null) : null,
    asksCeph ? world.ceph.osds() : null,
    world.cluster.flavour === 'mosk' ? world.maintenanceApi.objects() : null,
    listControlPlanePods(world),
    world.kubernetes.listForeignMaintenances(),
  ])
  if (!nodes.ok) return nodes
  // Without Ceph no node has OSDs.
  const knownOsds = osds === null ? null : osds.ok ? osds.value : osds.failure.code === 'not-found' ? [] : null
  const unreachable = [
    ...(openstackFailure === null ? [] : [openstackFailure.message]),
    ...[computes, hypervisors, agents, knownOsds === null ? osds : null, objects, pods, foreign].flatMap(read =>
      read === null || read.ok ? [] : [read.failure.message],
    ),
    ...(foreign.ok ? foreign.value.unread.map(({ message }) => message) : []),
  ]
  const activeRuns = activeNodeRuns(services.runs, cluster)
  const drained = nodesDrainedOnly(services.runs, cluster)
  const known = computes?.ok ? computes.value : null
  const suspects = nodes.value.filter(node => isToBeEmpty(node, known))
  const verdicts = await verdictsOf(suspects, { computes: known === null, osds: knownOsds, drained }, world, at)
  const hosts = hostsWithRow({ flavour: world.cluster.flavour, nodes: nodes.value, services: known, osds: knownOsds })
  const asked = await mapLimited(
    hosts,
    AT_ONCE,
    async host =>
      [host, await occupancyOfHost(host, isHostDrainedOnly(drained, host, known ?? []), world, at)] as const,
  )
  const outside = new Map(asked.flatMap(([host, there]) => (there === null ? [] : [[host, there] as const])))
  const buckets = world.cluster.flavour === 'sunbeam' ? crushHostsBeside(nodes.value, knownOsds ?? []) : []
  const summaries: NodeSummary[] = summarizeNodes({
    nodes: nodes.value,
    flavour: world.cluster.flavour,
    roleLabels: world.cluster.roleLabels,
    hasCloud: world.cluster.cloud !== null,
    asksCeph,
    services: known,
    hypervisors: hypervisors?.ok ? hypervisors.value : null,
    agents: agents?.ok ? agents.value : null,
    osds: knownOsds,
    cephAnswers: knownOsds !== null,
    activeRuns,
    controlPlanePods: pods.ok ? pods.value : null,
    verdicts,
    foreign: foreign.ok ? foreign.value.found : null,
    outside,
    nooutRuns: await nooutRunsOf(buckets, world),
    maintenanceOwners:
      objects === null || objects.ok || objects.failure.code === 'not-found'
        ? maintenanceOwnersOf(
            objects?.ok ? objects.value : null,
            nodes.value.map(({ name }) => name),
          )
        : null,
  })
  return ok({ nodes: summaries, readAt: at, unreachable })
}

/** What runs on a Nova host that is not a node; null if unknown. */
async function occupancyOfHost(
  host: string,
  isDrainOnly: boolean,
  world: ConnectedWorld['world'],
  at: string,
): Promise<HostOccupancy | null> {
  const { openstack, cluster } = world
  const there = await openstack?.instancesOnHost(host)
  if (!there?.ok || there.value.unreachable.length > 0) return null
  return occupancyOfMachine(
    there.value.items.map(instance => ({ instance, fate: fateOf(instance, { annotations: {} }, cluster) })),
    { ...(await readReturning(host, { world, at: () => at, signal: NEVER })), isDrainOnly },
  )
}

/** Whether nodes that appear to be in maintenance are empty, by name. */
async function verdictsOf(
  nodes: readonly ClusterNode[],
  {
    computes,
    osds,
    drained,
  }: { readonly computes: boolean; readonly osds: readonly CephOsd[] | null; readonly drained: DrainedOnly },
  world: ConnectedWorld['world'],
  at: string,
): Promise<ReadonlyMap<string, EmptinessVerdict>> {
  const verdicts = await Promise.all(
    nodes.map(async node => {
      const { name } = node
      const stores = osds !== null && osdsOfNode(osds, name).length > 0
      const { verdict } = await readEmptiness(
        { node: name, computes, stores, isDrainOnly: isDrainedOnly(drained, node), decided: new Map() },
        { world, at: () => at, signal: NEVER, counted: () => [] },
      )
      return [name, verdict] as const
    }),
  )
  return new Map(verdicts)
}

/** The run that set noout for a Ceph host outside Kubernetes, from its Lease; null if there is none. An unreadable Lease has no entry. */
async function nooutRunsOf(
  hosts: readonly string[],
  { kubernetes }: ConnectedWorld['world'],
): Promise<ReadonlyMap<string, string | null>> {
  const noted = await mapLimited(
    hosts,
    AT_ONCE,
    async name => [name, await kubernetes.getLeaseAnnotations(name)] as const,
  )
  return new Map(
    noted.flatMap(([name, lease]) => (lease.ok ? [[name, lease.value[NOOUT_ANNOTATION] ?? null] as const] : [])),
  )
}

/** List requests have their own deadlines. */
const NEVER = new AbortController().signal

/** Project names of these instances, if Keystone provides them. */
function projectsOf(
  instances: readonly InstanceSummary[],
  names: ProjectNames | null,
): RequestOutput<'instance.list'>['projects'] {
  const ids = new Set(instances.flatMap(({ projectId }) => (projectId === null ? [] : [projectId])))
  return [...ids].flatMap(id => {
    const name = names?.nameOf(id) ?? null
    return name === null ? [] : [{ id, name }]
  })
}

async function listInstances(
  { world, openstackFailure }: ConnectedWorld,
  node: string | null,
  services: Pick<ApiServices, 'clock'>,
): Promise<Result<Omit<RequestOutput<'instance.list'>, 'projects'>>> {
  if (openstackFailure !== null) return { ok: false, failure: openstackFailure }
  if (world.openstack === null)
    return ok({ instances: [], readAt: isoNow(services.clock), unreachable: [because('ClusterHasNoCloud').message] })
  const [nodes, computes] = await Promise.all([world.kubernetes.listNodes(), world.openstack.computeServices()])
  if (!nodes.ok) return nodes
  const read = await readInstances(world.openstack, nodes.value, computes, node)
  if (!read.ok) return read
  const byHost = hostsOf(nodes.value, computes.ok ? computes.value : [])
  const instances = read.value.items
    .map(instance => summaryOf(instance, instance.host === null ? undefined : byHost.get(instance.host), world.cluster))
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
  const unreachable = [
    ...read.value.unreachable,
    // Without Nova's services no host matches a node, whose mode decides for untagged instances.
    ...(computes.ok ? [] : [because('HostModesUnknown', { cause: computes.failure.message }).message]),
  ]
  return ok({ instances, readAt: isoNow(services.clock), unreachable })
}

async function readInstances(
  cloud: NonNullable<ConnectedWorld['world']['openstack']>,
  nodes: readonly ClusterNode[],
  computes: Result<readonly ComputeService[]>,
  name: string | null,
): Promise<Result<Listing<Instance>>> {
  if (name === null) return cloud.listInstances()
  if (!computes.ok) return computes
  const node = nodes.find(candidate => candidate.name === name)
  // A machine outside Kubernetes is known by its nova-compute only (decision 0031).
  const service =
    node === undefined ? matchComputeService([name], computes.value) : computeServiceOf(node, computes.value)
  if (node === undefined && service === null) {
    const carried = new Set(nodes.map(each => computeServiceOf(each, computes.value)?.host))
    const outside = computes.value.map(({ host }) => host).filter(host => !carried.has(host))
    const names = [...nodes.map(candidate => candidate.name), ...outside].sort()
    return failed(
      refusal('not-found', because('NoSuchMachine', { node: name, nodes: namesOf(names) }), { target: `node/${name}` }),
    )
  }
  return service === null
    ? ok({ items: [], unreachable: [because('NoComputeServiceOn', { node: name }).message] })
    : cloud.instancesOnHost(service.host)
}

function hostsOf(nodes: readonly ClusterNode[], computes: readonly ComputeService[]): ReadonlyMap<string, ClusterNode> {
  return new Map(
    nodes.flatMap(node => {
      const service = computeServiceOf(node, computes)
      return service === null ? [] : [[service.host, node] as const]
    }),
  )
}

function summaryOf(instance: Instance, node: ClusterNode | undefined, cluster: Cluster): InstanceSummary {
  const policy = usualPolicyOf(instance, node ?? { annotations: {} }, cluster)
  return {
    id: instance.id,
    name: instance.name,
    projectId: instance.projectId,
    host: instance.host,
    zone: instance.availabilityZone,
    status: instance.status,
    taskState: instance.taskState,
    action: shownAction(policy.action, instance),
    actionSource: policy.source,
    actionReason: policy.reason,
    warnings: [...policy.warnings],
  }
}
