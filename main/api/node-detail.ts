import { agentsOf } from '../../shared/domain/agents-of-node.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { type ClusterNode, DRAIN_DEFAULTS, type PodDecision } from '../../shared/domain/kubernetes.ts'
import { namesOfNode, recordsOf } from '../../shared/domain/machine-names.ts'
import type { NodeDetail, PodOfNode, ServiceOfNode } from '../../shared/domain/node-detail.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import type { ConnectedWorld } from '../clusters/clusters.ts'
import { readCluster } from '../platform/reading/cluster-reading.ts'
import { computeServiceOf } from '../procedures/steps/compute/compute-host.ts'
import type { Handlers } from './serve.ts'
import type { ApiServices } from './services.ts'

const EVENTS_SHOWN = 100

/** The detail of one node: reads its parts in parallel, and a failed part does not hide the others. */
export function nodeDetailHandlers(services: Pick<ApiServices, 'clock' | 'worlds'>): Pick<Handlers, 'node.show'> {
  return {
    'node.show': async ({ cluster, node: name }) => {
      const opened = await services.worlds.open(cluster)
      if (!opened.ok) return opened
      const { world, at } = readCluster(opened.value.world, services.clock)
      const node = await world.kubernetes.getNode(name)
      if (!node.ok) return node
      const [pods, agentsAndServices, events] = await Promise.all([
        readPods(name, world),
        readServices(node.value, { ...opened.value, world }),
        world.kubernetes.listNodeEvents(name, EVENTS_SHOWN),
      ])
      return ok<NodeDetail>({
        cluster,
        node: name,
        readAt: at,
        labels: { ...node.value.labels },
        pods,
        services: agentsAndServices,
        events: events.ok ? ok([...events.value]) : events,
      })
    },
  }
}

/** What a drain with kubectl's defaults and without DaemonSet pods would do to each pod now. */
async function readPods(node: string, world: ConnectedWorld['world']): Promise<Result<PodOfNode[]>> {
  const plan = await world.kubernetes.planDrain(node, DRAIN_DEFAULTS, { dryRun: false })
  return plan.ok ? ok(plan.value.decisions.map(podOf).sort(byName)) : plan
}

function podOf({ pod, fate, reason, code, values, warnings, budgets }: PodDecision): PodOfNode {
  return {
    namespace: pod.namespace,
    name: pod.name,
    uid: pod.uid,
    phase: pod.phase,
    ready: pod.ready,
    controller: pod.controller === null ? null : `${pod.controller.kind}/${pod.controller.name}`,
    fate,
    reason,
    ...(code === undefined || values === undefined ? {} : { code, values: { ...values } }),
    warnings: [...warnings],
    budgets: budgets.map(budget => ({ ...budget })),
    claims: [...pod.claims],
    emptyDirs: [...pod.emptyDirs],
    createdAt: pod.createdAt,
  }
}

function byName(a: PodOfNode, b: PodOfNode): number {
  return a.namespace.localeCompare(b.namespace) || a.name.localeCompare(b.name)
}

async function readServices(
  node: ClusterNode,
  { world, openstackFailure }: ConnectedWorld,
): Promise<Result<ServiceOfNode[]>> {
  if (openstackFailure !== null) return failed(openstackFailure)
  if (world.openstack === null) return failed(withoutCloud(world.cluster.name))
  const [computes, agents] = await Promise.all([world.openstack.computeServices(), world.openstack.networkAgents(null)])
  if (!computes.ok) return computes
  if (!agents.ok) return agents
  const nodes = await world.kubernetes.listNodes()
  if (!nodes.ok) return nodes
  // Every matching record, the decisive one first; leftovers of a rename are shown.
  const others = nodes.value.filter(({ name }) => name !== node.name).flatMap(namesOfNode)
  const names = namesOfNode(node)
  const counts = computeServiceOf(node, computes.value, others)
  const own = recordsOf(names, computes.value, ({ host }) => host, others)
  const hosts = [...new Set([...names, ...(counts === null ? [] : [counts.host])])]
  return ok([
    ...own
      .toSorted((one, other) => Number(other === counts) - Number(one === counts))
      .map(compute => ({
        kind: 'compute' as const,
        binary: compute.binary,
        host: compute.host,
        enabled: compute.status === 'enabled',
        up: compute.state === 'up',
        disabledReason: compute.disabledReason,
        lastSeenAt: compute.updatedAt,
      })),
    ...agentsOf(hosts, agents.value, others).map(agent => ({
      kind: 'network' as const,
      binary: agent.binary,
      host: agent.host,
      enabled: agent.adminStateUp,
      up: agent.alive,
      disabledReason: null,
      lastSeenAt: agent.heartbeatAt,
    })),
  ])
}

function withoutCloud(cluster: string): Failure {
  return refusal('not-found', because('NoServicesInCluster', { cluster }), {
    target: `cluster/${cluster}`,
  })
}
