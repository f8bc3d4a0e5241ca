import type { Cluster, SessionWarning } from '../../shared/domain/cluster.ts'
import type {
  ClusterView,
  InstanceView,
  NodeView,
  SourceName,
  SourceState,
  ViewChange,
  ViewSource,
} from '../../shared/domain/cluster-view.ts'
import { seconds } from '../../shared/domain/durations.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import type { ClusterNode } from '../../shared/domain/kubernetes.ts'
import type { MaintenanceObjects } from '../../shared/domain/maintenance-api.ts'
import type { Instance } from '../../shared/domain/openstack.ts'
import { ok, type Result } from '../../shared/domain/result.ts'
import type { Clock } from '../clock/clock.ts'
import type { CephPort } from '../ports/ceph.ts'
import type { FeedListener, KubernetesFeeds } from '../ports/kubernetes.ts'
import type { OpenStackPort } from '../ports/openstack.ts'
import { policyOf } from '../procedures/steps/compute/classify-instances.ts'
import type { ActiveNodeRun } from '../runs/active-runs.ts'
import { asksCephAbout } from './asks-ceph.ts'
import { ClusterFacts } from './facts.ts'
import { hasToLeave } from './has-to-leave.ts'
import { POLLED, pollCloud } from './poll-cloud.ts'
import { pollOsds } from './poll-osds.ts'
import { projectInstance } from './project-instance.ts'
import { projectNode, projectOutside } from './project-node.ts'
import { createSettling } from './settling.ts'

/** What changed between two numbers. */
export interface ViewPatch {
  readonly cluster: string
  readonly fromSeq: number
  readonly toSeq: number
  readonly changes: ViewChange[]
}

interface LiveViewParts {
  readonly cluster: Cluster
  readonly warnings: readonly SessionWarning[]
  readonly feeds: KubernetesFeeds
  /** The cloud, asked for before each poll: a login that failed is tried again by whoever keeps the sessions. Null: there is none. */
  readonly cloud: (() => Promise<Result<OpenStackPort>>) | null
  /** Ceph, for the OSDs of the nodes; null: nobody asks. */
  readonly ceph: Pick<CephPort, 'osds'> | null
  readonly activeRuns: () => readonly ActiveNodeRun[]
  /** Whether a run is over and ended otherwise than it was to. */
  readonly hasFailed: (runId: string) => boolean
  readonly clock: Clock
  readonly onPatch: (patch: ViewPatch) => void
}

/** One cluster as it is now, kept current until stopped. */
export interface LiveView {
  /** When the nodes are known, and the cloud's lists where they come soon: what a first board needs. A failure: the nodes cannot be read. */
  readonly ready: Promise<Result<void>>
  snapshot(): { readonly view: ClusterView; readonly seq: number }
  /** A run of this cluster began, ended or moved on. */
  runsChanged(): void
  /** These instances were changed by hand: Nova is asked for them at once. */
  readInstances(ids: readonly string[]): void
  stop(): Promise<void>
}

/** A lone change is sent soon; a stream of them at most this often (docs/style.md G14). */
const FIRST_PATCH_MS = 20
const PATCH_EVERY_MS = 100
/** The objects of the node maintenance API are told whole: above this many only so often. */
const MANY_OBJECTS = 200
const MANY_OBJECTS_EVERY_MS = 500
/** How often listeners hear that a source still lives. */
const ALIVE_EVERY_MS = seconds(5)
/** How long a first board waits for the cloud's lists. */
const CLOUD_PATIENCE_MS = 1500
/** How often Leases are looked at: a holder that is gone changes its Lease no more, so nobody tells. */
const LEASE_LOOK_MS = seconds(10)

