import { minutes } from '../../shared/domain/durations.ts'
import type { WatchState } from '../../shared/domain/kubernetes.ts'
import type { MaintenanceKind, MaintenanceObjects } from '../../shared/domain/maintenance-api.ts'
import type { Clock } from '../clock/clock.ts'
import type { WatchMaintenance } from '../lcm/ports.ts'
import {
  folderOf,
  readClusterLock,
  readClusterRequest,
  readDeletionRequest,
  readDisableNotification,
  readNodeLock,
  readNodeRequest,
} from './maintenance-objects.ts'
import type { RawObject } from './raw.ts'
import type { KubernetesSession } from './session.ts'
import { watchResource } from './watch.ts'

/** A cluster that has no maintenance API may get it. */
const LOOK_AGAIN_MS = minutes(3)
/** What changes together is told together. */
const COALESCE_MS = 50

/** The kinds without which there is no maintenance API; older clusters lack the others. */
const NEEDED: ReadonlySet<MaintenanceKind> = new Set([
  'ClusterMaintenanceRequest',
  'NodeMaintenanceRequest',
  'ClusterWorkloadLock',
  'NodeWorkloadLock',
])

/** Watches all six kinds over one session, one watch each (main/lcm/ports.ts). */
export function createMaintenanceWatch(options: {
  readonly session: KubernetesSession
  readonly clock: Clock
}): WatchMaintenance {
  const { session, clock } = options
  return async (listener, signal) => {
    const tables = {
      clusterLocks: new Table('ClusterWorkloadLock', readClusterLock),
      nodeLocks: new Table('NodeWorkloadLock', readNodeLock),
      clusterRequests: new Table('ClusterMaintenanceRequest', readClusterRequest),
      nodeRequests: new Table('NodeMaintenanceRequest', readNodeRequest),
      disableNotifications: new Table('NodeDisableNotification', readDisableNotification),
      deletionRequests: new Table('NodeDeletionRequest', readDeletionRequest),
    }
    const all = Object.values(tables)
    let telling = false
    const changed = () => {
      if (telling || !all.every(table => table.known)) return
      telling = true
      void clock.sleep(COALESCE_MS, signal).then(() => {
        telling = false
        if (!signal.aborted) listener.onObjects(objectsOf(tables))
      })
    }
    const stateChanged = () => {
      const worst = all.map(table => table.state).sort((a, b) => BADNESS[b.kind] - BADNESS[a.kind])[0]
      if (worst !== undefined) listener.onState(worst)
    }
    await Promise.all(
      all.map(async table => {
        while (!signal.aborted) {
          const answer = await session.exchange({
            method: 'GET',
            path: folderOf(table.kind),
            query: { limit: 1 },
            signal,
          })
          // Whatever else is wrong, the watch finds out and says it.
          if (!answer.ok || answer.value.status !== 404) {
            await table.follow(session, clock, signal, changed, stateChanged)
            return
          }
          if (NEEDED.has(table.kind)) {
            table.state = {
              kind: 'absent',
              why: 'This cluster has no node maintenance API (lcm.mirantis.com/v1alpha1). `lockkeeper crds install` brings it.',
            }
          } else {
            table.known = true
            table.state = { kind: 'live', lastHeardAt: new Date(clock.now()).toISOString() }
            changed()
          }
          stateChanged()
          await clock.sleep(LOOK_AGAIN_MS, signal)
        }
      }),
    )
  }
}

type State = WatchState | { readonly kind: 'absent'; readonly why: string }

/** Which state speaks for all kinds together: the one that makes the whole least certain. */
const BADNESS: Readonly<Record<State['kind'], number>> = {
  live: 0,
  'catching-up': 1,
  absent: 2,
  offline: 3,
  'not-permitted': 4,
}

/** The objects of one kind, as last heard. */
class Table<T extends { readonly uid: string; readonly name: string }> {
  known = false
  state: State = { kind: 'catching-up' }
  readonly kind: MaintenanceKind
  readonly #read: (object: RawObject) => T
  readonly #byUid = new Map<string, T>()

  constructor(kind: MaintenanceKind, read: (object: RawObject) => T) {
    this.kind = kind
    this.#read = read
  }

  sorted(): T[] {
    return [...this.#byUid.values()].sort((a, b) => a.name.localeCompare(b.name))
  }

  follow(
    session: KubernetesSession,
    clock: Clock,
    signal: AbortSignal,
    changed: () => void,
    stateChanged: () => void,
  ): Promise<void> {
    return watchResource<T>({
      session,
      path: folderOf(this.kind),
      parse: this.#read,
      clock,
      signal,
      onChange: (upserts, removals) => {
        for (const { uid } of removals) this.#byUid.delete(uid)
        for (const upsert of upserts) this.#byUid.set(upsert.uid, upsert)
        this.known = true
        changed()
      },
      onState: state => {
        this.state = state
        stateChanged()
      },
    })
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
