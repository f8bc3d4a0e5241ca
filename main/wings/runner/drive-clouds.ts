import { seconds } from '../../../shared/domain/durations.ts'
import type { LeasePort } from '../../ports/leases.ts'
import { createCloudWork } from './cloud-work.ts'
import type { CloudWorkParts } from './cloud-work-parts.ts'
import type { RunnerObjects } from './ports/maintenance-runs.ts'
import { createStatusWriter } from './status-writer.ts'
import { type HeldWorkLease, takeCloudLease } from './work-lease.ts'

interface CloudDriverParts extends Omit<CloudWorkParts, 'cloud' | 'lease' | 'writer' | 'isOfShard'> {
  readonly journalId: string
  readonly leases: LeasePort
  readonly nextEpoch: () => number
  readonly current: () => RunnerObjects
  readonly isOfShard: (cloud: string | null) => boolean
  readonly hasWork: (cloud: string | null) => boolean
  /** Waits for a change, at most this long, until the signal aborts. */
  readonly waitForChange: (ms: number, signal: AbortSignal) => Promise<void>
}

/** The longest wait between two passes: windows, ends and silent drivers are found by time alone. */
export const PASS_AT_LEAST_MS = seconds(10)
/** The same while a run is driven. */
const PASS_WHILE_DRIVING_MS = seconds(2)
/** The shortest wait between two passes: changes that come together are handled together. */
const PASS_AT_MOST_MS = 500
/** How long the last statuses may take when the work on a cloud ends. */
const LAST_STATUSES_MS = seconds(8)

/** Works on one cloud while it has work, under its Lease; `null`: on objects that name no cloud. `onLease` gets the Lease once it is held. */
export async function driveCloud(
  cloud: string | null,
  parts: CloudDriverParts,
  onLease: (lease: HeldWorkLease) => void,
  signal: AbortSignal,
): Promise<void> {
  const { runnerApp, self, leases, nextEpoch, clock, log } = parts
  const lease = await takeCloudLease(
    cloud,
    {
      leases,
      taker: { journalId: parts.journalId, driverId: runnerApp.driver.id, machine: self.pod },
      nextEpoch,
      clock,
      log,
      onWaiting: why => log.info('cloud-lease-waited-for', { cloud, why }),
    },
    signal,
  )
  if (lease === null) return
  onLease(lease)
  log.info('cloud-lease-held', { cloud, epoch: lease.epoch })
  await workUnderLease(cloud, parts, lease, AbortSignal.any([signal, lease.lost]))
}

async function workUnderLease(
  cloud: string | null,
  parts: CloudDriverParts,
  lease: HeldWorkLease,
  scope: AbortSignal,
): Promise<void> {
  const { runnerApp, self, objects, clock, log } = parts
  const writing = new AbortController()
  const writer = createStatusWriter({
    objects,
    runner: self.runner,
    mayWrite: lease.isHeld,
    clock,
    log,
    until: writing.signal,
  })
  const work = createCloudWork({ ...parts, cloud, lease, writer, isOfShard: parts.isOfShard(cloud) }, parts.current)
  const driven = () => (cloud === null ? [] : runnerApp.runs.drivenOn(cloud))
  const ended = new Promise<void>(resolve => {
    if (scope.aborted) resolve()
    else scope.addEventListener('abort', () => resolve(), { once: true })
  })
  const left = ended.then(() => runnerApp.leave(driven()))
  try {
    while (!scope.aborted) {
      await work.pass()
      if (scope.aborted || (!parts.hasWork(cloud) && driven().length === 0)) break
      const since = clock.monotonicMs()
      await parts.waitForChange(driven().length > 0 ? PASS_WHILE_DRIVING_MS : PASS_AT_LEAST_MS, scope)
      await clock.sleep(Math.max(0, PASS_AT_MOST_MS - (clock.monotonicMs() - since)), scope)
    }
  } finally {
    // A driven run is left at its next quiet point; at once if the Lease is lost.
    if (scope.aborted) await left
    await runnerApp.leave(driven())
    if (lease.isHeld()) work.reportAll()
    await writer.flush(LAST_STATUSES_MS)
    writing.abort()
    await lease.release()
    log.info('cloud-lease-given-back', { cloud, lost: lease.whyLost() })
  }
}