const PUSHED = [
  'nodes',
  'pods',
  'leases',
  'workload-locks',
  'maintenance-requests',
] as const satisfies readonly SourceName[]
/** Starts the view of one cluster: watches Kubernetes, polls the cloud, and tells what changed. */
export function startLiveView(parts: LiveViewParts): LiveView {
  const { cluster, clock, feeds } = parts
  const scope = new AbortController()
  const { signal } = scope
  const facts = new ClusterFacts()
  const drawnNodes = new Map<string, NodeView>()
  const drawnInstances = new Map<string, InstanceView>()
  const drawnSources = new Map<SourceName, ViewSource>()
  const dirtySources = new Set<SourceName>()
  const settling = createSettling({
    polled: () => [
      ...(parts.cloud === null ? [] : ['compute-services', 'instances']),
      ...(parts.ceph !== null && facts.cephAnswers ? ['osds'] : []),
    ],
    hasFailed: parts.hasFailed,
    monotonicMs: () => clock.monotonicMs(),
  })
  const isBusy = () => facts.activeRuns.length > 0 || settling.waiting().length > 0
  let projects: ClusterView['projects'] = []
  let projectsDirty = false
  let maintenanceDirty = false
  let maintenanceToldAt = Number.NEGATIVE_INFINITY
  let seq = 0
  let flushAt: number | null = null
  let lastFlush = Number.NEGATIVE_INFINITY
  const nodesKnown = Promise.withResolvers<Result<void>>()
  const cloudKnown = Promise.withResolvers<void>()

  function soon(): void {
    if (flushAt !== null || signal.aborted) return
    flushAt = Math.max(clock.now() + FIRST_PATCH_MS, lastFlush + PATCH_EVERY_MS)
    void clock.sleep(flushAt - clock.now(), signal).then(() => {
      flushAt = null
      if (!signal.aborted) flush()
    })
  }

  function flush(): void {
    lastFlush = clock.now()
    const changes = draw()
    if (maintenanceDirty) void clock.sleep(maintenanceDueAt() - clock.now(), signal).then(soon)
    if (changes.length === 0) return
    const fromSeq = seq
    seq += 1
    parts.onPatch({ cluster: cluster.name, fromSeq, toSeq: seq, changes })
  }

  function maintenanceDueAt(): number {
    const { maintenance } = facts
    const count = maintenance === null ? 0 : Object.values(maintenance).reduce((sum, list) => sum + list.length, 0)
    return maintenanceToldAt + (count > MANY_OBJECTS ? MANY_OBJECTS_EVERY_MS : 0)
  }

  /** Draws what is dirty, and answers what came out differently. */
  function draw(): ViewChange[] {
    const changes: ViewChange[] = []
    for (const id of facts.dirtyInstances) {
      const instance = facts.instances.get(id)
      if (instance === undefined) {
        if (drawnInstances.delete(id)) changes.push({ kind: 'instance-gone', id })
        continue
      }
      const node = facts.nodeOfHost(instance.host)
      const value = projectInstance(instance, node, cluster)
      if (isSame(drawnInstances.get(id), value)) continue
      drawnInstances.set(id, value)
      if (node !== null) facts.dirtyNodes.add(node.name)
      changes.push({ kind: 'instance', value })
    }
    facts.dirtyInstances.clear()
    const setting = {
      flavour: cluster.flavour,
      hasToLeave: (instance: Instance, node: Pick<ClusterNode, 'annotations'>) =>
        hasToLeave(policyOf(instance, node).action, cluster),
      roleLabels: cluster.roleLabels,
      hasCloud: parts.cloud !== null,
      asksCeph: asksCephAbout(cluster),
      monotonicMs: clock.monotonicMs(),
    }
    // Nodes have to be known before a name can be said to be none.
    const former =
      facts.has('nodes') && [...facts.dirtyNodes].some(name => !facts.nodes.has(name))
        ? projectOutside(facts, setting)
        : null
    for (const name of facts.dirtyNodes) {
      const found = projectNode(name, facts, drawnInstances, setting) ?? former?.get(name) ?? null
      if (found === null) {
        settling.forget(name)
        if (drawnNodes.delete(name)) changes.push({ kind: 'node-gone', name })
        continue
      }
      const value = settling.seenAs(found, drawnNodes.get(name))
      if (isSame(drawnNodes.get(name), value)) continue
      drawnNodes.set(name, value)
      changes.push({ kind: 'node', value })
    }
    facts.dirtyNodes.clear()
    if (maintenanceDirty && clock.now() >= maintenanceDueAt()) {
      maintenanceDirty = false
      maintenanceToldAt = clock.now()
      changes.push({ kind: 'maintenance', value: facts.maintenance })
    }
    if (projectsDirty) {
      projectsDirty = false
      changes.push({ kind: 'projects', value: projects })
    }
    for (const name of dirtySources) {
      const value = sourceOf(name)
      drawnSources.set(name, value)
      changes.push({ kind: 'source', value })
    }
    dirtySources.clear()
    return changes
  }

  function sourceOf(name: SourceName): ViewSource {
    const everyMs = Object.hasOwn(POLLED, name) ? POLLED[name as keyof typeof POLLED] : null
    return { name, state: facts.states.get(name) ?? { kind: 'catching-up' }, everyMs }
  }

  function putState(name: SourceName, state: SourceState): void {
    const drawn = drawnSources.get(name)?.state
    // Whether a node is empty is known only while its sources are heard: all nodes are drawn anew when that changes.
    if (facts.states.get(name)?.kind !== state.kind) facts.everyNode()
    facts.states.set(name, state)
    const stillAlive =
      state.kind === 'live' &&
      drawn?.kind === 'live' &&
      Date.parse(state.lastHeardAt) - Date.parse(drawn.lastHeardAt) < ALIVE_EVERY_MS
    if (stillAlive) return
    dirtySources.add(name)
    soon()
  }

  function pushed<T>(
    name: 'nodes' | 'pods' | 'leases',
    change: (upserts: readonly T[], removed: readonly string[]) => void,
  ): FeedListener<T> {
    return {
      onChange: (upserts, removed) => {
        if (!facts.known.has(name)) {
          facts.known.add(name)
          facts.everyNode()
        }
        change(upserts, removed)
        if (name === 'nodes') nodesKnown.resolve(ok(undefined))
        soon()
      },
      onState: state => {
        putState(name, state)
        if (name === 'nodes') {
          const failure = failureOf(cluster.name, state)
          if (failure !== null) nodesKnown.resolve({ ok: false, failure })
        }
      },
    }
  }

  function listCame(source: string, askedAtMs: number): void {
    settling.read(source, askedAtMs)
    lookAgainAtSettling()
  }

  function lookAgainAtSettling(): void {
    const names = settling.waiting()
    for (const name of names) facts.dirtyNodes.add(name)
    if (names.length > 0) soon()
  }

  function changeMaintenance(objects: MaintenanceObjects | null): void {
    const hadAny = facts.maintenance !== null
    if (!facts.putMaintenance(objects)) return
    if (hadAny !== (objects !== null)) facts.everyNode()
    maintenanceDirty = true
    soon()
  }

  const watches = [
    feeds.nodes(
      pushed('nodes', (upserts, removed) => facts.changeNodes(upserts, removed)),
      signal,
    ),
    feeds.pods(
      pushed('pods', (upserts, removed) => facts.changePods(upserts, removed)),
      signal,
    ),
    feeds.leases(
      pushed('leases', (upserts, removed) => facts.changeLeases(upserts, removed)),
      signal,
    ),
    feeds.maintenance(
      {
        onObjects: objects => {
          facts.known.add('workload-locks')
          changeMaintenance(objects)
        },
        onState: state => {
          // One watch feeds both: locks are shown at nodes, requests wherever a maintenance is.
          putState('workload-locks', state)
          putState('maintenance-requests', state)
          if (state.kind === 'absent') changeMaintenance(null)
        },
      },
      signal,
    ),
    lookAtLeases(),
    parts.ceph === null
      ? undefined
      : pollOsds({
          ceph: parts.ceph,
          cluster,
          facts,
          clock,
          signal,
          isBusy,
          onChange: soon,
          onRead: askedAt => listCame('osds', askedAt),
        }),
  ]
  facts.putRuns(parts.activeRuns())

  const polling =
    parts.cloud === null
      ? null
      : pollCloud({
          cloud: parts.cloud,
          facts,
          clock,
          signal,
          isBusy,
          onState: (source, state) => {
            putState(source, state)
            // Nobody waits for a source that cannot answer now: the board says so.
            if (state.kind !== 'live') cloudKnown.resolve()
          },
          onProjects: read => {
            const named = read.map(({ id, name }) => ({ id, name })).sort((a, b) => a.id.localeCompare(b.id))
            if (isSame(projects, named)) return
            projects = named
            projectsDirty = true
            soon()
          },
          onList: listCame,
          onFacts: source => {
            if (!facts.known.has(source)) {
              facts.known.add(source)
              facts.everyNode()
            }
            if (facts.known.has('instances') && facts.known.has('compute-services')) cloudKnown.resolve()
            soon()
          },
        })
  if (parts.cloud === null) {
    for (const name of Object.keys(POLLED) as (keyof typeof POLLED)[]) {
      putState(name, { kind: 'absent', why: 'This cluster has no OpenStack cloud.' })
    }
    cloudKnown.resolve()
  }

  async function lookAtLeases(): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(LEASE_LOOK_MS, signal)
      for (const node of facts.leases.keys()) facts.dirtyNodes.add(node)
      // Nobody waits endlessly for a list.
      lookAgainAtSettling()
      // A driver that dies says nothing, and facts tell what a run waits for: too many to look at each.
      const hadRuns = facts.activeRuns.length > 0
      if (hadRuns) facts.putRuns(parts.activeRuns())
      if (hadRuns || facts.leases.size > 0) soon()
    }
  }

  const ready = nodesKnown.promise.then(async nodes => {
    if (nodes.ok) {
      const patience = new AbortController()
      await Promise.race([cloudKnown.promise, clock.sleep(CLOUD_PATIENCE_MS, patience.signal)])
      patience.abort()
    }
    return nodes
  })

  return {
    ready,
    snapshot: () => {
      // Waiting changes go out first, so that the snapshot is exactly what the patches led to.
      flush()
      return {
        seq,
        view: {
          cluster: cluster.name,
          warnings: [...parts.warnings],
          sources: [...PUSHED, ...(Object.keys(POLLED) as (keyof typeof POLLED)[])].map(sourceOf),
          nodes: [...drawnNodes.values()].sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true })),
          instances: [...drawnInstances.values()],
          projects,
          maintenance: facts.maintenance,
        },
      }
    },
    runsChanged: () => {
      facts.putRuns(parts.activeRuns())
      soon()
    },
    readInstances: ids => polling?.readInstances(ids),
    stop: async () => {
      scope.abort()
      nodesKnown.resolve(ok(undefined))
      cloudKnown.resolve()
      await Promise.all([...watches, polling?.ended])
    },
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return a !== undefined && JSON.stringify(a) === JSON.stringify(b)
}

/** Why a first board cannot be drawn at all; null while it may still come. */
function failureOf(cluster: string, state: SourceState): Failure | null {
  switch (state.kind) {
    case 'offline':
      return { code: 'unreachable', message: state.why, retryable: true, target: `cluster/${cluster}` }
    case 'not-permitted':
      return { code: 'not-permitted', message: state.why, retryable: false, target: `cluster/${cluster}` }
    default:
      return null
  }
}
