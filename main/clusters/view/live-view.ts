import type { Cluster, SessionWarning } from '../../../shared/domain/cluster.ts'
import type { ClusterView, InstanceView, SourceName, SourceState } from '../../../shared/domain/cluster-view.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import { type Failure, failure } from '../../../shared/domain/failure.ts'
import type { MaintenanceObjects } from '../../../shared/domain/maintenance-api.ts'
import { failed, ok, type Result } from '../../../shared/domain/result.ts'
import type { DrainedOnly } from '../../../shared/domain/taken-out.ts'
import { because } from '../../../shared/words/reasons.ts'
import { refusal } from '../../../shared/words/refusal.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { CephPort } from '../../ports/ceph.ts'
import type { FeedListener, KubernetesFeeds, KubernetesPort } from '../../ports/kubernetes.ts'
import type { OpenStackPort } from '../../ports/openstack.ts'
import type { ActiveNodeRun } from '../../runs/active-runs.ts'
import { type Board, createBoard } from './board.ts'
import { ClusterFacts } from './facts.ts'
import { type Attention, POLLED, pauseUntilDue, readEveryMs } from './pace.ts'
import { pacePatches, type ViewPatch } from './paced-patches.ts'
import { pollCloud } from './poll-cloud.ts'
import { pollOsds } from './poll-osds.ts'
import { createSettling } from './settling.ts'
import { silenceOf } from './silence-of.ts'

export interface LiveViewParts {
  readonly cluster: Cluster
  readonly warnings: readonly SessionWarning[]
  readonly feeds: KubernetesFeeds
  /** The cloud, requested before each poll: the session keeper retries a failed login. Null if there is none. */
  readonly cloud: (() => Promise<Result<OpenStackPort>>) | null
  readonly ceph: Pick<CephPort, 'osds'> | null
  readonly foreign: Pick<KubernetesPort, 'listForeignMaintenances'> | null
  readonly activeRuns: () => readonly ActiveNodeRun[]
  readonly drainedOnly: () => DrainedOnly
  readonly hasFailed: (runId: string) => boolean
  /** Whether a page shows the cloud; a run on it counts more. */
  readonly attention: () => Exclude<Attention, { readonly kind: 'busy' }>
  readonly clock: Clock
  readonly onPatch: (patch: ViewPatch) => void
}

export interface LiveView {
  /** Resolves with known nodes; the cloud's lists follow as patches. A failure: the nodes cannot be read. */
  readonly ready: Promise<Result<void>>
  /** With the first instances; `more` leads to the next ones. */
  snapshot(): { readonly view: ClusterView; readonly seq: number; readonly more?: string }
  instancesAfter(more: string): { readonly instances: InstanceView[]; readonly seq: number; readonly more?: string }
  runsChanged(): void
  /** A page shows the cloud again: what is due by then is read at once. */
  shown(): void
  readInstances(ids: readonly string[]): void
  stop(): Promise<void>
}

/** How often Leases are checked: a dead holder does not change its Lease, so no event arrives. */
const LEASE_LOOK_MS = seconds(10)

