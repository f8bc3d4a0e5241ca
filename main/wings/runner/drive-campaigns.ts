import { seconds } from '../../../shared/domain/durations.ts'
import { type Clock, isoNow } from '../../platform/clock/clock.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { LeasePort } from '../../ports/leases.ts'
import { campaignsWithWork, createCampaignWork } from './campaign-work.ts'
import type { Memory } from './cloud-memory.ts'
import type { RunnerSelf } from './cloud-work-parts.ts'
import type { MaintenanceRunsPort, RunnerObjects } from './ports/maintenance-runs.ts'
import { takeCampaignLease } from './work-lease.ts'

interface CampaignParts {
  readonly self: RunnerSelf
  readonly journalId: string
  readonly driverId: string
  readonly objects: MaintenanceRunsPort
  readonly leases: LeasePort
  readonly provesMaker: (createdAt: string) => Promise<boolean>
  readonly memory: Memory
  readonly nextEpoch: () => number
  /** Waits for a change, at most this long, until the signal aborts. */
  readonly waitForChange: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called when the work on a campaign ended: another may wait. */
  readonly onEnded: () => void
  readonly clock: Clock
  readonly log: Logger
}

/** The campaigns that this runner drives, or waits to drive. */
interface CampaignDrivers {
  /** Starts work on campaigns that need it, and ends work on those that do not. */
  look(signal: AbortSignal): void
  /** Waits until all work has ended, after the signal aborted. */
  ended(): Promise<void>
}

/** How often to check a status that could not be written, or a run that another runner drives. */
const LOOK_AT_LEAST_MS = seconds(5)
/** Changes within this time are handled in one pass. */
const LOOK_AT_MOST_MS = 250

/**
 * Drives campaigns, each under its own Lease. That needs no journal, so every runner of the namespace tries for every campaign: if one disappears, another
 * continues by the status of the campaign.
 */
export function createCampaignDrivers(parts: CampaignParts, current: () => RunnerObjects): CampaignDrivers {
  const { self, objects, clock, log, memory } = parts
  const driving = new Map<string, { readonly done: Promise<void>; readonly leave: () => void }>()
  const withWork = () => campaignsWithWork(current(), { now: isoNow(clock), memory })

  async function drive(name: string, signal: AbortSignal): Promise<void> {
    const lease = await takeCampaignLease(
      name,
      {
        leases: parts.leases,
        taker: { journalId: parts.journalId, driverId: parts.driverId, machine: self.pod },
        nextEpoch: parts.nextEpoch,
        clock,
        log,
        onWaiting: why => log.info('campaign-lease-waited-for', { campaign: name, why }),
      },
      signal,
    )
    if (lease === null) return
    const scope = AbortSignal.any([signal, lease.lost])
    const work = createCampaignWork(
      { ...parts, name, runner: self.runner, lease, driverId: parts.driverId, objects },
      current,
    )
    try {
      while (!scope.aborted) {
        await work.pass()
        if (scope.aborted || !withWork().has(name)) break
        await parts.waitForChange(LOOK_AT_LEAST_MS, scope)
        await clock.sleep(LOOK_AT_MOST_MS, scope)
      }
    } finally {
      await lease.release()
    }
  }

  return {
    look: signal => {
      const wanted = withWork()
      for (const [name, { leave }] of driving) if (!wanted.has(name)) leave()
      for (const name of wanted) {
        if (driving.has(name)) continue
        const leaving = new AbortController()
        const done = drive(name, AbortSignal.any([signal, leaving.signal]))
          .catch((error: unknown) => log.error('campaign-work-stopped', { name, error }))
          .finally(() => {
            driving.delete(name)
            parts.onEnded()
          })
        driving.set(name, { done, leave: () => leaving.abort() })
      }
    },
    ended: async () => {
      await Promise.all([...driving.values()].map(({ done }) => done))
    },
  }
}
