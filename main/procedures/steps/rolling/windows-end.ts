import { zonedText } from '../../../../shared/grammar/times.ts'
import type { MaintenanceContext } from '../../node-input.ts'

/** The moment at which the window of a run ends, and what is asked then; null: it is outside any, or past its end already, which is its operator's choice. */
export function windowsEnd({
  window,
  clock,
}: MaintenanceContext): { readonly at: string; readonly said: string } | null {
  if (window?.kind !== 'in' || window.endsAt === undefined) return null
  if (clock.now() >= Date.parse(window.endsAt)) return null
  return {
    at: window.endsAt,
    said: `Window ${window.title} is over: it ended at ${zonedText(window.endsAt, window.timeZone ?? 'UTC')}.`,
  }
}

/** The same within a sentence: `2026-05-04 16:00 +02:00, when window Kernels ends`; null: there is none, or it is past. */
export function windowsEndWords(ctx: MaintenanceContext): string | null {
  const { window } = ctx
  if (window?.kind !== 'in' || window.endsAt === undefined || windowsEnd(ctx) === null) return null
  return `${zonedText(window.endsAt, window.timeZone ?? 'UTC')}, when window ${window.title} ends`
}
