import type { FeedState, WatchState } from '../../../shared/domain/kubernetes.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { KubernetesObject } from './answers.ts'
import { servedResources, servedVersions } from './objects.ts'
import type { Collection } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'
import { silenceOf, watchResource } from './watch.ts'

interface Listener<O> {
  readonly onObjects: (objects: O) => void
  readonly onState: (state: FeedState) => void
}

interface Entry {
  readonly uid: string
  readonly name: string
}

interface WatchedKind<T extends Entry> {
  readonly collection: Collection
  readonly read: (object: KubernetesObject) => T
  readonly needed: boolean
}

/** The kinds by the field they fill. All belong to one group and version. */
export type WatchedKinds<O> = {
  readonly [K in keyof O]: O[K] extends readonly (infer T extends Entry)[] ? WatchedKind<T> : never
}

/** Changes within this time are reported together. */
const COALESCE_MS = 50

/** Watches the kinds of one API once for all listeners (style G29). A new listener receives the current objects at once. `absent`: the cluster lacks a required kind. */
export function createWatchTogether<O extends object>(options: {
  readonly session: KubernetesSession
  readonly clock: Clock
  readonly kinds: WatchedKinds<O>
  readonly absent: Finding
  /** How often discovery checks for a missing API: it may be installed at any time. */
  readonly lookAgainMs: number
}): (listener: Listener<O>, signal: AbortSignal) => Promise<void> {
  let running: RunningWatch<O> | null = null
  return async (listener, signal) => {
    if (signal.aborted) return
    running ??= new RunningWatch(options)
    const watch = running
    watch.add(listener)
    await new Promise<void>(resolve => {
      signal.addEventListener('abort', () => resolve(), { once: true })
      // The listener may have aborted in its first callback.
      if (signal.aborted) resolve()
    })
    if (!watch.remove(listener)) return
    if (running === watch) running = null
    await watch.stop()
  }
}

class RunningWatch<O extends object> {
  readonly #session: KubernetesSession
  readonly #clock: Clock
  readonly #absent: Finding
  readonly #lookAgainMs: number
  readonly #scope = new AbortController()
  readonly #listeners = new Set<Listener<O>>()
  readonly #tables: ReadonlyMap<string, Table>
  readonly #ended: Promise<unknown>
  #telling = false
  #objects: O | null = null
  #state: FeedState = { kind: 'catching-up' }
  #asking: Promise<ReadonlySet<string> | 'unknown'> | null = null

  constructor(options: Parameters<typeof createWatchTogether<O>>[0]) {
    this.#session = options.session
    this.#clock = options.clock
    this.#absent = options.absent
    this.#lookAgainMs = options.lookAgainMs
    const kinds = Object.entries<WatchedKind<Entry>>(options.kinds)
    this.#tables = new Map(kinds.map(([field, kind]) => [field, new Table(kind)]))
    this.#ended = Promise.all([...this.#tables.values()].map(table => this.#follow(table)))
  }

