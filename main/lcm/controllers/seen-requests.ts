import type { MaintenanceKind, NodeWorkloadLock } from '../../../shared/domain/maintenance-api.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import type { ControllerWorld } from '../../ports/world.ts'

/** On our lock: the requests that it was prepared for, so that another process knows which of them must be gone. */
const REQUESTS_ANNOTATION = 'lockkeeper.dev/requests'

type Annotated = Pick<NodeWorkloadLock, 'annotations'>

/** The annotations a lock needs before work for requests starts; `more`: in addition to those it has. */
export function requestsAnnotation(lock: Annotated, names: readonly string[], more: boolean): Record<string, string> {
  const known = more ? (requestsOnLock(lock) ?? []) : []
  return { [REQUESTS_ANNOTATION]: [...new Set([...known, ...names])].sort().join(',') }
}

export function hasAnnotations(lock: Annotated, marks: Readonly<Record<string, string>>): boolean {
  return Object.entries(marks).every(([key, value]) => lock.annotations[key] === value)
}

/** The request names on a lock, empty if it was prepared for a NodeDeletionRequest alone; null if it has no record. */
function requestsOnLock(lock: Annotated | null): readonly string[] | null {
  return lock?.annotations[REQUESTS_ANNOTATION]?.split(',').filter(name => name !== '') ?? null
}

export interface SeenRequests {
  note(subject: string, requests: readonly { readonly name: string; readonly uid: string }[]): void
  /**
   * Why a request may still exist although no list shows it; null if a read proves that each one seen, here or on the lock, and the one with Lockkeeper's own name are gone. An unknown request cannot be proved gone.
   */
  whyNotGone(subject: string, ownName: string, lock: Annotated | null, signal: AbortSignal): Promise<Finding | null>
}

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
      const noted = requestsOnLock(lock)
      const known = [...here, ...(noted ?? [])]
      for (const name of new Set([ownName, ...known])) {
        const uid = await maintenanceApi.uidOf({ kind, name }, signal)
        if (!uid.ok) return because('RequestNotKnownGone', { kind, name, cause: uid.failure.message })
        // A recreated request of that name counts too.
        if (uid.value !== null) return because('RequestNotListed', { kind, name })
      }
      if (noted === null && known.length === 0) return because('NoRequestProved', { kind, subject })
      seen.delete(subject)
      return null
    },
  }
}
