import type { RunEvent, RunView } from './run.ts'
import { type WaitedFor, type WaitSpan, waitSpansOf } from './wait-history.ts'

/** How long a run waited, each moment counted once. */
export interface Waited {
  readonly ms: number
  /** Null if it does not wait now. */
  readonly since: string | null
}

export interface RunWaited extends Waited {
  readonly whom: ReadonlyMap<WaitedFor, Waited>
}

export function waitedOf(view: Pick<RunView, 'plan' | 'endedAt'>, events: readonly RunEvent[]): RunWaited {
  const spans = waitSpansOf(view.plan, events)
  const whom = [...Map.groupBy(spans, span => span.for)].map(([of, own]) => [of, together(own, view.endedAt)] as const)
  return { ...together(spans, view.endedAt), whom: new Map(whom) }
}

function together(spans: readonly WaitSpan[], endedAt: string | null): Waited {
  let ms = 0
  let reachedMs = Number.NEGATIVE_INFINITY
  let since: string | null = null
  for (const span of spans.toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since))) {
    const until = span.until ?? endedAt
    if (since !== null) break
    const fromMs = Math.max(reachedMs, Date.parse(span.since))
    if (until === null) {
      since = new Date(fromMs).toISOString()
      break
    }
    const toMs = Date.parse(until)
    ms += Math.max(0, toMs - fromMs)
    reachedMs = Math.max(reachedMs, toMs)
  }
  return { ms, since }
}
