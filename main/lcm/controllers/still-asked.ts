import type { MaintenanceKind, NodeWorkloadLock } from '../../../shared/domain/maintenance-api.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { ControllerWorld } from '../../ports/world.ts'

/** On a lock of ours: the requests for which it was prepared, so that another process knows which of them have to be gone. */
const REQUESTS_ANNOTATION = 'lockkeeper.dev/requests'

type Annotated = Pick<NodeWorkloadLock, 'annotations'>

/** What a lock has to say before anything is begun for requests; `more`: besides those that it tells already. */
export function requestsNote(lock: Annotated, names: readonly string[], more: boolean): Record<string, string> {
  const known = more ? (notedOn(lock) ?? []) : []
  return { [REQUESTS_ANNOTATION]: [...new Set([...known, ...names])].sort().join(',') }
}

/** Whether a lock carries these annotations already. */
export function isSaidOn(lock: Annotated, marks: Readonly<Record<string, string>>): boolean {
  return Object.entries(marks).every(([key, value]) => lock.annotations[key] === value)
}

/** The names of requests that a lock tells, none where it was prepared for a NodeDeletionRequest alone; null: it tells nothing of them. */
function notedOn(lock: Annotated | null): readonly string[] | null {
  return lock?.annotations[REQUESTS_ANNOTATION]?.split(',').filter(name => name !== '') ?? null
}

/** Requests that a controller has seen and that no list shows any more: it follows them until they are proved gone. */
interface SeenRequests {
  /** Notes what the watch shows for a subject: a node's name, or that of the cluster. */
  note(subject: string, requests: readonly { readonly name: string; readonly uid: string }[]): void
  /**
   * Why a request may still stand though no list shows it; null: each that was seen, here or by another process that noted it on the lock,
   * is proved gone, by asking for that very object, and none has the name that Lockkeeper gives its own. A list without a request is no reason to
   * bring a node back under somebody's hands; where nobody knows which request it was, nothing proves that it is gone.
   */
  whyNotGone(subject: string, ownName: string, lock: Annotated | null, signal: AbortSignal): Promise<Finding | null>
}

/** Keeps the requests of one kind that a controller has seen. */
export function createSeenRequests(
  kind: Extract<MaintenanceKind, 'NodeMaintenanceRequest' | 'ClusterMaintenanceRequest'>,
  { maintenanceApi }: Pick<ControllerWorld, 'maintenanceApi'>,
): SeenRequests {
  const seen = new Map<string, Map<string, string>>()
  return {
    note: (subject, requests) => {
      if (requests.length === 0) return
      const known = seen.get(subject) ?? new Map<string, string>()
      for (const { name, uid } of requests) known.set(uid, name)
      seen.set(subject, known)
    },
    whyNotGone: async (subject, ownName, lock, signal) => {
      const here = seen.get(subject)?.values() ?? []
      const noted = notedOn(lock)
      const known = [...here, ...(noted ?? [])]
      for (const name of new Set([ownName, ...known])) {
        const uid = await maintenanceApi.uidOf({ kind, name }, signal)
        if (!uid.ok) return because('RequestNotKnownGone', { kind, name, cause: uid.failure.message })
        // One that was made anew under the name asks as well.
        if (uid.value !== null) return because('RequestNotListed', { kind, name })
      }
      if (noted === null && known.length === 0) return because('NoRequestProved', { kind, subject })
      seen.delete(subject)
      return null
    },
  }
}
