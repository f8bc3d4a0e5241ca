import type { Cluster, SessionWarning } from '../../../shared/domain/cluster.ts'
import type {
  ClusterView,
  InstanceView,
  NodeView,
  SourceName,
  SourceState,
  ViewChange,
  ViewSource,
} from '../../../shared/domain/cluster-view.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import type { HardGroup } from '../../../shared/domain/group-hosts.ts'
import { shownAction } from '../../../shared/domain/instance-policy.ts'
import { markedActions } from '../../../shared/domain/instance-tags.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import type { ClusterNode } from '../../../shared/domain/kubernetes.ts'
import type { MaintenanceObjects } from '../../../shared/domain/maintenance-api.ts'
import { controlPlaneNamespaces } from '../../../shared/domain/node-roles.ts'
import type { Instance } from '../../../shared/domain/openstack.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { fateOf, usualPolicyOf } from '../../procedures/steps/compute/classify-instances.ts'
import { asksCephAbout } from './asks-ceph.ts'
import type { ClusterFacts } from './facts.ts'
import { POLLED } from './pace.ts'
import { projectNode, projectOutside } from './project-node.ts'
import type { createSettling } from './settling.ts'

/** The objects of the node maintenance API are sent as a whole: above this number at a lower rate. */
const MANY_OBJECTS = 200
const MANY_OBJECTS_EVERY_MS = 500
const ALIVE_EVERY_MS = seconds(5)
/** A page reads one message in one task. */
const MOST_INSTANCES = 500

const POLLED_SOURCES = Object.keys(POLLED) as (keyof typeof POLLED)[]
const SOURCES: readonly SourceName[] = [
  'nodes',
  'pods',
  'leases',
  'workload-locks',
  'maintenance-requests',
  ...POLLED_SOURCES,
]

interface BoardParts {
  readonly cluster: Cluster
  readonly facts: ClusterFacts
  readonly settling: ReturnType<typeof createSettling>
  readonly hasCloud: boolean
  readonly clock: Clock
}

/** One cluster as last sent to listeners, and what must be drawn again. Each `put` returns whether something changed. */
export interface Board {
  putState(name: SourceName, state: SourceState): boolean
  putMaintenance(objects: MaintenanceObjects | null): boolean
  putProjects(projects: readonly ClusterView['projects'][number][]): boolean
  draw(): ViewChange[]
  /** When waiting objects of the node maintenance API may be sent; null if none wait. */
  maintenanceDueAt(): number | null
  view(warnings: readonly SessionWarning[]): Omit<ClusterView, 'instances'>
  /** The next instances in the order of their ids, as many as one message may have; `more` is the last of them unless all were sent. */
  instancesAfter(id: string | null): { readonly instances: InstanceView[]; readonly more?: string }
}

interface BoardState extends BoardParts {
  readonly nodes: Map<string, NodeView>
  readonly instances: Map<string, InstanceView>
  /** The ids of all instances in order; null if it must be made again. */
  ids: readonly string[] | null
  readonly sources: Map<SourceName, ViewSource>
  readonly changedSources: Set<SourceName>
  projects: ClusterView['projects']
  areProjectsChanged: boolean
  isMaintenanceChanged: boolean
  maintenanceSentAt: number
}

export function createBoard(parts: BoardParts): Board {
  const { cluster, facts } = parts
  const state: BoardState = {
    ...parts,
    nodes: new Map(),
    instances: new Map(),
    ids: null,
    sources: new Map(),
    changedSources: new Set(),
    projects: [],
    areProjectsChanged: false,
    isMaintenanceChanged: false,
    maintenanceSentAt: Number.NEGATIVE_INFINITY,
  }
  return {
    putState: (name, sourceState) => putState(state, name, sourceState),
    putMaintenance: objects => {
      const hadAny = facts.maintenance !== null
      if (!facts.putMaintenance(objects)) return false
      if (hadAny !== (objects !== null)) facts.everyNode()
      state.isMaintenanceChanged = true
      return true
    },
    putProjects: read => {
      const named = read.map(({ id, name }) => ({ id, name })).sort((a, b) => a.id.localeCompare(b.id))
      if (isSameJson(state.projects, named)) return false
      state.projects = named
      state.areProjectsChanged = true
      return true
    },
    // Instances come first: nodes are drawn with their instances.
    draw: () => [...drawInstances(state), ...drawNodes(state), ...drawRest(state)],
    maintenanceDueAt: () => maintenanceDueAt(state),
    view: warnings => ({
      cluster: cluster.name,
      warnings: [...warnings],
      sources: SOURCES.map(name => sourceOf(facts, name)),
      nodes: [...state.nodes.values()].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
      projects: state.projects,
      maintenance: facts.maintenance,
    }),
    instancesAfter: id => instancesAfter(state, id),
  }
}

function putState(
  { cluster, facts, sources, changedSources }: BoardState,
  name: SourceName,
  state: SourceState,
): boolean {
  const before = sources.get(name)?.state
  facts.putState(name, state, cluster.flavour)
  const stillAlive =
    state.kind === 'live' &&
    before?.kind === 'live' &&
    Date.parse(state.lastAnswerAt) - Date.parse(before.lastAnswerAt) < ALIVE_EVERY_MS
  if (stillAlive) return false
  changedSources.add(name)
  return true
}

function maintenanceDueAt({ facts: { maintenance }, isMaintenanceChanged, maintenanceSentAt }: BoardState) {
  if (!isMaintenanceChanged) return null
  const count = maintenance === null ? 0 : Object.values(maintenance).reduce((sum, list) => sum + list.length, 0)
  return maintenanceSentAt + (count > MANY_OBJECTS ? MANY_OBJECTS_EVERY_MS : 0)
}

