import type { Clock } from '../clock/clock.ts'
import { readPod } from './read-pod.ts'
import type { KubernetesSession } from './session.ts'
import { watchResource } from './watch.ts'

/** Sees pods leave a node the moment they do, by one watch, where kubectl asks for each of them every second. */
export interface Departures {
  /** The watch saw that no pod with this UID is on the node any more. */
  hasLeft(uid: string): boolean
  /** The watch works: asking again is only a backstop. */
  readonly live: boolean
  /** Waits until the pod left, the time is over or the signal aborts, whatever comes first. */
  wait(uid: string, ms: number, signal: AbortSignal): Promise<void>
  /** Ends when the watch has ended. */
  readonly ended: Promise<void>
}

/** Begins to watch the pods of a node, until the signal aborts. Ask only for pods that were there before. */
export function watchDepartures(
  session: KubernetesSession,
  node: string,
  clock: Clock,
  signal: AbortSignal,
): Departures {
  const present = new Set<string>()
  const waiting = new Map<string, () => void>()
  let listed = false
  let live = false
  const hasLeft = (uid: string) => listed && !present.has(uid)
  const ended = watchResource({
    session,
    path: '/api/v1/pods',
    fieldSelector: `spec.nodeName=${node}`,
    parse: readPod,
    clock,
    signal,
    onChange: (upserts, removals) => {
      listed = true
      for (const { uid } of removals) present.delete(uid)
      for (const { uid } of upserts) present.add(uid)
      for (const [uid, wake] of waiting) if (hasLeft(uid)) wake()
    },
    onState: state => {
      live = state.kind === 'live'
    },
  })
  return {
    hasLeft,
    get live() {
      return live
    },
    wait: async (uid, ms, until) => {
      if (hasLeft(uid)) return
      const left = new AbortController()
      waiting.set(uid, () => left.abort())
      await clock.sleep(ms, AbortSignal.any([left.signal, until]))
      waiting.delete(uid)
    },
    ended,
  }
}
