import { isNewOf, type MeasuredClock } from '../../../shared/domain/clock-skew.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from '../../platform/clock/clock.ts'

/** How often a driven run looks at the servers' clocks: the clocks of API servers behind one address that differ are not told more often either. */
const LOOK_EVERY_MS = seconds(30)

/** Tells the clocks of the servers when a run begins to be driven, and when one of them went off by as much as is shown, until `until` aborts. */
export async function watchClocks(options: {
  readonly measure: (signal: AbortSignal) => Promise<readonly MeasuredClock[]>
  readonly report: (clocks: readonly MeasuredClock[]) => void
  readonly clock: Clock
  readonly until: AbortSignal
}): Promise<void> {
  const { measure, report, clock, until } = options
  let reported: readonly MeasuredClock[] | null = null
  while (!until.aborted) {
    const now = await measure(until)
    if (until.aborted) return
    if (reported === null || isNewOf(reported, now)) {
      report(now)
      reported = now
    }
    await clock.sleep(LOOK_EVERY_MS, until)
  }
}