/** Starts the view of one cluster: watches Kubernetes, polls the cloud, and reports changes. */
export function startLiveView(parts: LiveViewParts): LiveView {
  const { cluster, clock } = parts
  const scope = new AbortController()
  const { signal } = scope
  const facts = new ClusterFacts()
  const settling = createSettling({
    polled: () => [
      ...(parts.cloud === null ? [] : ['compute-services', 'instances']),
      ...(parts.ceph !== null && facts.cephAnswers ? ['osds'] : []),
    ],
    hasFailed: parts.hasFailed,
    monotonicMs: () => clock.monotonicMs(),
  })
  const board = createBoard({ cluster, facts, settling, hasCloud: parts.cloud !== null, clock })
  const patches = pacePatches({
    cluster: cluster.name,
    clock,
    signal,
    draw: board.draw,
    waitsUntil: board.maintenanceDueAt,
    onPatch: parts.onPatch,
  })
  const { soon } = patches
  const lookAgainAtSettling = () => {
    const names = settling.waiting()
    for (const name of names) facts.dirtyNodes.add(name)
    if (names.length > 0) soon()
  }
  const isBusy = () => facts.activeRuns.length > 0 || settling.waiting().length > 0
  let waking = new AbortController()
  const wake = () => {
    waking.abort()
    waking = new AbortController()
  }
  const wiring: Wiring = {
    parts,
    facts,
    board,
    signal,
    soon,
    attention: () => (isBusy() ? { kind: 'busy' } : parts.attention()),
    woken: () => waking.signal,
    onList: (source, askedAt) => {
      settling.read(source, askedAt)
      lookAgainAtSettling()
    },
    nodesKnown: Promise.withResolvers(),
  }
  const watches = [
    ...watchKubernetes(wiring),
    lookAtLeases(wiring, lookAgainAtSettling),
    pollCeph(wiring),
    lookAtOthers(wiring),
  ]
  facts.putRuns(parts.activeRuns(), parts.drainedOnly())
  const polling = pollOpenStack(wiring)
  return {
    ready: wiring.nodesKnown.promise,
    snapshot: () => {
      // Waiting changes go first, so that the snapshot equals the result of the patches.
      const seq = patches.flush()
      const { instances, ...more } = board.instancesAfter(null)
      return { seq, view: { ...board.view(parts.warnings), instances }, ...more }
    },
    instancesAfter: more => {
      const seq = patches.flush()
      return { seq, ...board.instancesAfter(more) }
    },
    runsChanged: () => {
      const wasBusy = isBusy()
      facts.putRuns(parts.activeRuns(), parts.drainedOnly())
      if (isBusy() && !wasBusy) wake()
      soon()
    },
    shown: wake,
    readInstances: ids => polling?.readInstances(ids),
    stop: async () => {
      scope.abort()
      wiring.nodesKnown.resolve(ok(undefined))
      await Promise.all([...watches, polling?.ended])
    },
  }
}

interface Wiring {
  readonly parts: LiveViewParts
  readonly facts: ClusterFacts
  readonly board: Board
  readonly signal: AbortSignal
  readonly soon: () => void
  readonly attention: () => Attention
  readonly woken: () => AbortSignal
  readonly onList: (source: string, askedAtMs: number) => void
  readonly nodesKnown: PromiseWithResolvers<Result<void>>
}

function watchKubernetes(wiring: Wiring): readonly Promise<void>[] {
  const { facts, board, signal, soon } = wiring
  const { feeds } = wiring.parts
  const putMaintenance = (objects: MaintenanceObjects | null) => {
    if (board.putMaintenance(objects)) soon()
  }
  return [
    feeds.nodes(
      pushed(wiring, 'nodes', (upserts, removed) => facts.changeNodes(upserts, removed)),
      signal,
    ),
    feeds.pods(
      pushed(wiring, 'pods', (upserts, removed) => facts.changePods(upserts, removed)),
      signal,
    ),
    feeds.leases(
      pushed(wiring, 'leases', (upserts, removed) => facts.changeLeases(upserts, removed)),
      signal,
    ),
    feeds.maintenance(
      {
        onObjects: objects => {
          facts.learn('workload-locks')
          putMaintenance(objects)
        },
        onState: state => {
          // One watch feeds both: nodes show locks, and every maintenance shows requests.
          putState(wiring, 'workload-locks', state)
          putState(wiring, 'maintenance-requests', state)
          if (state.kind === 'absent') putMaintenance(null)
        },
      },
      signal,
    ),
  ]
}

function pushed<T>(
  wiring: Wiring,
  name: 'nodes' | 'pods' | 'leases',
  change: (upserts: readonly T[], removed: readonly string[]) => void,
): FeedListener<T> {
  const { facts, nodesKnown, soon } = wiring
  return {
    onChange: (upserts, removed) => {
      facts.learn(name)
      change(upserts, removed)
      if (name === 'nodes') nodesKnown.resolve(ok(undefined))
      soon()
    },
    onState: state => {
      putState(wiring, name, state)
      if (name === 'nodes') {
        const unread = failureOf(wiring.parts.cluster.name, state)
        if (unread !== null) nodesKnown.resolve(failed(unread))
      }
    },
  }
}

