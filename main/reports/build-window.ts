import type { Completeness, Report } from '../../shared/domain/report.ts'
import { conditionOf } from '../../shared/domain/run-condition.ts'
import { type MaintenanceWindow, windowStatus } from '../../shared/domain/window.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { durationWords, spanWords } from '../../shared/grammar/durations.ts'
import { momentWords } from '../../shared/grammar/times.ts'
import { conditionWord } from '../../shared/words/conditions.ts'
import { hasBegun, hasEnded, type Material } from './material.ts'

export function buildWindow({ window, runs, now }: Material, overranMs: number): Report['window'] {
  if (window === null) return null
  const { id, title, ticket, startsAt, endsAt, timeZone, operator, notes, remarks, closed } = window
  const working = runs.some(run => !hasEnded(run))
  return {
    id,
    title,
    ticket,
    startsAt,
    endsAt,
    timeZone,
    operator,
    status: windowStatus(window, Date.parse(now), working),
    notes,
    remarks: remarks.map(({ at, kind, text, by }) => ({ at, kind, text, by })),
    closed,
    overranMs,
  }
}

/** How many milliseconds the work of a window ended after the window; 0 if it ended in time. */
export function overranMs({ window, runs, now }: Pick<Material, 'window' | 'runs' | 'now'>): number {
  if (window === null) return 0
  const end = Date.parse(window.endsAt)
  const last = runs
    .filter(hasBegun)
    .map(run => Date.parse(hasEnded(run) ? (run.view.endedAt ?? run.view.lastEventAt) : now))
  return Math.max(0, ...last.map(at => at - end))
}

/** Whether the work has ended. A report of unfinished work says so first. */
export function buildCompleteness(
  material: Pick<Material, 'runs' | 'window' | 'subject' | 'now' | 'timeZone'>,
): Completeness {
  const { runs, window, subject, now: madeAt, timeZone } = material
  const now = momentWords(madeAt, timeZone)
  const open = runs
    .filter(run => !hasEnded(run))
    .map(({ view, interrupted }) => ({ view, condition: conditionOf(view, interrupted) }))
  const driverless = open.filter(({ condition }) => condition.kind === 'interrupted')
  if (driverless.length > 0) return interrupted(driverless, open.length - driverless.length, now)
  if (open.length > 0) {
    const waiting = open.find(({ condition }) => condition.kind === 'waiting')?.condition
    const who = open.length === 1 ? 'It' : 'One'
    const what = waiting === undefined ? '' : ` ${who} ${conditionWord(waiting)}.`
    return {
      kind: 'under-way',
      words: `Not finished: ${counted(open.length, 'run')} ${open.length === 1 ? 'is' : 'are'} running.${what} This report ends at ${now}; its figures will change.`,
    }
  }
  return subject.kind === 'window' && isOpen(window) ? notClosed(window, madeAt, now) : { kind: 'final' }
}

function interrupted(runs: readonly { readonly view: { readonly id: string } }[], others: number, now: string) {
  const names = runs.map(({ view }) => view.id).join(', ')
  const more = others === 0 ? '' : ` ${counted(others, 'other run')} ${others === 1 ? 'is' : 'are'} running.`
  const [what, how] = runs.length === 1 ? ['run', 'it ends'] : ['runs', 'they end']
  return {
    kind: 'interrupted',
    words: `Interrupted: no console carries out ${what} ${names}, and how ${how} is unknown. This report ends at ${now}.${more}`,
  } as const
}

function isOpen(window: MaintenanceWindow | null): window is MaintenanceWindow {
  return window !== null && window.closed === null && window.cancelled === null
}

function notClosed({ endsAt }: MaintenanceWindow, madeAt: string, now: string) {
  const words =
    Date.parse(madeAt) >= Date.parse(endsAt)
      ? `Not closed: the window ended, but nobody closed it. More may be added after ${now}.`
      : `Not closed: this report ends at ${now}. More may follow.`
  return { kind: 'under-way', words } as const
}

/** The estimate before the work compared with the time it took; null if there is no estimate, or not a whole window. */
export function buildEstimate({
  subject,
  window,
  runs,
}: Pick<Material, 'subject' | 'window' | 'runs'>): Report['estimate'] {
  const kept = window?.estimate ?? null
  if (kept === null || subject.kind !== 'window') return null
  const actualMs = workedMs({ runs })
  return {
    planned: kept.estimate,
    plannedAt: kept.at,
    actualMs,
    words: estimateWords(kept.estimate.own.total, actualMs),
  }
}

/** From the start of the first run to the end of the last one; null if one has not ended, or none started. */
function workedMs({ runs }: Pick<Material, 'runs'>): number | null {
  const begun = runs.filter(hasBegun)
  if (begun.length === 0 || !runs.every(hasEnded)) return null
  const from = Math.min(...begun.map(({ view }) => Date.parse(view.createdAt)))
  const to = Math.max(...begun.map(({ view }) => Date.parse(view.endedAt ?? view.lastEventAt)))
  return to - from
}

function estimateWords(planned: { readonly lowMs: number; readonly highMs: number } | null, actualMs: number | null) {
  const expected = planned === null ? 'No time was estimated' : `Estimated: ${spanWords(planned.lowMs, planned.highMs)}`
  if (actualMs === null) return `${expected}. The work has not ended, or did not begin.`
  const more = planned === null ? 0 : actualMs - planned.highMs
  const less = planned === null ? 0 : planned.lowMs - actualMs
  const off = more > 0 ? `, ${durationWords(more)} more` : less > 0 ? `, ${durationWords(less)} less` : ''
  return `${expected}. It took ${durationWords(actualMs)}${off}.`
}
