import { isNewOf, type MeasuredClock } from '../../../shared/domain/clock-skew.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Clock } from '../../platform/clock/clock.ts'

/** How often a driven run reads the servers' clocks. API servers behind one address may differ; this also limits how often that is reported. */
const LOOK_EVERY_MS = seconds(30)

/** Reports the servers' clocks at the start of driving, and whenever one drifts by a visible amount, until `until` aborts. */
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
