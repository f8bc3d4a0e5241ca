import type { PlanForecast } from '../../../../shared/contract/index.ts'
import type { CheckedPlan } from '../../../../shared/domain/plan.ts'
import { effectsOf } from '../../../../shared/domain/plan-effects.ts'
import { spanWords } from '../../../../shared/grammar/durations.ts'
import type { Look } from '../words/look.ts'
import { renderTable } from '../words/table.ts'
import { hang } from '../words/width.ts'

/** Where the instances of a plan may go and how long that may take, from measured times. */
export function renderForecast(forecast: PlanForecast, checked: CheckedPlan, look: Look): readonly string[] {
  const names = new Map(effectsOf(checked).instances.map(({ id, name }) => [id, name]))
  return [
    look.palette.strong('Where instances may go (the scheduler decides)'),
    ...(forecast.instances.length === 0
      ? ['  No instance moves.']
      : renderTable(
          ['NAME', 'MAY GO TO', 'TAKES', 'NOTE'],
          forecast.instances.map(({ id, mayGoTo, expectedMs, note }) => [
            names.get(id) ?? id,
            mayGoTo.join(', ') || '-',
            span(expectedMs),
            note ?? '-',
          ]),
          look,
          '  ',
        )),
    ...hang('  ', `In all: ${span(forecast.evacuationMs)}. ${forecast.basis}`, look.columns),
    ...forecast.unreachable.flatMap(text => hang('  ! ', text, look.columns)),
  ]
}

function span(ms: { readonly low: number; readonly high: number } | null): string {
  return ms === null ? 'unknown' : spanWords(ms.low, ms.high)
}