  add(listener: Listener<O>): void {
    this.#listeners.add(listener)
    listener.onState(this.#state)
    if (this.#objects !== null) listener.onObjects(this.#objects)
  }

  remove(listener: Listener<O>): boolean {
    this.#listeners.delete(listener)
    return this.#listeners.size === 0
  }

  async stop(): Promise<void> {
    this.#scope.abort()
    await this.#ended
  }

  async #follow(table: Table): Promise<void> {
    const { signal } = this.#scope
    const { type } = table.kind.collection
    while (!signal.aborted) {
      const served = await this.#served(type.apiVersion)
      if (served !== 'unknown' && !served.has(type.plural)) {
        table.clear(table.kind.needed ? { kind: 'absent', ...silenceOf(this.#absent) } : null)
        this.#changed()
        this.#stateChanged()
        await this.#clock.sleep(this.#lookAgainMs, signal)
        continue
      }
      const withdrawn = new AbortController()
      await table.watch(this.#session, this.#clock, AbortSignal.any([signal, withdrawn.signal]), {
        onChange: () => this.#changed(),
        onState: state => {
          this.#stateChanged()
          // A deleted definition looks like a list that always fails.
          if (state.kind === 'offline') {
            void this.#served(type.apiVersion).then(now => {
              if (now !== 'unknown' && !now.has(type.plural)) withdrawn.abort()
            })
          }
        },
      })
    }
  }

  /** The served resources of the API, with one request for concurrent callers. `unknown`: the watches find out and report why. */
  #served(apiVersion: string): Promise<ReadonlySet<string> | 'unknown'> {
    this.#asking ??= this.#askServed(apiVersion).finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #askServed(apiVersion: string): Promise<ReadonlySet<string> | 'unknown'> {
    const { signal } = this.#scope
    // The list of versions proves the absence, and asking for an absent one needs that list too.
    if (this.#state.kind === 'absent') {
      const versions = await servedVersions(this.#session, signal)
      if (versions.ok && !versions.value.has(apiVersion)) return new Set()
    }
    const served = await servedResources(this.#session, apiVersion, signal)
    return served.ok ? new Set(served.value?.keys() ?? []) : 'unknown'
  }

  #changed(): void {
    if (this.#telling) return
    this.#telling = true
    void this.#clock.sleep(COALESCE_MS, this.#scope.signal).then(() => this.#emitObjects())
  }

  #emitObjects(): void {
    if (!this.#telling) return
    this.#telling = false
    const tables = [...this.#tables]
    // Without a required kind there is nothing to report: the state is `absent`.
    if (this.#scope.signal.aborted || tables.some(([, table]) => !table.known)) return
    const objects = Object.fromEntries(tables.map(([field, table]) => [field, table.sorted()])) as O
    this.#objects = objects
    for (const listener of this.#listeners) listener.onObjects(objects)
  }

  #stateChanged(): void {
    const before = this.#state.kind
    const states = [...this.#tables.values()].flatMap(({ state }) => (state === null ? [] : [state]))
    this.#state = states.reduce(lessCertain)
    if (this.#state.kind === 'absent') this.#objects = null
    // Report the objects before the state turns live, because listeners may act on it.
    if (this.#state.kind === 'live' && before !== 'live') this.#emitObjects()
    for (const listener of this.#listeners) listener.onState(this.#state)
  }
}

/** The state that represents all kinds: the least certain one, and among live ones the oldest. */
function lessCertain(a: FeedState, b: FeedState): FeedState {
  if (a.kind === 'live' && b.kind === 'live') return a.lastAnswerAt <= b.lastAnswerAt ? a : b
  return UNCERTAINTY[b.kind] > UNCERTAINTY[a.kind] ? b : a
}

const UNCERTAINTY: Readonly<Record<FeedState['kind'], number>> = {
  live: 0,
  'catching-up': 1,
  absent: 2,
  offline: 3,
  'not-permitted': 4,
}

class Table {
  readonly kind: WatchedKind<Entry>
  /** Whether this kind was received once, or is one that a cluster may lack. */
  known = false
  /** Null if the cluster lacks this optional kind. */
  state: FeedState | null = { kind: 'catching-up' }
  readonly #byUid = new Map<string, Entry>()

  constructor(kind: WatchedKind<Entry>) {
    this.kind = kind
  }

  sorted(): Entry[] {
    return [...this.#byUid.values()].sort((a, b) => a.name.localeCompare(b.name))
  }

  watch(
    session: KubernetesSession,
    clock: Clock,
    signal: AbortSignal,
    reported: { readonly onChange: () => void; readonly onState: (state: WatchState) => void },
  ): Promise<void> {
    return watchResource({
      session,
      collection: this.kind.collection,
      parse: this.kind.read,
      clock,
      signal,
      onChange: (upserts, removals) => {
        for (const { uid } of removals) this.#byUid.delete(uid)
        for (const upsert of upserts) this.#byUid.set(upsert.uid, upsert)
        this.known = true
        reported.onChange()
      },
      onState: state => {
        this.state = state
        reported.onState(state)
      },
    })
  }

  clear(state: FeedState | null): void {
    this.#byUid.clear()
    this.known = state === null
    this.state = state
  }
}
