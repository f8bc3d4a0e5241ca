import { type ClockSkew, type MeasuredClock, narrowedSkew, skewMs } from '../../../shared/domain/clock-skew.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from './clock.ts'

/** A server that answered within this time is not asked again only for its clock. */
const LATELY_MS = seconds(60)

/** The clocks of the servers of one session, measured by the Date header of every answer. */
export interface ServerClocks {
  /** Records an answer. `date`: its header, maybe absent or invalid; `sentAtMs`: our wall clock before the request. */
  received(server: string, answer: { readonly date: string | undefined; readonly sentAtMs: number }): void
  measured(): readonly MeasuredClock[]
  /** First sends a request to each server of `ask`, by its name, that has not answered lately. Ignores their results; never rejects. */
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
      // Callers that need the answer of a silent server report that themselves.
      await Promise.allSettled(late.map(([, request]) => request()))
      return measured()
    },
  }
}
