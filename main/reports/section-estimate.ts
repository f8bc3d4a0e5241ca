import type { OwnEstimate, VendorEstimate } from '../../shared/domain/estimate.ts'
import type { Report } from '../../shared/domain/report.ts'
import { type Cell, length, name, number, span, text } from './cells.ts'
import { type ColumnOf, type Part, partsOf, type Section, type Table, tableOf, words } from './sections.ts'
import type { ReportTimes } from './times.ts'

/** What was expected and what happened: our estimate, the vendor's figures named as theirs, and the time the work took. */
export function estimateSection({ estimate }: Report, times: ReportTimes): Section {
  const nothing = 'Nothing was estimated before the work began.'
  const head = { id: 'estimate', title: 'Estimate against actual', amount: null, nothing }
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
      { name: 'figure', title: 'Figure', isKey: true, cell: each => text(each.figure) },
      { name: 'source', title: 'Source', cell: each => text(each.from) },
      { name: 'note', title: 'Note', under: 'source', cell: each => text(each.note) },
      { name: 'took', title: 'How long', cell: each => each.took },
    ],
    groups: [
      {
        of: [
          { figure: 'What it took', from: 'the journal', note: '', took: length(actualMs, 'not over') },
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
  return tableOf<string>({
    title: "The vendor's figures by stage, in minutes",
    caption: "The vendor's figures by stage, in minutes",
    columns: [
      { name: 'stage', title: 'Stage', isKey: true, cell: stage => text(stage) },
      ...readings.map(
        (reading, at): ColumnOf<string> => ({
          name: `reading_${at + 1}`,
          title: `Reading ${at + 1}`,
          cell: stage => number(reading.stages.find(each => each.stage === stage)?.minutes ?? null),
        }),
      ),
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
      { name: 'node', title: 'Node', isKey: true, cell: each => name(each.node) },
      { name: 'basis', title: 'Basis', under: 'node', cell: each => text(each.basis) },
      { name: 'batch', title: 'Batch', cell: each => number(each.batch) },
      { name: 'evacuation', title: 'Instances leave', cell: each => span(each.evacuation) },
      { name: 'drain', title: 'Drain', cell: each => span(each.drain) },
      { name: 'work', title: 'Work', cell: each => span(each.work) },
      { name: 'back', title: 'Return', cell: each => span(each.back) },
      { name: 'total', title: 'Together', cell: each => span(each.total) },
    ],
    groups: [{ of: isKnown ? nodes : [] }],
  })
}
