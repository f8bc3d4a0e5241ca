import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import type { NodeState } from '../../../shared/domain/node-summary.ts'
import { because } from '../../../shared/words/reasons.ts'

/** After this time from its arrival, a node shows the known state even if lists are missing. */
const LONGEST_MS = seconds(15)
/** Normally a watch reports a change within this time. */
const SHORTEST_MS = seconds(2)

const ORIGINS: { readonly [State in NodeState]?: NodeState } = { entering: 'active', leaving: 'maintenance' }

/** Prevents that outdated facts show a node that has just arrived as partial, or in its earlier state. */
interface Settling {
  /** The node to draw now, given its last drawing. A verify of its arrival read Nova directly; the drawing comes from older polls. */
  seenAs(now: NodeView, before: NodeView | undefined): NodeView
  forget(name: string): void
  read(source: string, askedAtMs: number): void
  /** Nodes that wait for lists: they are drawn again with each list, and polls are quick meanwhile. */
  waiting(): readonly string[]
}

export function createSettling({
  polled,
  hasFailed,
  monotonicMs,
}: {
  readonly polled: () => readonly string[]
  readonly hasFailed: (runId: string) => boolean
  readonly monotonicMs: () => number
}): Settling {
  const arrivedAt = new Map<string, number>()
  const askedAt = new Map<string, number>()

  function isSettled(sinceMs: number): boolean {
    const lastedMs = monotonicMs() - sinceMs
    if (lastedMs < SHORTEST_MS) return false
    if (lastedMs >= LONGEST_MS) return true
    return polled().every(source => (askedAt.get(source) ?? Number.NEGATIVE_INFINITY) >= sinceMs)
  }

  return {
    seenAs(now, before) {
      const origin = before === undefined ? undefined : ORIGINS[before.state]
      const isOlder = origin !== undefined && (now.state === 'partial' || now.state === origin)
      if (before === undefined || !isOlder || (before.runId !== null && hasFailed(before.runId))) {
        arrivedAt.delete(now.name)
        return now
      }
      const since = arrivedAt.get(now.name) ?? monotonicMs()
      arrivedAt.set(now.name, since)
      if (isSettled(since)) {
        arrivedAt.delete(now.name)
        return now
      }
      const reason = because('StateReadAgain')
      return {
        ...now,
        state: before.state,
        stateReason: reason.message,
        stateFindings: [reason],
      }
    },
    forget: name => void arrivedAt.delete(name),
    read(source, at) {
      askedAt.set(source, at)
    },
    waiting: () => [...arrivedAt.keys()],
  }
}
