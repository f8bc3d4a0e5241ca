import type { ProcessOfDriver, RunDriver, RunView } from '../../../shared/domain/run.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { RunRow } from '../../ports/journal.ts'

/** A driver writes a heartbeat every two seconds; without one for this long it is gone. */
export const SILENT_AFTER_MS = 15_000

export interface LivenessFacts {
  readonly clock: Clock
  readonly self: Pick<ProcessOfDriver, 'id' | 'machine' | 'bootId' | 'pid'>
  readonly pidAlive: (pid: number) => boolean
  /** When this process first saw each driver with its current heartbeat, by the monotonic clock. */
  readonly heartbeats: Map<string, { readonly received: string; readonly sinceMs: number; readonly renewed: boolean }>
}

/** Whether an unfinished run has lost its driver (style G21): shown, never resumed automatically. */
export function isInterrupted(view: Pick<RunView, 'state'>, row: RunRow, liveness: LivenessFacts): boolean {
  if (view.state.kind === 'finished') return false
  if (view.state.kind === 'left') return true
  const driver = { id: row.driverId, machine: row.machine, bootId: row.bootId, pid: row.pid }
  return isProcessGone(driver, liveness) || isSilent(row, liveness)
}

/** Whether a driver process has certainly ended, by its pid in the same boot and pid namespace. A machine's name proves nothing. False if it may live. */
export function isProcessGone(
  driver: Pick<RunDriver, 'id' | 'machine' | 'bootId' | 'pid'>,
  { self, pidAlive }: LivenessFacts,
): boolean {
  if (driver.bootId == null || driver.machine !== self.machine || driver.bootId !== self.bootId) return false
  return driver.pid === self.pid ? driver.id !== self.id : !pidAlive(driver.pid)
}

/** Judges by heartbeats, which carry the clock of their machine: a driver whose heartbeat changed recently lives, whatever the clocks say. */
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

/** Whether this process is the journal's driver of a run that it no longer drives: it stopped without an entry, such as on a full disk. */
export function isOwnAndLeft(row: RunRow, driver: Pick<RunDriver, 'id'>): boolean {
  return row.driverId === driver.id
}

/** Whether a run that this process does not drive no longer has a driver. */
export function hasNoDriver(view: Pick<RunView, 'state'>, row: RunRow | null, liveness: LivenessFacts): boolean {
  if (view.state.kind === 'finished') return false
  return row === null || isOwnAndLeft(row, liveness.self) || isInterrupted(view, row, liveness)
}
