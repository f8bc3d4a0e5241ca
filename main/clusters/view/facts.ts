import type { CephOsd } from '../../../shared/domain/ceph.ts'
import type { ClusterFlavour } from '../../../shared/domain/cluster.ts'
import type { SourceName, SourceState, WorkloadLockLamp } from '../../../shared/domain/cluster-view.ts'
import type { ForeignMaintenance } from '../../../shared/domain/foreign-maintenance.ts'
import { type HardGroup, hardGroups } from '../../../shared/domain/group-hosts.ts'
import { isSameJson } from '../../../shared/domain/is-same-json.ts'
import type { ClusterNode, Pod } from '../../../shared/domain/kubernetes.ts'
import { type MaintenanceObjects, nodeMeant } from '../../../shared/domain/maintenance-api.ts'
import type { EmptinessReading } from '../../../shared/domain/node-verdict.ts'
import type {
  ComputeService,
  Instance,
  Migration,
  NetworkAgent,
  ResourceProvider,
  ServerGroup,
} from '../../../shared/domain/openstack.ts'
import type { DrainedOnly } from '../../../shared/domain/taken-out.ts'
import type { NodeLease } from '../../ports/kubernetes.ts'
import { computeServiceOf } from '../../procedures/steps/compute/compute-host.ts'
import type { ActiveNodeRun } from '../../runs/active-runs.ts'
import { lampsOf, withoutNodeCopies } from './lock-lamps.ts'
import { type MaintenanceOwners, maintenanceOwnersOf, NO_MAINTENANCE_OWNERS } from './maintenance-owners.ts'
import { isToBeEmpty } from './node-summaries.ts'
import { hostsOf, isOpenMove, OpenMoves } from './open-moves.ts'

/** What the sources of a cluster reported; null if the source never answered. Every change marks the nodes and instances to draw again. */
export class ClusterFacts {
  readonly nodes = new Map<string, ClusterNode>()
  readonly podsOn = new Map<string, Map<string, Pod>>()
  readonly leases = new Map<string, NodeLease>()
  lamps: ReadonlyMap<string, readonly WorkloadLockLamp[]> = new Map()
  maintenanceOwners: MaintenanceOwners = NO_MAINTENANCE_OWNERS
  maintenance: MaintenanceObjects | null = null
  readonly instances = new Map<string, Instance>()
  readonly instancesOn = new Map<string, Set<string>>()
  readonly states = new Map<SourceName, SourceState>()
  services: readonly ComputeService[] | null = null
  agents: readonly NetworkAgent[] | null = null
  providers: ReadonlyMap<string, ResourceProvider> | null = null
  /** Counts changes of instances, and of what they occupy on hosts. */
  instanceChanges = 0
  roomChanges = 0
  osds: readonly CephOsd[] | null = null
  cephAnswers = false
  foreign: readonly ForeignMaintenance[] | null = null
  activeRuns: readonly ActiveNodeRun[] = []
  drainedOnly: DrainedOnly = new Map()
  private groups: ReadonlyMap<string, readonly HardGroup[]> = new Map()
  private readonly moves = new OpenMoves()
  areMovesKnown = true
  readonly known = new Set<SourceName>()
  readonly dirtyNodes = new Set<string>()
  readonly dirtyInstances = new Set<string>()

  private readonly nodeNames = new Map<string, string>()
  private readonly podNodes = new Map<string, string>()
  /** The node of each name in a lock, resolved once: hundreds of nodes have a thousand locks that change. */
  private readonly nodesMeant = new Map<string, string | null>()
  private nodeOfHosts = new Map<string, string>()

  nodeOfHost(host: string | null): ClusterNode | null {
    const name = host === null ? undefined : this.nodeOfHosts.get(host)
    return name === undefined ? null : (this.nodes.get(name) ?? null)
  }

  unknownMoves(): readonly string[] {
    return this.moves.unread(this.instances.values())
  }

  undirectedMoves(): readonly string[] {
    return this.moves.withoutDestination()
  }

  putMove(id: string, migration: Migration | null): void {
    const instance = this.instances.get(id)
    if (instance === undefined) return
    this.moves.put(instance, migration)
    this.noteMoves()
    for (const host of hostsOf(migration)) this.dirtyHost(host)
  }

