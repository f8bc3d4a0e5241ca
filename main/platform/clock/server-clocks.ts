import { type ClockSkew, type MeasuredClock, narrowedSkew, skewMs } from '../../../shared/domain/clock-skew.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from './clock.ts'

/** A server that was heard so long ago at most is not asked only for its time. */
const LATELY_MS = seconds(60)

/** The clocks of the servers that one session talks to, measured by the Date header of every answer that passes. */
export interface ServerClocks {
  /** An answer came. `date`: its header as it came, absent or nonsense too; `sentAtMs`: our wall clock before it was asked for. */
  received(server: string, answer: { readonly date: string | undefined; readonly sentAtMs: number }): void
  /** By all answers so far; who never told its time is left out. */
  measured(): readonly MeasuredClock[]
  /** Those of `ask` that were not heard lately are asked something first, by their name. Their answers are theirs; never rejects. */
  measure(ask: Readonly<Record<string, () => Promise<unknown>>>): Promise<readonly MeasuredClock[]>
}

export function createServerClocks(clock: Clock): ServerClocks {
  const known = new Map<string, { readonly skew: ClockSkew; readonly receivedMs: number }>()
  const measured = () => [...known].map(([server, { skew }]) => ({ server, aheadMs: skewMs(skew) }))
  return {
    received: (server, { date, sentAtMs }) => {
      const serverMs = Date.parse(date ?? '')
      if (Number.isNaN(serverMs)) return
      const skew = narrowedSkew(known.get(server)?.skew ?? null, { serverMs, sentAtMs, receivedAtMs: clock.now() })
      known.set(server, { skew, receivedMs: clock.monotonicMs() })
    },
    measured,
    measure: async ask => {
      const isLate = (server: string) =>
        clock.monotonicMs() - (known.get(server)?.receivedMs ?? Number.NEGATIVE_INFINITY) > LATELY_MS
      const late = Object.entries(ask).filter(([server]) => isLate(server))
      // Callers that need the answers of a silent server say so themselves.
      await Promise.allSettled(late.map(([, request]) => request()))
      return measured()
    },
  }
}
