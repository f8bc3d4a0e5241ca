import { NO_MAINTENANCE_OBJECTS } from '../../../shared/domain/maintenance-api.ts'
import type { Snapshot } from './application-controller.ts'

/** What the watches show of a cluster, combined into one consistent state. */
interface Picture {
  readonly snapshot: () => Snapshot
  /** Whether the picture is current: everything was received, and no watch is behind. */
  readonly isCurrent: () => boolean
  /** Aborted when the picture is outdated; a new signal starts once it is current again. */
  readonly current: () => AbortSignal
  receive<K extends keyof Snapshot>(part: K, what: Snapshot[K]): void
  /** Reports whether a part is live. Parts without a report count as live. */
  stands(part: keyof Snapshot, isLive: boolean): void
}

/** Holds back changes while any part is behind, then shows all together. */
export function createPicture(onChange: () => void): Picture {
  let shown: Snapshot = { objects: NO_MAINTENANCE_OBJECTS, nodes: [] }
  let received = shown
  const missing = new Set<keyof Snapshot>(['objects', 'nodes'])
  const behind = new Set<keyof Snapshot>()
  let current = new AbortController()
  current.abort()
  function show(): void {
    if (missing.size + behind.size > 0) return
    if (current.signal.aborted) current = new AbortController()
    shown = received
    onChange()
  }
  return {
    snapshot: () => shown,
    isCurrent: () => !current.signal.aborted,
    current: () => current.signal,
    receive: (part, what) => {
      received = { ...received, [part]: what }
      missing.delete(part)
      show()
    },
    stands: (part, isLive) => {
      if (isLive === !behind.has(part)) return
      if (isLive) {
        behind.delete(part)
        show()
      } else {
        behind.add(part)
        current.abort()
      }
    },
  }
}
