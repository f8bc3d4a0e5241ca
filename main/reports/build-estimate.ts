import type { Report } from '../../shared/domain/report.ts'
import { durationWords, spanWords } from '../../shared/grammar/durations.ts'
import { hasBegun, isOver, type Material } from './material.ts'

/** The estimate as it stood when work began, held against what it took; null where none was kept, or the report is not of the whole window. */
export function buildEstimate({
  subject,
  window,
  runs,
}: Pick<Material, 'subject' | 'window' | 'runs'>): Report['estimate'] {
  const kept = window?.estimate ?? null
  if (kept === null || subject.kind !== 'window') return null
  const actualMs = workedMs({ runs })
  const { total } = kept.estimate.own
  return {
    planned: kept.estimate,
    plannedAt: kept.at,
    actualMs,
    words: words(total, actualMs),
  }
}

/** From the first run's beginning to the last one's end; null while one goes on, or where none was begun. */
function workedMs({ runs }: Pick<Material, 'runs'>): number | null {
  const begun = runs.filter(hasBegun)
  if (begun.length === 0 || !runs.every(isOver)) return null
  const from = Math.min(...begun.map(({ view }) => Date.parse(view.createdAt)))
  const to = Math.max(...begun.map(({ view }) => Date.parse(view.endedAt ?? view.lastEventAt)))
  return to - from
}

function words(planned: { readonly lowMs: number; readonly highMs: number } | null, actualMs: number | null): string {
  const range =
    planned === null
      ? 'No time could be estimated beforehand'
      : `${spanWords(planned.lowMs, planned.highMs)} were expected`
  if (actualMs === null) return `${range}; the work is not over, or was not begun.`
  const took = `it took ${durationWords(actualMs)}`
  if (planned === null) return `${range}; ${took}.`
  if (actualMs > planned.highMs) return `${range}; ${took}, ${durationWords(actualMs - planned.highMs)} more.`
  if (actualMs < planned.lowMs) return `${range}; ${took}, ${durationWords(planned.lowMs - actualMs)} less.`
  return `${range}; ${took}.`
}
