import type { Plan } from '../../shared/domain/plan.ts'
import type { Fence } from '../../shared/domain/run.ts'
import type { RunControl } from '../../shared/domain/run-control.ts'
import type { Clock } from '../clock/clock.ts'
import type { Logger } from '../log/logger.ts'
import type { JournalPort } from './journal-port.ts'
import type { LeaseKeeper } from './lease-keeper.ts'

/** How often a driver looks for requests of other processes, and says that it lives. */
const CONTROLS_EVERY_MS = 500
const HEARTBEAT_EVERY_MS = 2_000

/** What goes on beside a driven run until `until` aborts: heartbeats, requests from other processes, renewing the lease. */
export async function keepAlive<World>(options: {
  readonly plan: Plan
  readonly runId: string
  readonly world: World
  readonly journal: JournalPort
  readonly lease: LeaseKeeper<World>
  /** Told each time the lease was renewed, with the time before the request: from then on it lasts its duration. */
  readonly onRenewed: (askedAtMs: number) => void
  readonly fence: Fence
  readonly clock: Clock
  readonly log: Logger
  readonly onControl: (control: RunControl) => void
  readonly onLost: (why: string) => void
  readonly until: AbortSignal
}): Promise<void> {
  await Promise.all([listen(options), renew(options)])
}

async function listen<World>(options: Parameters<typeof keepAlive<World>>[0]): Promise<void> {
  const { journal, runId, clock, until, log } = options
  let beatAt = Number.NEGATIVE_INFINITY
  while (!until.aborted) {
    try {
      if (clock.now() - beatAt >= HEARTBEAT_EVERY_MS) {
        journal.heartbeat(runId, options.fence)
        beatAt = clock.now()
      }
      for (const control of journal.takeControls(runId)) options.onControl(control)
    } catch (error) {
      // A busy database is tried again; the run's own appends fail loudly where it matters.
      log.warn('the journal did not answer', { runId, error })
    }
    await clock.sleep(CONTROLS_EVERY_MS, until)
  }
}

/** Renews a third of the way through; an API server that is away for a moment loses nothing until the lease would have run out. */
async function renew<World>(options: Parameters<typeof keepAlive<World>>[0]): Promise<void> {
  const { lease, plan, runId, world, clock, until, log } = options
  let goodUntil = clock.now() + lease.durationMs
  while (!until.aborted) {
    await clock.sleep(lease.durationMs / 3, until)
    if (until.aborted) return
    const askedAt = clock.now()
    const answer = await lease.renew(plan, runId, world)
    if (until.aborted) return
    if (answer.ok && answer.value.kind === 'renewed') {
      goodUntil = askedAt + lease.durationMs
      options.onRenewed(askedAt)
    } else if (answer.ok && answer.value.kind === 'lost') {
      options.onLost(answer.value.message)
      return
    } else if (!answer.ok) {
      log.warn('the lease could not be renewed', { runId, code: answer.failure.code })
      if (clock.now() >= goodUntil) {
        options.onLost(`It could not be renewed in time: ${answer.failure.message}`)
        return
      }
    }
  }
}
