import { seconds } from '../../../shared/domain/durations.ts'
import type { WatchState } from '../../../shared/domain/kubernetes.ts'
import type { MaintenanceKind, MaintenanceObjects } from '../../../shared/domain/maintenance-api.ts'
import type { Clock } from '../../clock/clock.ts'
import type { WatchMaintenance } from '../../ports/maintenance-api.ts'
import type { KubernetesObject } from './answers.ts'
import {
  NO_MAINTENANCE_API,
  readClusterLock,
  readClusterRequest,
  readDeletionRequest,
  readDisableNotification,
  readNodeLock,
  readNodeRequest,
} from './maintenance-objects.ts'
import { servedResources } from './objects.ts'
import { LCM_VERSION, maintenanceType, PLURALS } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'
import { watchResource } from './watch.ts'

type Listener = Parameters<WatchMaintenance>[0]
type State = WatchState | { readonly kind: 'absent'; readonly why: string }

/** A cluster that has no maintenance API may get it at any time, from this console too. */
const LOOK_AGAIN_MS = seconds(10)
/** Changes that come together are told together. */
const COALESCE_MS = 50

/** The kinds without which there is no maintenance API; older clusters lack the others. */
const NEEDED: ReadonlySet<MaintenanceKind> = new Set([
  'ClusterMaintenanceRequest',
  'NodeMaintenanceRequest',
  'ClusterWorkloadLock',
  'NodeWorkloadLock',
])

/**
 * Watches all six kinds over one session, one watch each however many listen (main/ports, style G29): who comes later hears at
 * once what is known, and the last who leaves ends the watches.
 */
export function createMaintenanceWatch(options: {
  readonly session: KubernetesSession
  readonly clock: Clock
}): WatchMaintenance {
  let running: RunningWatch | null = null
  return async (listener, signal) => {
    if (signal.aborted) return
    running ??= new RunningWatch(options.session, options.clock)
    const watch = running
    watch.add(listener)
    await new Promise<void>(resolve => {
      signal.addEventListener('abort', () => resolve(), { once: true })
      // Who hears enough at once may have aborted by now.
      if (signal.aborted) resolve()
    })
    if (!watch.remove(listener)) return
    if (running === watch) running = null
    await watch.stop()
  }
}

