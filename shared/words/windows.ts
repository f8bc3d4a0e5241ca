import type { TimeVerdict } from '../domain/estimate.ts'
import type { MaintenanceWindow, WindowPlan, WindowStatus } from '../domain/window.ts'
import { counted } from '../grammar/counts.ts'
import { durationWords, estimateWords } from '../grammar/durations.ts'
import { zonedText } from '../grammar/times.ts'

export const STATUS_WORDS: Readonly<Record<WindowStatus, string>> = {
  planned: 'Planned',
  open: 'Open',
  overrunning: 'Running late',
  over: 'Ended, not closed',
  closed: 'Closed',
  cancelled: 'Cancelled',
}

/** The end of the work compared with the end of the window. */
export const VERDICT_WORDS: Readonly<Record<TimeVerdict, string>> = {
  'in-time': 'ends in time',
  'may-overrun': 'may end late',
  overruns: 'ends late',
  'not-known': 'unknown',
}

/** The plan of a window in a line. */
export function planWords(plan: WindowPlan): string {
  switch (plan.kind) {
    case 'open':
      return 'You start nodes yourself'
    case 'batches': {
      const nodes = plan.batches.reduce((sum, batch) => sum + batch.nodes.length, 0)
      return `${counted(nodes, 'node')} in ${counted(plan.batches.length, 'batch', 'batches')}`
    }
    case 'update':
      return 'Update of the whole cloud'
  }
}

/** `opens in 2 h`, `ends in 40 min`, `5 min late`; empty for a closed or cancelled window. */
export function timeLeft(
  window: { readonly startsAt: string; readonly endsAt: string },
  status: WindowStatus,
  nowMs: number,
): string {
  const wholeMinutes = (ms: number) => durationWords(Math.max(60_000, Math.ceil(ms / 60_000) * 60_000))
  const pastMinutes = (ms: number) => (ms < 60_000 ? 'under 1 min' : durationWords(Math.floor(ms / 60_000) * 60_000))
  switch (status) {
    case 'planned':
      return `opens in ${wholeMinutes(Date.parse(window.startsAt) - nowMs)}`
    case 'open':
      return `ends in ${wholeMinutes(Date.parse(window.endsAt) - nowMs)}`
    case 'overrunning':
    case 'over':
      return `${pastMinutes(nowMs - Date.parse(window.endsAt))} late`
    case 'closed':
    case 'cancelled':
      return ''
  }
}

/** A range of durations, from the median to the 90th percentile. */
export function rangeWords(span: { readonly lowMs: number; readonly highMs: number } | null): string {
  if (span === null) return 'unknown'
  return estimateWords(span.lowMs, span.highMs)
}

/** `"Kernels" (4f1c)`: titles are not unique. */
export function windowLabel({ id, title }: Pick<MaintenanceWindow, 'id' | 'title'>): string {
  return `"${title}" (${id})`
}

/** Why no run can start in a window with this status; null if it can. */
export function whyNotOpen(
  window: Pick<MaintenanceWindow, 'id' | 'title' | 'startsAt' | 'endsAt' | 'timeZone' | 'closed' | 'cancelled'>,
  status: WindowStatus,
): string | null {
  const label = `Window ${windowLabel(window)}`
  switch (status) {
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
  }
}