  returningTo(host: string): EmptinessReading['returning'] {
    return this.moves.returningTo(host, this.instances)
  }

  changeNodes(upserts: readonly ClusterNode[], removedUids: readonly string[]): void {
    for (const uid of removedUids) {
      const name = this.nodeNames.get(uid)
      this.nodeNames.delete(uid)
      if (name !== undefined && this.nodes.get(name)?.uid === uid) {
        this.nodes.delete(name)
        this.dirtyNodes.add(name)
      }
    }
    let hostsMayDiffer = removedUids.length > 0
    for (const node of upserts) {
      const before = this.nodes.get(node.name)
      if (before === undefined) hostsMayDiffer = true
      this.nodes.set(node.name, node)
      this.nodeNames.set(node.uid, node.name)
      this.dirtyNodes.add(node.name)
      if (before !== undefined && !isSameJson(before.annotations, node.annotations)) {
        this.dirtyInstancesOf(node.name)
      }
    }
    if (!hostsMayDiffer) return
    this.matchHosts()
    this.unknownNodes()
    // The existing nodes decide which node a lock means.
    this.nodesMeant.clear()
    this.lightLamps()
  }

  changePods(upserts: readonly Pod[], removedUids: readonly string[]): void {
    for (const uid of removedUids) this.takePod(uid)
    for (const pod of upserts) {
      this.takePod(pod.uid)
      if (pod.nodeName === null) continue
      const pods = this.podsOn.get(pod.nodeName) ?? new Map<string, Pod>()
      pods.set(pod.uid, pod)
      this.podsOn.set(pod.nodeName, pods)
      this.podNodes.set(pod.uid, pod.nodeName)
      this.dirtyNodes.add(pod.nodeName)
    }
  }

  changeLeases(upserts: readonly NodeLease[], removedUids: readonly string[]): void {
    for (const [node, lease] of this.leases) {
      if (!removedUids.includes(lease.uid)) continue
      this.leases.delete(node)
      this.dirtyNodes.add(node)
    }
    for (const lease of upserts) {
      this.leases.set(lease.node, lease)
      this.dirtyNodes.add(lease.node)
    }
  }

  /** Drops parts that are not drawn (the copy of the whole node on each lock); returns whether anything drawn differs. */
  putMaintenance(objects: MaintenanceObjects | null): boolean {
    const drawn = objects === null ? null : withoutNodeCopies(objects)
    if (isSameJson(drawn, this.maintenance)) return false
    this.maintenance = drawn
    this.lightLamps()
    return true
  }

  /** Returns whether anything drawn differs. */
  putOsds(osds: readonly CephOsd[]): boolean {
    const drawn = (list: readonly CephOsd[] | null) =>
      list?.map(osd => [osd.id, osd.host, osd.up, osd.noout, osd.hostNoout])
    const same = isSameJson(drawn(osds), drawn(this.osds))
    this.unknownNodes()
    const news = !same || !this.cephAnswers
    this.osds = osds
    this.cephAnswers = true
    if (news) this.everyNode()
    return news
  }

  /** Ceph did not answer: its last answer stays, but nothing relies on it. Returns whether this is new. */
  cephIsSilent(): boolean {
    if (!this.cephAnswers) return false
    this.cephAnswers = false
    this.everyNode()
    return true
  }

  putServices(services: readonly ComputeService[]): void {
    // The heartbeat changes constantly and is not drawn, except that of a record that nobody writes any more.
    const drawn = (list: readonly ComputeService[] | null) =>
      list?.map(({ updatedAt, ...service }) => (service.state === 'up' ? service : { ...service, updatedAt }))
    const same = isSameJson(drawn(services), drawn(this.services))
    if (!same) this.unknownNodes()
    this.services = services
    if (same) return
    this.matchHosts()
    this.everyNode()
  }

  putAgents(agents: readonly NetworkAgent[]): void {
    // The heartbeat changes constantly and is not drawn.
    const drawn = (list: readonly NetworkAgent[] | null) =>
      list?.map(agent => [agent.id, agent.host, agent.alive, agent.adminStateUp])
    const same = isSameJson(drawn(agents), drawn(this.agents))
    this.agents = agents
    if (!same) this.everyNode()
  }

