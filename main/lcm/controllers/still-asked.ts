import type { MaintenanceKind } from '../../../shared/domain/maintenance-api.ts'
import type { ControllerWorld } from '../ports.ts'

/** Requests that a controller has seen and that no list shows any more: it follows them until they are proved gone. */
export interface SeenRequests {
  /** Notes what the watch shows for a subject: a node's name, or that of the cluster. */
  note(subject: string, requests: readonly { readonly name: string; readonly uid: string }[]): void
  /**
   * Why a request may still stand though no list shows it, in words; null: each that was seen is proved gone, by asking for that very object,
   * and none has the name that Lockkeeper gives its own. A list without a request is no reason to bring a node back under somebody's hands.
   */
  whyNotGone(subject: string, ownName: string, signal: AbortSignal): Promise<string | null>
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
    whyNotGone: async (subject, ownName, signal) => {
      const known = seen.get(subject) ?? new Map<string, string>()
      for (const name of new Set([ownName, ...known.values()])) {
        const uid = await maintenanceApi.uidOf({ kind, name }, signal)
        if (!uid.ok) return `Whether ${kind} ${name} is gone could not be read: ${uid.failure.message}`
        // One that was made anew under the name asks as well.
        if (uid.value !== null) return `${kind} ${name} is there, though the list of requests does not show it`
      }
      seen.delete(subject)
      return null
    },
  }
}
