import type { WindowEnd } from '../../../../shared/words/steps/rolling-work.ts'
import type { MaintenanceContext } from '../../node-input.ts'

/** The end of the window of a run; null: it is outside any, or past its end already, which is its operator's choice. */
export function windowsEnd({ window, clock }: MaintenanceContext): WindowEnd | null {
  if (window?.kind !== 'in' || window.endsAt === undefined) return null
  if (clock.now() >= Date.parse(window.endsAt)) return null
  return { title: window.title, at: window.endsAt, timeZone: window.timeZone ?? 'UTC' }
}
