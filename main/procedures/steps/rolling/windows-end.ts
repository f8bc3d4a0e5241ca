import type { WindowEnd } from '../../../../shared/words/steps/rolling-work.ts'
import type { MaintenanceContext } from '../../node-input.ts'

/** The end of a run's window; null means outside any window, or past its end by the operator's choice. */
export function windowsEnd({ window, clock }: MaintenanceContext): WindowEnd | null {
  if (window?.kind !== 'in' || window.endsAt === undefined) return null
  if (clock.now() >= Date.parse(window.endsAt)) return null
  return { title: window.title, at: window.endsAt, timeZone: window.timeZone ?? 'UTC' }
}
