import type { BatchOptions } from '../domain/batches.ts'
import type { TimeVerdict } from '../domain/estimate.ts'
import type { MaintenanceWindow, WindowPlan, WindowStatus } from '../domain/window.ts'
import { counted } from '../grammar/counts.ts'
import { durationWords, estimateWords } from '../grammar/durations.ts'
import { zonedText } from '../grammar/times.ts'

/** Where a window stands. */
export const STATUS_WORDS: Readonly<Record<WindowStatus, string>> = {
  planned: 'Planned',
  open: 'Open',
  overrunning: 'Overrunning',
  over: 'Over, not closed',
  closed: 'Closed',
  cancelled: 'Cancelled',
}

/** How an end compares with the window's. */
export const VERDICT_WORDS: Readonly<Record<TimeVerdict, string>> = {
  'in-time': 'ends in time',
  'may-overrun': 'may overrun',
  overruns: 'overruns',
  'not-known': 'not known',
}

/** How batches take from availability zones. */
export const ZONES_WORDS: Readonly<Record<BatchOptions['zones'], string>> = {
  'one-at-a-time': 'One availability zone a batch',
  spread: 'Spread over availability zones',
}

/** What a window is for, in a line. */
export function planWords(plan: WindowPlan): string {
  switch (plan.kind) {
    case 'open':
      return 'Runs are started one by one'
    case 'batches': {
      const nodes = plan.batches.reduce((sum, batch) => sum + batch.nodes.length, 0)
      return `${counted(nodes, 'node')} in ${counted(plan.batches.length, 'batch', 'batches')}`
    }
    case 'update':
      return 'Update of the whole cluster'
  }
}

/** How far off the beginning or the end is: `opens in 2 h`, `ends in 40 min`, `past its end by 5 min`; empty once all is said. */
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
      return `past its end by ${pastMinutes(nowMs - Date.parse(window.endsAt))}`
    case 'closed':
    case 'cancelled':
      return ''
  }
}

/** A range of milliseconds, from the usual to what nine in ten stay below. */
export function rangeWords(span: { readonly lowMs: number; readonly highMs: number } | null): string {
  if (span === null) return 'not known'
  return estimateWords(span.lowMs, span.highMs)
}

/** A window in a sentence, told from others by its id: `"Kernels" (4f1c)`. */
export function windowLabel({ id, title }: Pick<MaintenanceWindow, 'id' | 'title'>): string {
  return `"${title}" (${id})`
}

/** Why nothing that enters or updates may be started in a window that stands so, in words; null when it may. */
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