function instancesAfter(state: BoardState, id: string | null) {
  state.ids ??= [...state.instances.keys()].sort()
  const { ids, instances } = state
  const from = id === null ? 0 : firstAfter(ids, id)
  const sent = ids.slice(from, from + MOST_INSTANCES)
  const last = sent.at(-1)
  return {
    instances: sent.flatMap(each => instances.get(each) ?? []),
    ...(last === undefined || from + sent.length === ids.length ? {} : { more: last }),
  }
}

function firstAfter(ids: readonly string[], id: string): number {
  let [low, high] = [0, ids.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ids[middle] ?? '') <= id) low = middle + 1
    else high = middle
  }
  return low
}

function drawInstances(state: BoardState): ViewChange[] {
  const { cluster, facts, instances } = state
  const changes: ViewChange[] = []
  for (const id of facts.dirtyInstances) {
    const instance = facts.instances.get(id)
    if (instance === undefined) {
      if (!instances.delete(id)) continue
      state.ids = null
      changes.push({ kind: 'instance-gone', id })
      continue
    }
    const node = facts.nodeOfHost(instance.host)
    const value = projectInstance(instance, node, cluster, facts.groupsOf(instance.id))
    const before = instances.get(id)
    if (isSameJson(before, value)) continue
    if (before === undefined) state.ids = null
    instances.set(id, value)
    if (node !== null && facts.has('instances')) facts.dirtyNodes.add(node.name)
    changes.push({ kind: 'instance', value })
  }
  facts.dirtyInstances.clear()
  return changes
}

function drawNodes({ cluster, facts, settling, hasCloud, clock, nodes, instances }: BoardState): ViewChange[] {
  const changes: ViewChange[] = []
  const setting = {
    nodes: [...facts.nodes.values()],
    flavour: cluster.flavour,
    fateOf: (instance: Instance, node: Pick<ClusterNode, 'annotations'>) => fateOf(instance, node, cluster),
    roleLabels: cluster.roleLabels,
    hasCloud,
    controlNamespaces: controlPlaneNamespaces(cluster),
    asksCeph: asksCephAbout(cluster),
    monotonicMs: clock.monotonicMs(),
  }
  // Only with known nodes can a name be recognised as not a node.
  const outside =
    facts.has('nodes') && [...facts.dirtyNodes].some(name => !facts.nodes.has(name))
      ? projectOutside(facts, setting)
      : null
  for (const name of facts.dirtyNodes) {
    const found = projectNode(name, facts, instances, setting) ?? outside?.get(name) ?? null
    if (found === null) {
      settling.forget(name)
      if (nodes.delete(name)) changes.push({ kind: 'node-gone', name })
      continue
    }
    const value = settling.seenAs(found, nodes.get(name))
    if (isSameJson(nodes.get(name), value)) continue
    nodes.set(name, value)
    changes.push({ kind: 'node', value })
  }
  facts.dirtyNodes.clear()
  return changes
}

function drawRest(state: BoardState): ViewChange[] {
  const { facts, clock, sources, changedSources } = state
  const changes: ViewChange[] = []
  const dueAt = maintenanceDueAt(state)
  if (dueAt !== null && clock.now() >= dueAt) {
    state.isMaintenanceChanged = false
    state.maintenanceSentAt = clock.now()
    changes.push({ kind: 'maintenance', value: facts.maintenance })
  }
  if (state.areProjectsChanged) {
    state.areProjectsChanged = false
    changes.push({ kind: 'projects', value: state.projects })
  }
  for (const name of changedSources) {
    const value = sourceOf(facts, name)
    sources.set(name, value)
    changes.push({ kind: 'source', value })
  }
  changedSources.clear()
  return changes
}

function sourceOf(facts: ClusterFacts, name: SourceName): ViewSource {
  const everyMs = Object.hasOwn(POLLED, name) ? POLLED[name as keyof typeof POLLED] : null
  return { name, state: facts.states.get(name) ?? { kind: 'catching-up' }, everyMs }
}

export function projectInstance(
  instance: Instance,
  node: ClusterNode | null,
  cluster: Pick<Cluster, 'flavour' | 'roleMaintenance'>,
  groups: readonly HardGroup[] = [],
): InstanceView {
  const policy = usualPolicyOf(instance, node ?? { annotations: {} }, cluster)
  const { flavor } = instance
  return {
    id: instance.id,
    name: instance.name,
    projectId: instance.projectId,
    host: instance.host,
    node: node?.name ?? null,
    zone: instance.availabilityZone,
    status: instance.status,
    taskState: instance.taskState,
    vmState: instance.vmState,
    powerState: instance.powerState,
    action: shownAction(policy.action, instance),
    actionSource: policy.source,
    actionReason: policy.reason,
    remedy: policy.remedy,
    warnings: [...policy.warnings],
    marks: [...markedActions(instance.tags)],
    flavor:
      flavor === null
        ? null
        : {
            name: flavor.name,
            vcpus: flavor.vcpus,
            ramMib: flavor.ramMib,
            diskGib: flavor.diskGib,
            ephemeralGib: flavor.ephemeralGib,
          },
    volumes: instance.volumeIds.length,
    locked: instance.locked,
    ...(instance.pinnedZone === undefined ? {} : { pinnedZone: instance.pinnedZone }),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    updatedAt: instance.updatedAt,
  }
}
