import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { podOn } from './read-pod.ts'
import { PODS } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'
import { watchResource } from './watch.ts'

/** Reports pods leaving a node through one watch, where kubectl polls each pod every second. */
export interface Departures {
  hasLeft(uid: string): boolean
  wait(uid: string, signal: AbortSignal): Promise<void>
  readonly ended: Promise<void>
}

/** While the watch works, polling is only a backstop. */
const BACKSTOP_MS = seconds(20)
/** An accepted eviction sets a deletion time at once; a pod that the watch does not show terminating is checked soon. */
const NOT_TERMINATING_MS = seconds(5)
/** Without the watch, Lockkeeper polls as often as kubectl (docs/drain.md 5.4 rule 1). */
const POLL_MS = seconds(1)

/** Watches the pods of a node until the signal aborts. Ask only about pods that existed before. */
export function watchDepartures(
  session: KubernetesSession,
  node: string,
  clock: Clock,
  signal: AbortSignal,
): Departures {
  const present = new Set<string>()
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
      // Once the watch is live, only its events end the sleep early.
      if (live && !hasLeft(uid) && !until.aborted) {
        await sleep(uid, terminating.has(uid) ? BACKSTOP_MS : NOT_TERMINATING_MS, until)
      }
    },
    ended,
  }
}
