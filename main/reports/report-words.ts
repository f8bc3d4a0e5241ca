import { apartWords } from '../../shared/domain/clock-skew.ts'
import { durationWords } from '../../shared/domain/duration-words.ts'
import type { Report } from '../../shared/domain/report.ts'

/** What a reader has to know of the times in a report. */
export const CLOCKS_WORDS =
  'Times are those of the console that drove the run. What a server told with a time of its own is off by as much as its clock was. Each clock is told when the run began, and again when it had gone off by 5 s or more.'
export const NO_CLOCKS =
  'The clocks of the servers were not measured: how far times that they told are off is not known.'

/** Whose words a report is in: another version may say the same facts otherwise. */
export function wordedBy(version: string): string {
  return `Worded by Lockkeeper ${version}: another version may word the same entries otherwise, and then cannot make it again to verify it`
}

/** By how much the work of a window went past its end, or is past it until now; its overrun is not 0. */
export function overranWords({ window, runs }: Pick<Report, 'window' | 'runs'>): string {
  const by = durationWords(window?.overranMs ?? 0)
  return runs.some(({ outcome }) => outcome === null) ? `overruns by ${by}, and is not over` : `overran by ${by}`
}

/** How far a server's clock was from the console's. */
export function clockOff(aheadMs: number): string {
  return Math.abs(aheadMs) < 1_000 ? 'the same, within 1 s' : apartWords(aheadMs)
}

/** A moment as people write it, in the zone the window was announced in, which is named: `2026-11-21 14:03 (Europe/Berlin)`. */
export function momentWords(at: string, timeZone: string): string {
  const parts = partsOf(at, timeZone)
  if (parts === null) return at
  return `${parts.day} ${parts.time} ${zoneWords(timeZone)}`
}

/** The same to the second, where a stretch may be shorter than a minute. */
export function exactWords(at: string, timeZone: string): string {
  const parts = partsOf(at, timeZone, true)
  return parts === null ? at : `${parts.day} ${parts.time} ${zoneWords(timeZone)}`
}

/** From one moment to another, the day said twice only where it is another. */
export function stretchWords(fromAt: string, toAt: string, timeZone: string): string {
  const [from, to] = [partsOf(fromAt, timeZone), partsOf(toAt, timeZone)]
  if (from === null || to === null) return `${fromAt} to ${toAt}`
  if (from.day === to.day && from.time === to.time) return `${from.day} ${from.time} ${zoneWords(timeZone)}`
  const end = from.day === to.day ? to.time : `${to.day} ${to.time}`
  return `${from.day} ${from.time} to ${end} ${zoneWords(timeZone)}`
}

/** `1 node`, `3 nodes`. */
export function counted(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`
}

/** The first few of a list in one sentence, and how many more there are. */
export function someOf(names: readonly string[], most = 3, between = ', '): string {
  const shown = names.slice(0, most).join(between)
  return names.length > most ? `${shown} and ${names.length - most} more` : shown
}

/** With exactly one full stop at its end. */
export function asSentence(text: string): string {
  const trimmed = text.trim()
  return trimmed === '' || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

function zoneWords(timeZone: string): string {
  return timeZone === 'UTC' ? 'UTC' : `(${timeZone})`
}

function partsOf(
  at: string,
  timeZone: string,
  seconds = false,
): { readonly day: string; readonly time: string } | null {
  const ms = Date.parse(at)
  if (Number.isNaN(ms)) return null
  try {
    const parts = new Map(
      new Intl.DateTimeFormat('en-GB', {
        timeZone,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        ...(seconds ? { second: '2-digit' } : {}),
        hourCycle: 'h23',
      })
        .formatToParts(ms)
        .map(({ type, value }) => [type, value]),
    )
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
    return {
      day: `${part('year')}-${part('month')}-${part('day')}`,
      time: `${part('hour')}:${part('minute')}${seconds ? `:${part('second')}` : ''}`,
    }
  } catch {
    // A zone that this machine does not know: UTC is never wrong.
    const iso = new Date(ms).toISOString()
    return { day: iso.slice(0, 10), time: `${iso.slice(11, seconds ? 19 : 16)}Z` }
  }
}
