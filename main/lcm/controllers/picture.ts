import { NO_MAINTENANCE_OBJECTS } from '../../../shared/domain/maintenance-api.ts'
import type { Snapshot } from './application-controller.ts'

/** What the watches tell of a cluster, put together so that all of it is of one time. */
interface Picture {
  /** The last picture that was whole. */
  readonly snapshot: () => Snapshot
  /** Whether that is how the cluster is now, as far as anybody can know: everything was heard, and no watch is behind. */
  readonly isCurrent: () => boolean
  /** Aborted as soon as the picture is not current any more; when it is again, another signal stands for it. */
  readonly current: () => AbortSignal
  receive<K extends keyof Snapshot>(part: K, what: Snapshot[K]): void
  /** Says whether a part is heard live. A part of which nothing was said counts as live. */
  stands(part: keyof Snapshot, isLive: boolean): void
}

/** Keeps back what is heard while any part is behind, and shows all of it together. */
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