function putState({ board, soon }: Wiring, name: SourceName, state: SourceState): void {
  if (board.putState(name, state)) soon()
}

/** Null if the cluster has no cloud, and each of its sources says so. */
function pollOpenStack(wiring: Wiring): ReturnType<typeof pollCloud> | null {
  const { parts, facts, board, signal, soon, attention, woken, onList } = wiring
  if (parts.cloud === null) {
    for (const name of Object.keys(POLLED) as (keyof typeof POLLED)[]) {
      putState(wiring, name, { kind: 'absent', ...silenceOf(refusal('not-found', because('ClusterHasNoCloud'))) })
    }
    return null
  }
  return pollCloud({
    cloud: parts.cloud,
    facts,
    clock: parts.clock,
    signal,
    attention,
    woken,
    onState: (source, state) => {
      putState(wiring, source, state)
    },
    onPart: soon,
    onProjects: read => {
      if (board.putProjects(read)) soon()
    },
    onList,
    onFacts: source => {
      facts.learn(source)
      soon()
    },
  })
}

async function pollCeph({ parts, facts, signal, attention, woken, soon, onList }: Wiring): Promise<void> {
  const { ceph, cluster, clock } = parts
  if (ceph === null) return
  const onRead = (askedAt: number) => onList('osds', askedAt)
  await pollOsds({ ceph, cluster, facts, clock, signal, attention, woken, onChange: soon, onRead })
}

async function lookAtOthers({ parts, facts, signal, attention, woken, soon }: Wiring): Promise<void> {
  const { foreign, clock } = parts
  if (foreign === null) return
  await pollForeign({ kubernetes: foreign, facts, clock, signal, attention, woken, onChange: soon })
}

async function lookAtLeases({ parts, facts, signal, soon }: Wiring, lookAgainAtSettling: () => void): Promise<void> {
  while (!signal.aborted) {
    await parts.clock.sleep(LEASE_LOOK_MS, signal)
    for (const node of facts.leases.keys()) facts.dirtyNodes.add(node)
    lookAgainAtSettling()
    // A dead driver sends nothing, and facts with waits are too many to check each.
    const hadRuns = facts.activeRuns.length > 0
    if (hadRuns) facts.putRuns(parts.activeRuns(), parts.drainedOnly())
    if (hadRuns || facts.leases.size > 0) soon()
  }
}

/** Why a first board cannot be drawn at all; null if it may still arrive. */
function failureOf(cluster: string, state: SourceState): Failure | null {
  if (state.kind !== 'offline' && state.kind !== 'not-permitted') return null
  const { kind, why: message, reason, values } = state
  return {
    ...failure(kind === 'offline' ? 'unreachable' : 'not-permitted', message, { target: `cluster/${cluster}` }),
    ...(reason === undefined ? {} : { reason }),
    ...(values === undefined ? {} : { values }),
  }
}

/** The right to list these kinds rarely appears within minutes, and every attempt is in the cluster's audit log. */
const FOREIGN_REFUSED_MS = seconds(300)

async function pollForeign(polling: {
  readonly kubernetes: Pick<KubernetesPort, 'listForeignMaintenances'>
  readonly facts: Pick<ClusterFacts, 'putForeign'>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly attention: () => Attention
  readonly woken: () => AbortSignal
  readonly onChange: () => void
}): Promise<void> {
  const { kubernetes, facts, signal, attention, onChange } = polling
  while (!signal.aborted) {
    const read = await kubernetes.listForeignMaintenances(signal)
    if (signal.aborted) return
    // The last answer stays valid while Kubernetes is silent, which the map shows by the age of its nodes.
    if (read.ok && facts.putForeign(read.value.found)) onChange()
    const isRefused = read.ok && read.value.unread.some(({ code }) => code === 'not-permitted')
    // A maintenance by others lasts minutes to days, and each reading lists up to three kinds completely.
    await pauseUntilDue(polling, () => (isRefused ? FOREIGN_REFUSED_MS : readEveryMs('foreign', attention())))
  }
}
