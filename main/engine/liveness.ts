import type { RunView } from '../../shared/domain/run.ts'
import type { Clock } from '../clock/clock.ts'
import type { RunRow } from './journal-port.ts'

/** A driver says that it lives every two seconds; one silent for so long is gone. */
export const SILENT_AFTER_MS = 15_000

/** What is needed to tell whether a driver lives. */
export interface Surroundings {
  readonly clock: Clock
  readonly machine: string
  /** Whether a process of this machine lives. */
  readonly pidAlive: (pid: number) => boolean
}

/** Whether nobody drives an unfinished run any more (style G21): shown, never resumed by itself. */
export function isInterrupted(view: RunView, row: RunRow, { clock, machine, pidAlive }: Surroundings): boolean {
  if (view.state.kind === 'finished') return false
  if (view.state.kind === 'left') return true
  if (row.machine === machine && !pidAlive(row.pid)) return true
  return clock.now() - row.heartbeatAtMs > SILENT_AFTER_MS
}
