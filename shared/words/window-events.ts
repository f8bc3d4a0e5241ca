import { assertNever } from '../domain/must.ts'
import type { MaintenanceWindow, WindowStanding } from '../domain/window.ts'
import { zonedText } from '../grammar/times.ts'

/** What is left of the beginning and the end when one window has to be told from another. */
export function windowLabel({ id, title }: Pick<MaintenanceWindow, 'id' | 'title'>): string {
  return `"${title}" (${id})`
}

/** Why nothing that enters or updates may be started in a window that stands so, in words; null when it may. */
export function whyNotOpen(
  window: Pick<MaintenanceWindow, 'id' | 'title' | 'startsAt' | 'endsAt' | 'timeZone' | 'closed' | 'cancelled'>,
  standing: WindowStanding,
): string | null {
  const label = `Window ${windowLabel(window)}`
  switch (standing) {
    case 'open':
      return null
    case 'planned':
      return `${label} begins at ${zonedText(window.startsAt, window.timeZone)} (${window.timeZone}).`
    case 'over':
    case 'overrunning':
      return `${label} ended at ${zonedText(window.endsAt, window.timeZone)} (${window.timeZone}).`
    case 'closed':
      return `${label} was closed${window.closed === null ? '' : ` by ${window.closed.by}`}.`
    case 'cancelled':
      return `${label} was cancelled${window.cancelled === null ? '' : ` by ${window.cancelled.by}: ${window.cancelled.why}`}.`
    default:
      return assertNever(standing, 'standing of a window')
  }
}
