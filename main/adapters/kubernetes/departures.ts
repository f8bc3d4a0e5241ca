import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { podOn } from './read-pod.ts'
import { PODS } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'
import { watchResource } from './watch.ts'

/** Sees pods leave a node the moment they do, by one watch, where kubectl asks for each of them every second. */
export interface Departures {
  /** The watch saw that no pod with this UID is on the node any more. */
  hasLeft(uid: string): boolean
  /** Waits until the pod left, it is time to ask for it again, or the signal aborts, whatever comes first. */
  wait(uid: string, signal: AbortSignal): Promise<void>
  /** Ends when the watch has ended. */
  readonly ended: Promise<void>
}

/** While the watch works, asking for a pod again is only a backstop. */
const BACKSTOP_MS = seconds(20)
/** A pod whose eviction was accepted has a time to end at once: one that the watch does not see terminate is looked at soon. */
const NOT_TERMINATING_MS = seconds(5)
/** Without the watch we ask as often as kubectl (docs/drain.md 5.4 rule 1). */
const POLL_MS = seconds(1)

/** Begins to watch the pods of a node, until the signal aborts. Ask only for pods that were there before. */
export function watchDepartures(
  session: KubernetesSession,
  node: string,
  clock: Clock,
  signal: AbortSignal,
): Departures {
  const present = new Set<string>()
  /** Of those, the ones that were seen to have a time to end. */
  const terminating = new Set<string>()
  const asleep = new Map<string, () => void>()
  let listed = false
  let live = false
  const hasLeft = (uid: string) => listed && !present.has(uid)
  const ended = watchResource({
    session,
    collection: { type: PODS, namespace: null },
    fieldSelector: `spec.nodeName=${node}`,
    parse: podOn(node),
    clock,
    signal,
    onChange: (upserts, removals) => {
      listed = true
      for (const { uid } of removals) present.delete(uid)
      for (const { uid, deletionAt } of upserts) {
        present.add(uid)
        if (deletionAt !== null) terminating.add(uid)
      }
      for (const [uid, wake] of asleep) if (hasLeft(uid)) wake()
    },
    onState: state => {
      const turnsLive = !live && state.kind === 'live'
      live = state.kind === 'live'
      if (turnsLive) for (const wake of asleep.values()) wake()
    },
  })

  async function sleep(uid: string, ms: number, until: AbortSignal): Promise<void> {
    const woken = new AbortController()
    asleep.set(uid, () => woken.abort())
    await clock.sleep(ms, AbortSignal.any([woken.signal, until]))
    asleep.delete(uid)
  }

  return {
    hasLeft,
    wait: async (uid, until) => {
      if (!live) await sleep(uid, POLL_MS, until)
      // Live from here, or woken because it turned live: now only what the watch says ends the sleep early.
      if (live && !hasLeft(uid) && !until.aborted) {
        await sleep(uid, terminating.has(uid) ? BACKSTOP_MS : NOT_TERMINATING_MS, until)
      }
    },
    ended,
  }
}