  /** Returns whether it changed: then every node is drawn again, because its author may use another name of a node. */
  putForeign(foreign: readonly ForeignMaintenance[]): boolean {
    if (isSameJson(this.foreign, foreign)) return false
    this.foreign = foreign
    this.everyNode()
    return true
  }

  putProviders(providers: readonly ResourceProvider[]): void {
    const before = this.providers
    this.providers = new Map(providers.map(provider => [provider.name, provider]))
    if (!isSameJson([...(before?.values() ?? [])], providers)) this.everyNode()
  }

  groupsOf(id: string): readonly HardGroup[] {
    return this.groups.get(id) ?? []
  }

  putGroups(groups: readonly ServerGroup[]): void {
    const before = this.groups
    this.groups = groupsByMember(groups)
    for (const id of changedKeys(before, this.groups)) this.dirtyInstances.add(id)
  }

  changeInstances(upserts: readonly Instance[], goneIds: readonly string[]): void {
    for (const id of goneIds) {
      if (!this.instances.has(id)) continue
      this.instanceChanges += 1
      this.roomChanges += 1
      this.takeInstance(id)
      this.forgetMove(id)
    }
    for (const instance of upserts) {
      const before = this.instances.get(instance.id)
      if (isSameJson(before, instance)) continue
      this.instanceChanges += 1
      const isOther = before?.host !== instance.host || before.flavor?.name !== instance.flavor?.name
      if (isOther && this.has('instances')) this.roomChanges += 1
      this.takeInstance(instance.id)
      this.instances.set(instance.id, instance)
      if (!isOpenMove(instance)) this.forgetMove(instance.id)
      if (instance.host === null) continue
      const there = this.instancesOn.get(instance.host) ?? new Set<string>()
      there.add(instance.id)
      this.instancesOn.set(instance.host, there)
      this.dirtyHostOf(instance.host)
    }
    this.noteMoves()
  }

  putRuns(activeRuns: readonly ActiveNodeRun[], drainedOnly: DrainedOnly): void {
    for (const run of [...this.activeRuns, ...activeRuns]) this.dirtyNodes.add(run.node)
    for (const node of [...this.drainedOnly.keys(), ...drainedOnly.keys()]) this.dirtyNodes.add(node)
    this.activeRuns = activeRuns
    this.drainedOnly = drainedOnly
  }

  has(source: SourceName): boolean {
    return this.known.has(source)
  }

  /** The first answer of a source: pods and instances are counted on every node, locks name its owner; the others draw what they change. */
  learn(source: SourceName): void {
    if (this.known.has(source)) return
    this.known.add(source)
    if (source === 'pods' || source === 'instances' || source === 'workload-locks') this.everyNode()
    else this.everyVerdict()
  }

  /** Whether a node is empty is known only while its sources answer; on MOSK its owner too. */
  putState(source: SourceName, state: SourceState, flavour: ClusterFlavour): void {
    const answered = answers(this.states.get(source))
    this.states.set(source, state)
    if (answers(state) === answered) return
    if (source === 'workload-locks' && flavour === 'mosk') this.everyNode()
    else this.everyVerdict()
  }

  everyNode(): void {
    for (const name of this.nodes.keys()) this.dirtyNodes.add(name)
    this.unknownNodes()
  }

  /** Nodes that should be empty, and names that are not nodes: whatever says whether something is left there. */
  private everyVerdict(): void {
    for (const node of this.nodes.values()) if (isToBeEmpty(node, this.services)) this.dirtyNodes.add(node.name)
    this.unknownNodes()
  }

  /** Names in Nova or Ceph that are not nodes: former nodes, perhaps. */
  private unknownNodes(): void {
    for (const { host } of this.services ?? []) if (!this.nodeOfHosts.has(host)) this.dirtyNodes.add(host)
    for (const { host } of this.osds ?? []) if (host !== null && !this.nodes.has(host)) this.dirtyNodes.add(host)
  }

  private takePod(uid: string): void {
    const node = this.podNodes.get(uid)
    if (node === undefined) return
    this.podNodes.delete(uid)
    this.podsOn.get(node)?.delete(uid)
    this.dirtyNodes.add(node)
  }

