import type { ProcessOfDriver, RunDriver, RunView } from '../../../shared/domain/run.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { RunRow } from '../../ports/journal.ts'

/** A driver says that it lives every two seconds; one silent for so long is gone. */
export const SILENT_AFTER_MS = 15_000

/** Facts that tell whether a driver lives. */
export interface LivenessFacts {
  readonly clock: Clock
  readonly self: Pick<ProcessOfDriver, 'id' | 'machine' | 'bootId' | 'pid'>
  /** Whether a process of this machine lives. */
  readonly pidAlive: (pid: number) => boolean
  /** When this process first saw each run's driver as it stands now (its last heartbeat), by the clock that never jumps. */
  readonly heartbeats: Map<string, { readonly received: string; readonly sinceMs: number; readonly renewed: boolean }>
}

/** Whether nobody drives an unfinished run any more (style G21): shown, never resumed by itself. */
export function isInterrupted(view: RunView, row: RunRow, liveness: LivenessFacts): boolean {
  if (view.state.kind === 'finished') return false
  if (view.state.kind === 'left') return true
  const driver = { id: row.driverId, machine: row.machine, bootId: row.bootId, pid: row.pid }
  return isProcessGone(driver, liveness) || isSilent(row, liveness)
}

/**
 * Whether a driver is certainly no more: its pid tells that, but only within the boot (and pid namespace) in which it was given out. The name
 * of a machine tells nothing: two laptops are named "laptop". False: it may live, here or elsewhere.
 */
export function isProcessGone(
  driver: Pick<RunDriver, 'id' | 'machine' | 'bootId' | 'pid'>,
  { self, pidAlive }: LivenessFacts,
): boolean {
  if (driver.bootId == null || driver.machine !== self.machine || driver.bootId !== self.bootId) return false
  return driver.pid === self.pid ? driver.id !== self.id : !pidAlive(driver.pid)
}

/** By its heartbeats, which carry the time of the clock of its machine: one that was seen to beat lately lives, whatever the clocks say. */
function isSilent(row: RunRow, { clock, heartbeats }: LivenessFacts): boolean {
  const received = `${row.driverId} ${row.epoch} ${row.heartbeatAtMs}`
  const known = heartbeats.get(row.id)
  const seen =
    known?.received === received ? known : { received, sinceMs: clock.monotonicMs(), renewed: known !== undefined }
  heartbeats.set(row.id, seen)
  const unchangedMs = clock.monotonicMs() - seen.sinceMs
  if (unchangedMs > SILENT_AFTER_MS) return true
  return !seen.renewed && clock.now() - row.heartbeatAtMs > SILENT_AFTER_MS
}

/** Whether a run that this process does not drive is recorded as driven by this very process: it stopped without a word, as on a full disk. */
export function isOwnAndLeft(row: RunRow, driver: Pick<RunDriver, 'id'>): boolean {
  return row.driverId === driver.id
}
