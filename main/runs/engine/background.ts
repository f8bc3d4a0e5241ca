import { isNewOf, type MeasuredClock } from '../../../shared/domain/clock-skew.ts'
import { seconds } from '../../../shared/domain/durations.ts'
import type { Fence } from '../../../shared/domain/run.ts'
import type { RunControl } from '../../../shared/domain/run-control.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { JournalPort } from '../../ports/journal.ts'
import { LOOK_AT_CLOCKS_EVERY_MS } from './sleep-watch.ts'

/** How often a driver reads requests of other processes and writes its heartbeat. */
const CONTROLS_EVERY_MS = LOOK_AT_CLOCKS_EVERY_MS
const HEARTBEAT_EVERY_MS = 2_000

/** Runs beside a driven run until `until` aborts: heartbeats, and requests from other processes. */
export async function keepAlive(options: {
  readonly runId: string
  readonly journal: JournalPort
  readonly fence: Fence
  readonly clock: Clock
  readonly log: Logger
  readonly onControl: (control: RunControl) => void
  /** Called at each poll for requests (sleep-watch.ts). */
  readonly onTick: () => void
  readonly until: AbortSignal
}): Promise<void> {
  const { journal, runId, clock, until, log } = options
  let beatAt = Number.NEGATIVE_INFINITY
  while (!until.aborted) {
    try {
      options.onTick()
      if (clock.monotonicMs() - beatAt >= HEARTBEAT_EVERY_MS) {
        journal.heartbeat(runId, options.fence)
        beatAt = clock.monotonicMs()
      }
      for (const control of journal.takeControls(runId)) options.onControl(control)
    } catch (error) {
      // A busy database is retried; the run's own appends report a real failure.
      log.warn('journal-silent', { runId, error })
    }
    await clock.sleep(CONTROLS_EVERY_MS, until)
  }
}

/** How often a driven run reads the servers' clocks. API servers behind one address may differ; this also limits how often that is reported. */
const CLOCKS_EVERY_MS = seconds(30)

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
    await clock.sleep(CLOCKS_EVERY_MS, until)
  }
}
