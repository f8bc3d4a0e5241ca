import { seconds } from '../../../shared/domain/durations.ts'
import type { FeedState, WatchState } from '../../../shared/domain/kubernetes.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { KubernetesObject } from './answers.ts'
import { servedResources } from './objects.ts'
import type { Collection } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'
import { silenceOf, watchResource } from './watch.ts'

/** Who hears of the objects of several kinds as of one thing. */
interface Listener<O> {
  readonly onObjects: (objects: O) => void
  readonly onState: (state: FeedState) => void
}

interface Entry {
  readonly uid: string
  readonly name: string
}

/** One of the kinds that are watched together. */
interface WatchedKind<T extends Entry> {
  readonly collection: Collection
  readonly read: (object: KubernetesObject) => T
  /** Without it there is nothing to tell; clusters may lack the others. */
  readonly needed: boolean
}

/** What is watched together: by the field of the whole, its kind. All are of one group and version. */
export type WatchedKinds<O> = {
  readonly [K in keyof O]: O[K] extends readonly (infer T extends Entry)[] ? WatchedKind<T> : never
}

/** A cluster that has no such API may get it at any time, from this console too. */
const LOOK_AGAIN_MS = seconds(10)
/** Changes that come together are told together. */
const COALESCE_MS = 50

/**
 * Watches the kinds of one API over one session, one watch each however many listen (main/ports, style G29): who comes later hears at
 * once what is known, and the last who leaves ends the watches. `absent` is said where the cluster lacks a needed kind.
 */
export function createWatchTogether<O extends object>(options: {
  readonly session: KubernetesSession
  readonly clock: Clock
  readonly kinds: WatchedKinds<O>
  readonly absent: Finding
}): (listener: Listener<O>, signal: AbortSignal) => Promise<void> {
  let running: RunningWatch<O> | null = null
  return async (listener, signal) => {
    if (signal.aborted) return
    running ??= new RunningWatch(options)
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

/** The watches, and who listens to them. */
class RunningWatch<O extends object> {
  readonly #session: KubernetesSession
  readonly #clock: Clock
  readonly #absent: Finding
  readonly #scope = new AbortController()
  readonly #listeners = new Set<Listener<O>>()
  /** By the field of the whole that it fills. */
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
    const kinds = Object.entries<WatchedKind<Entry>>(options.kinds)
    this.#tables = new Map(kinds.map(([field, kind]) => [field, new Table(kind)]))
    this.#ended = Promise.all([...this.#tables.values()].map(table => this.#follow(table)))
  }

  add(listener: Listener<O>): void {
    this.#listeners.add(listener)
    listener.onState(this.#state)
    if (this.#objects !== null) listener.onObjects(this.#objects)
  }

  /** True when nobody is left. */
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
            void this.#served(type.apiVersion).then(now => {
              if (now !== 'unknown' && !now.has(type.plural)) withdrawn.abort()
            })
          }
        },
      })
    }
  }

  /** The resources of the API that are served now, asked once for all who ask together. `unknown`: the watches find out and say why. */
  #served(apiVersion: string): Promise<ReadonlySet<string> | 'unknown'> {
    this.#asking ??= servedResources(this.#session, apiVersion, this.#scope.signal).then(served => {
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
    const tables = [...this.#tables]
    // Without a needed kind there is nothing to tell: the state says that it is absent.
    if (this.#scope.signal.aborted || tables.some(([, table]) => !table.known)) return
    const objects = Object.fromEntries(tables.map(([field, table]) => [field, table.sorted()])) as O
    this.#objects = objects
    for (const listener of this.#listeners) listener.onObjects(objects)
  }

  #stateChanged(): void {
    const before = this.#state.kind
    const states = [...this.#tables.values()].flatMap(({ state }) => (state === null ? [] : [state]))
    this.#state = states.reduce(worse)
    if (this.#state.kind === 'absent') this.#objects = null
    // What is called live has been told: whoever decides by it may do so at once.
    if (this.#state.kind === 'live' && before !== 'live') this.#tellObjects()
    for (const listener of this.#listeners) listener.onState(this.#state)
  }
}

/** Which state speaks for all kinds together: the one that makes the whole least certain, and of live ones the oldest. */
function worse(a: FeedState, b: FeedState): FeedState {
  if (a.kind === 'live' && b.kind === 'live') return a.lastAnswerAt <= b.lastAnswerAt ? a : b
  return BADNESS[b.kind] > BADNESS[a.kind] ? b : a
}

const BADNESS: Readonly<Record<FeedState['kind'], number>> = {
  live: 0,
  'catching-up': 1,
  absent: 2,
  offline: 3,
  'not-permitted': 4,
}

/** The objects of one kind, as last heard. */
class Table {
  readonly kind: WatchedKind<Entry>
  /** Everything of this kind was heard at least once, or it is one a cluster may lack. */
  known = false
  /** Null: the cluster lacks this kind, and may. */
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
