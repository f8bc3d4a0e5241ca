import type { Estimate, Span, TimeVerdict, VendorEstimate, WindowForecast } from '../../../../shared/domain/estimate.ts'
import type { MaintenanceWindow } from '../../../../shared/domain/window.ts'
import type { WindowJudgement } from '../../../../shared/domain/window-judgement.ts'
import { durationWords, estimateWords } from '../../../../shared/grammar/durations.ts'
import { zonedText } from '../../../../shared/grammar/times.ts'
import { judgementLine, lastingBlocks } from '../../../../shared/words/window-judgements.ts'
import type { Look } from '../words/look.ts'
import type { Paint } from '../words/palette.ts'
import { renderTable } from '../words/table.ts'
import { hang } from '../words/width.ts'

const NO_TIMES = { startsAt: '', endsAt: '' }

/** An estimate: Lockkeeper's by node and batch, the vendor's, then what is unknown. */
export function renderEstimate({ own, vendor }: Estimate, look: Look): readonly string[] {
  const { palette, columns } = look
  return [
    palette.strong(
      own.total === null ? "Lockkeeper's estimate: total unknown" : `Lockkeeper's estimate: ${rangeWords(own.total)}`,
    ),
    ...hang('  ', `${own.total === null ? '' : 'Range: median to 90th percentile. '}${own.basis}`, columns),
    ...(own.nodes.length === 0
      ? []
      : [
          '',
          ...renderTable(
            ['BATCH', 'NODE', 'INSTANCES', 'DRAIN', 'WORK', 'BACK', 'TOGETHER', 'BASIS'],
            own.nodes.map(({ batch, node, evacuation, drain, work, back, total, basis }) => [
              String(batch),
              { text: node, paint: palette.strong },
              ...[evacuation, drain, work, back, total].map(rangeWords),
              basis,
            ]),
            look,
          ),
          '',
          ...own.batches.map(({ batch, span }) => `Batch ${batch}: ${rangeWords(span)}`),
        ]),
    ...own.missing.flatMap(text => hang('  ', text, columns).map(palette.warn)),
    ...(vendor === null ? [] : ['', ...renderVendor(vendor, look)]),
  ]
}

/** The line that the Schedule shows too, and what blocks each node; without a window there is no time to fit into. */
export function renderJudgement(
  judgement: WindowJudgement,
  window: Pick<MaintenanceWindow, 'startsAt' | 'endsAt'> | null,
  { palette, columns }: Look,
): readonly string[] {
  const blocks = lastingBlocks(judgement)
  if (window === null && blocks.length === 0) return []
  const { tone, words } = judgementLine(judgement, window ?? NO_TIMES, Date.parse(judgement.judgedAt))
  const paints = { good: palette.good, caution: palette.warn, bad: palette.bad, quiet: palette.faint }
  return [
    paints[tone](`${words}.`),
    ...blocks.flatMap(({ node, message, remedy }) => hang('  ', `${node ?? 'plan'}: ${message} ${remedy}`, columns)),
    '',
  ]
}

/** The expected end of a window's work, and the basis of the forecast. */
export function renderForecast(forecast: WindowForecast, timeZone: string, look: Look): readonly string[] {
  const { eta, verdict, words } = forecast
  return [
    ...hang('', words, look.columns).map(paintOf(verdict, look)),
    ...(eta === null
      ? []
      : [
          ...hang(
            '  ',
            `Ends between ${zonedText(eta.lowAt, timeZone)} and ${zonedText(eta.highAt, timeZone)}`,
            look.columns,
          ),
          ...hang('  ', `Based on: ${eta.basis}`, look.columns),
        ]),
  ]
}

/** The vendor's formula with its inputs and source. */
export function renderVendor(
  { inputs, readings, source, notes }: VendorEstimate,
  { palette, columns }: Look,
): readonly string[] {
  const letters = Object.entries(inputs).map(([letter, value]) => `${letter} ${value}`)
  return [
    palette.strong("The vendor's figure"),
    ...readings.flatMap(({ reading, stages, totalMinutes }) => [
      ...hang('  ', `${durationWords(totalMinutes * 60_000)}: ${reading}`, columns),
      ...stages.map(({ stage, minutes }) => `    ${durationWords(minutes * 60_000)} ${stage}`),
    ]),
    ...hang('  ', letters.join(', '), columns),
    ...notes.flatMap(note => hang('  ', note, columns)),
    ...hang('  ', source, columns),
  ]
}

function rangeWords(span: Span | null): string {
  if (span === null) return 'unknown'
  if (span.highMs === 0) return '-'
  return estimateWords(span.lowMs, span.highMs)
}

function paintOf(verdict: TimeVerdict, { palette }: Look): Paint {
  switch (verdict) {
    case 'in-time':
      return palette.good
    case 'may-overrun':
      return palette.warn
    case 'overruns':
      return palette.bad
    case 'not-known':
      return text => text
  }
}