/** The six watches and who listens to them. */
class RunningWatch {
  readonly #session: KubernetesSession
  readonly #clock: Clock
  readonly #scope = new AbortController()
  readonly #listeners = new Set<Listener>()
  readonly #tables = {
    clusterLocks: new Table('ClusterWorkloadLock', readClusterLock),
    nodeLocks: new Table('NodeWorkloadLock', readNodeLock),
    clusterRequests: new Table('ClusterMaintenanceRequest', readClusterRequest),
    nodeRequests: new Table('NodeMaintenanceRequest', readNodeRequest),
    disableNotifications: new Table('NodeDisableNotification', readDisableNotification),
    deletionRequests: new Table('NodeDeletionRequest', readDeletionRequest),
  }
  readonly #ended: Promise<unknown>
  #telling = false
  #objects: MaintenanceObjects | null = null
  #state: State = { kind: 'catching-up' }
  #asking: Promise<ReadonlySet<string> | 'unknown'> | null = null

  constructor(session: KubernetesSession, clock: Clock) {
    this.#session = session
    this.#clock = clock
    this.#ended = Promise.all(Object.values(this.#tables).map(table => this.#follow(table)))
  }

  add(listener: Listener): void {
    this.#listeners.add(listener)
    listener.onState(this.#state)
    if (this.#objects !== null) listener.onObjects(this.#objects)
  }

  /** True when nobody is left. */
  remove(listener: Listener): boolean {
    this.#listeners.delete(listener)
    return this.#listeners.size === 0
  }

  async stop(): Promise<void> {
    this.#scope.abort()
    await this.#ended
  }

  async #follow(table: Followed): Promise<void> {
    const { signal } = this.#scope
    while (!signal.aborted) {
      const served = await this.#served()
      if (served !== 'unknown' && !served.has(PLURALS[table.kind])) {
        table.clear(NEEDED.has(table.kind) ? { kind: 'absent', why: NO_MAINTENANCE_API } : null)
        this.#changed()
        this.#stateChanged()
        await this.#clock.sleep(LOOK_AGAIN_MS, signal)
        continue
      }
      const withdrawn = new AbortController()
      await table.watch(this.#session, this.#clock, AbortSignal.any([signal, withdrawn.signal]), {
        onChange: () => this.#changed(),
        onState: state => {
          this.#stateChanged()
          // A definition that was deleted looks like a list that fails for ever.
          if (state.kind === 'offline') {
            void this.#served().then(now => {
              if (now !== 'unknown' && !now.has(PLURALS[table.kind])) withdrawn.abort()
            })
          }
        },
      })
    }
  }

  /** The resources of the API that are served now, asked once for all who ask together. `unknown`: the watches find out and say why. */
  #served(): Promise<ReadonlySet<string> | 'unknown'> {
    this.#asking ??= servedResources(this.#session, LCM_VERSION, this.#scope.signal).then(served => {
      this.#asking = null
      return served.ok ? new Set(served.value?.keys() ?? []) : 'unknown'
    })
    return this.#asking
  }

  #changed(): void {
    if (this.#telling) return
    this.#telling = true
    void this.#clock.sleep(COALESCE_MS, this.#scope.signal).then(() => this.#tellObjects())
  }

  #tellObjects(): void {
    if (!this.#telling) return
    this.#telling = false
    const tables = Object.values(this.#tables)
    // Without a needed kind there is nothing to tell: the state says that it is absent.
    if (this.#scope.signal.aborted || tables.some(table => !table.known)) return
    this.#objects = objectsOf(this.#tables)
    for (const listener of this.#listeners) listener.onObjects(this.#objects)
  }

  #stateChanged(): void {
    const before = this.#state.kind
    const states = Object.values(this.#tables).flatMap(({ state }) => (state === null ? [] : [state]))
    this.#state = states.reduce(worse)
    if (this.#state.kind === 'absent') this.#objects = null
    // What is called live has been told: whoever decides by it may do so at once.
    if (this.#state.kind === 'live' && before !== 'live') this.#tellObjects()
    for (const listener of this.#listeners) listener.onState(this.#state)
  }
}

/** Which state speaks for all kinds together: the one that makes the whole least certain, and of live ones the oldest. */
function worse(a: State, b: State): State {
  if (a.kind === 'live' && b.kind === 'live') return a.lastHeardAt <= b.lastHeardAt ? a : b
  return BADNESS[b.kind] > BADNESS[a.kind] ? b : a
}

const BADNESS: Readonly<Record<State['kind'], number>> = {
  live: 0,
  'catching-up': 1,
  absent: 2,
  offline: 3,
  'not-permitted': 4,
}

interface Entry {
  readonly uid: string
  readonly name: string
}

/** What following a kind needs of its table, whatever its objects are. */
type Followed = Pick<Table<Entry>, 'kind' | 'watch' | 'clear'>

/** The objects of one kind, as last heard. */
class Table<T extends Entry> {
  readonly kind: MaintenanceKind
  /** Everything of this kind was heard at least once, or it is one a cluster may lack. */
  known = false
  /** Null: the cluster lacks this kind, and may. */
  state: State | null = { kind: 'catching-up' }
  readonly #read: (object: KubernetesObject) => T
  readonly #byUid = new Map<string, T>()

  constructor(kind: MaintenanceKind, read: (object: KubernetesObject) => T) {
    this.kind = kind
    this.#read = read
  }

  sorted(): T[] {
    return [...this.#byUid.values()].sort((a, b) => a.name.localeCompare(b.name))
  }

  watch(
    session: KubernetesSession,
    clock: Clock,
    signal: AbortSignal,
    told: { readonly onChange: () => void; readonly onState: (state: WatchState) => void },
  ): Promise<void> {
    return watchResource<T>({
      session,
      collection: { type: maintenanceType(this.kind), namespace: null },
      parse: this.#read,
      clock,
      signal,
      onChange: (upserts, removals) => {
        for (const { uid } of removals) this.#byUid.delete(uid)
        for (const upsert of upserts) this.#byUid.set(upsert.uid, upsert)
        this.known = true
        told.onChange()
      },
      onState: state => {
        this.state = state
        told.onState(state)
      },
    })
  }

  clear(state: State | null): void {
    this.#byUid.clear()
    this.known = state === null
    this.state = state
  }
}

function objectsOf(
  tables: {
    readonly [K in keyof MaintenanceObjects]: { sorted(): MaintenanceObjects[K] }
  },
): MaintenanceObjects {
  return {
    clusterLocks: tables.clusterLocks.sorted(),
    nodeLocks: tables.nodeLocks.sorted(),
    clusterRequests: tables.clusterRequests.sorted(),
    nodeRequests: tables.nodeRequests.sorted(),
    disableNotifications: tables.disableNotifications.sorted(),
    deletionRequests: tables.deletionRequests.sorted(),
  }
}