  private takeInstance(id: string): void {
    this.dirtyInstances.add(id)
    const before = this.instances.get(id)
    this.instances.delete(id)
    if (before === undefined || before.host === null) return
    this.instancesOn.get(before.host)?.delete(id)
    this.dirtyHostOf(before.host)
  }

  /** A move without a known destination may go to any node that should be empty. */
  private noteMoves(): void {
    const areKnown = this.unknownMoves().length === 0
    if (areKnown === this.areMovesKnown) return
    this.areMovesKnown = areKnown
    this.everyVerdict()
  }

  private forgetMove(id: string): void {
    for (const host of this.moves.forget(id)) this.dirtyHost(host)
  }

  /** Before the first list is complete its instances are not counted, and each of its pages has instances of every node. */
  private dirtyHostOf(host: string): void {
    if (this.has('instances') || !this.moves.isEmpty) this.dirtyHost(host)
  }

  private dirtyHost(host: string): void {
    this.dirtyNodes.add(this.nodeOfHosts.get(host) ?? host)
    // The host may be a node under another name.
    const alike = this.nodeOfHosts.has(host) ? host : (host.split('.')[0] ?? host)
    if (alike !== host && this.nodes.has(alike)) this.dirtyNodes.add(alike)
  }

  private dirtyInstancesOf(node: string): void {
    for (const [host, name] of this.nodeOfHosts) {
      if (name !== node) continue
      for (const id of this.instancesOn.get(host) ?? []) this.dirtyInstances.add(id)
    }
  }

  /** The lock states of each node (docs/domain.md A.1: by the name in the spec, which may be an FQDN). */
  private lightLamps(): void {
    this.putMaintenanceOwners(maintenanceOwnersOf(this.maintenance, [...this.nodes.keys()]))
    const before = this.lamps
    this.lamps = lampsOf(this.maintenance, nodeName => this.nodeOfLock(nodeName))
    for (const node of changedKeys(before, this.lamps)) this.dirtyNodes.add(node)
  }

  private putMaintenanceOwners(maintenanceOwners: MaintenanceOwners): void {
    const before = this.maintenanceOwners
    this.maintenanceOwners = maintenanceOwners
    for (const name of changedKeys(before.ofNode, maintenanceOwners.ofNode)) this.dirtyNodes.add(name)
    for (const name of changedKeys(before.unknownNodes, maintenanceOwners.unknownNodes)) this.dirtyNodes.add(name)
  }

  private nodeOfLock(nodeName: string): string | null {
    const found = this.nodesMeant.get(nodeName)
    if (found !== undefined) return found
    const node = nodeMeant(nodeName, [...this.nodes.keys()])
    this.nodesMeant.set(nodeName, node)
    return node
  }

  /** Matches nodes and hosts; redraws instances of hosts that gained or lost their node. */
  private matchHosts(): void {
    const before = this.nodeOfHosts
    const services = this.services ?? []
    this.nodeOfHosts = new Map(
      [...this.nodes.values()].flatMap(node => {
        const service = computeServiceOf(node, services)
        return service === null ? [] : [[service.host, node.name] as const]
      }),
    )
    for (const host of new Set([...before.keys(), ...this.nodeOfHosts.keys()])) {
      if (before.get(host) === this.nodeOfHosts.get(host)) continue
      for (const id of this.instancesOn.get(host) ?? []) this.dirtyInstances.add(id)
      this.dirtyHost(host)
    }
  }
}

/** `absent` is a separate answer: it says that there is nothing to ask. */
function answers(state: SourceState | undefined): 'answers' | 'absent' | 'silent' {
  if (state?.kind === 'absent') return 'absent'
  return state?.kind === 'offline' || state?.kind === 'not-permitted' ? 'silent' : 'answers'
}

function changedKeys<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(key => !isSameJson(before.get(key), after.get(key)))
}

function groupsByMember(groups: readonly ServerGroup[]): ReadonlyMap<string, readonly HardGroup[]> {
  const ofMember = new Map<string, HardGroup[]>()
  for (const { memberIds, ...group } of hardGroups(groups)) {
    for (const id of memberIds) ofMember.set(id, [...(ofMember.get(id) ?? []), group])
  }
  return ofMember
}
