import type { NodeView } from '../../shared/domain/cluster-view.ts'
import { seconds } from '../../shared/domain/durations.ts'
import type { NodeState } from '../../shared/domain/node-summary.ts'
import { because } from '../../shared/words/reasons.ts'

/** So long after its arrival a node is what is known of it, also where lists did not come. */
const LONGEST_MS = seconds(15)
/** A watch tells of a change this late at most, where all is well. */
const SHORTEST_MS = seconds(2)

/** Where a node on its way comes from. */
const ORIGINS: { readonly [State in NodeState]?: NodeState } = { entering: 'active', leaving: 'maintenance' }

/** Keeps nodes that were on their way from being called partial, or where they came from, by what was heard before their arrival. */
interface Settling {
  /**
   * The node as it is drawn now, after it was drawn as `before`. A verify that it has arrived asked Nova and Ceph afresh; the drawn node comes
   * from polls, some of which are seconds older.
   */
  seenAs(now: NodeView, before: NodeView | undefined): NodeView
  /** There is no such node any more: nothing is waited for any more. */
  forget(name: string): void
  /** A polled list came; it was asked for at this moment of the monotonic clock. */
  read(source: string, askedAtMs: number): void
  /** Nodes for which lists are waited for: to be drawn again whenever one came, and polls are quick meanwhile. */
  waiting(): readonly string[]
}

export function createSettling({
  polled,
  hasFailed,
  monotonicMs,
}: {
  /** The lists that have to be read since, as `read` names them. */
  readonly polled: () => readonly string[]
  /** Whether a run ended otherwise than it was to: then the node has arrived nowhere, and is what is heard of it. */
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
