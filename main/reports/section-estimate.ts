import type { OwnEstimate, VendorEstimate } from '../../shared/domain/estimate.ts'
import type { Report } from '../../shared/domain/report.ts'
import { type Cell, length, name, number, span, text } from './cells.ts'
import { col, KEY, type Part, partsOf, type Section, type Table, tableOf, words } from './sections.ts'
import type { ReportTimes } from './times.ts'

/** Expectation and result: our estimate, the vendor's named figures, and the time taken. */
export function estimateSection({ estimate }: Report, times: ReportTimes): Section {
  const head = { id: 'estimate', title: 'Estimate against actual', amount: null }
  if (estimate === null) return { ...head, parts: [] }
  const { vendor, own } = estimate.planned
  return {
    ...head,
    parts: partsOf(
      words(estimate.words),
      figuresTable(estimate, times),
      ...(vendor === null ? [] : [words(vendorWords(vendor)), stagesTable(vendor)]),
      nodesTable(own),
      { kind: 'list', title: 'Not estimated:', items: own.missing } satisfies Part,
    ),
  }
}

interface Figure {
  readonly figure: string
  readonly from: string
  readonly note: string
  readonly took: Cell
}

function figuresTable(
  { planned: { vendor, own }, plannedAt, actualMs }: NonNullable<Report['estimate']>,
  { stamp }: ReportTimes,
): Table {
  return tableOf<Figure>({
    caption: 'Expected and happened',
    columns: [
      col('figure', 'Figure', each => text(each.figure), KEY),
      col('source', 'Source', each => text(each.from)),
      col('note', 'Note', each => text(each.note), { under: 'source' }),
      col('took', 'How long', each => each.took),
    ],
    groups: [
      {
        of: [
          { figure: 'What it took', from: 'the journal', note: '', took: length(actualMs, 'still running') },
          {
            figure: "Lockkeeper's estimate",
            from: own.basis,
            note: `at ${stamp(plannedAt).zoned}`,
            took: span(own.total),
          },
          ...(vendor?.readings ?? []).map(({ reading, totalMinutes }) => ({
            figure: "The vendor's formula",
            from: reading,
            note: vendor?.source ?? '',
            took: length(totalMinutes * 60_000),
          })),
        ],
      },
    ],
  })
}

function vendorWords({ inputs, notes }: VendorEstimate): string {
  const given = Object.entries(inputs).map(([input, value]) => `${input} = ${value}`)
  return `These are the vendor's own figures, not measured here. Input: ${given.join(', ')}. ${notes.join(' ')}`.trim()
}

function stagesTable({ readings }: VendorEstimate): Table {
  const stages = [...new Set(readings.flatMap(reading => reading.stages.map(({ stage }) => stage)))]
  const title = "The vendor's figures by stage, in minutes"
  const minutes = (of: VendorEstimate['readings'][number]) => (stage: string) =>
    number(of.stages.find(each => each.stage === stage)?.minutes ?? null)
  return tableOf<string>({
    title,
    caption: title,
    columns: [
      col('stage', 'Stage', stage => text(stage), KEY),
      ...readings.map((reading, at) => col(`reading_${at + 1}`, `Reading ${at + 1}`, minutes(reading))),
    ],
    groups: [{ of: stages }],
  })
}

function nodesTable({ nodes }: OwnEstimate): Table {
  const isKnown = nodes.some(({ evacuation, drain, work, back, total }) =>
    [evacuation, drain, work, back, total].some(part => part !== null),
  )
  return tableOf<OwnEstimate['nodes'][number]>({
    title: "Lockkeeper's estimate, node by node",
    caption: "Lockkeeper's estimate by node",
    columns: [
      col('node', 'Node', each => name(each.node), KEY),
      col('basis', 'Basis', each => text(each.basis), { under: 'node' }),
      col('batch', 'Batch', each => number(each.batch)),
      col('evacuation', 'Instances leave', each => span(each.evacuation)),
      col('drain', 'Drain', each => span(each.drain)),
      col('work', 'Work', each => span(each.work)),
      col('back', 'Return', each => span(each.back)),
      col('total', 'Together', each => span(each.total)),
    ],
    groups: [{ of: isKnown ? nodes : [] }],
  })
}
