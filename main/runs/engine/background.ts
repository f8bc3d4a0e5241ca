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
