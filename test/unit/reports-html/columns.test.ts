import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { cellWords, number, text, time } from '../../../main/reports/cells.ts'
import { tableCsv } from '../../../main/reports/csv.ts'
import { reportHtml } from '../../../main/reports/html.ts'
import { sectionHtml } from '../../../main/reports/html-sections.tsx'
import { reportMarkdown, sectionsMarkdown } from '../../../main/reports/markdown.ts'
import { reportSections } from '../../../main/reports/report-sections.ts'
import { type ColumnOf, partsOf, type Section, type Table, tableOf } from '../../../main/reports/sections.ts'
import { timesOf } from '../../../main/reports/times.ts'
import type { Report } from '../../../shared/domain/report.ts'
import { reportedRun, reportOf } from '../../fixtures/reports/reported-run.ts'
import { largeReport, richReport, smallReport } from '../../fixtures/reports/sample-report.ts'
import { interruptedReport, redactedReport } from '../../fixtures/reports/sample-variants.ts'

const ALL: readonly (readonly [name: string, report: Report])[] = [
  ['rich', richReport()],
  ['small', smallReport()],
  ['interrupted', interruptedReport()],
  ['redacted', redactedReport()],
  ['large', largeReport(60, 500)],
  ['built', reportOf(reportedRun().events)],
]

const utc = timesOf({ window: null })

/** The titles of each table that a page has, the labels of its wide rows and the column it is sorted by among them. */
function titlesInHtml(html: string): readonly (readonly string[])[] {
  return [...html.matchAll(/<table>(.*?)<\/table>/gs)].map(([, table = '']) => [
    ...[...table.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].flatMap(([, head = '']) => {
      const [main = '', others = ''] = head.split(/<span[^>]*>|<\/span>/)
      return [main, ...(others === '' ? [] : others.split(', '))]
    }),
    ...new Set([...table.matchAll(/<p><span class="quiet">([^<]*):<\/span>/g)].map(([, label = '']) => label)),
    ...(table.includes('scope="rowgroup"') ? ['Node'] : []),
  ])
}

function titlesInMarkdown(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split('\n')
  return lines
    .filter((_, at) => lines[at + 1]?.startsWith('| --- |'))
    .map(line => line.replaceAll('\\', '').split('|').slice(1, -1))
    .map(titles => titles.map(title => title.trim()))
}

/** The columns of each group of rows that say something in one of them, and the key. */
function expected(tables: readonly Table[], times = utc): readonly (readonly string[])[] {
  return tables.flatMap(({ columns, groups }) =>
    groups.map(({ rows }) =>
      columns.flatMap(({ title, isKey }, at) => {
        const hasWords = rows.some(({ cells }) => cells[at] !== undefined && cellWords(cells[at], times) !== '')
        return isKey === true || hasWords ? [title] : []
      }),
    ),
  )
}

function tablesOf(sections: readonly Section[]): readonly Table[] {
  return sections.flatMap(({ parts }) => parts.flatMap(part => (part.kind === 'table' ? [part.table] : [])))
}

const sorted = (tables: readonly (readonly string[])[]) => tables.map(titles => titles.toSorted())
const unescaped = (html: string) => html.replaceAll('&#x27;', "'")

describe.each(ALL)('of a %s report', (_name, report) => {
  const times = timesOf(report)
  const tables = tablesOf(reportSections(report, times))

  test('the page has exactly the columns of the sections', () => {
    expect(sorted(titlesInHtml(unescaped(reportHtml(report))))).toEqual(sorted(expected(tables, times)))
  })

  test('Markdown has exactly the columns of the sections', () => {
    const [figures, ...titles] = titlesInMarkdown(reportMarkdown(report))
    expect(figures).toEqual(['Figure', 'Value'])
    expect(titles).toEqual(expected(tables, times))
  })

  test('a CSV has exactly the columns of its table, and a cell for each in every row', () => {
    for (const table of tables) {
      const [head] = tableCsv(table).split('\r\n')
      expect(head?.split(',')).toEqual(table.columns.map(({ name }) => name))
      for (const { rows } of table.groups) {
        for (const { cells } of rows) expect(cells).toHaveLength(table.columns.length)
      }
    }
  })

  test('every column has its own name and title, and is below or after a column of the same table', () => {
    for (const { columns } of tables) {
      const names = columns.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(new Set(columns.map(({ title }) => title)).size).toBe(names.length)
      for (const { under, after } of columns)
        expect(names).toEqual(expect.arrayContaining([under ?? after ?? names[0]]))
    }
  })
})

describe('a new column', () => {
  interface Row {
    readonly node: string
    readonly moved: number
    readonly at: string
  }
  const rows: readonly Row[] = [{ node: 'cmp-1', moved: 3, at: '2026-11-21T10:00:00.000Z' }]
  const known: readonly ColumnOf<Row>[] = [
    { name: 'node', title: 'Node', isKey: true, cell: row => text(row.node) },
    { name: 'moved', title: 'Moved', cell: row => number(row.moved) },
  ]
  const printed = (columns: readonly ColumnOf<Row>[]) => {
    const table = tableOf<Row>({ caption: 'Nodes', columns, groups: [{ of: rows }] })
    const section: Section = { id: 'nodes', title: 'Nodes', amount: 1, parts: partsOf(table), nothing: '' }
    return {
      html: renderToStaticMarkup(sectionHtml(section, utc, rows => rows())),
      markdown: sectionsMarkdown([section], utc).flat().join('\n'),
      csv: tableCsv(table),
    }
  }

  test.each<Pick<ColumnOf<Row>, 'under' | 'after' | 'isWide'>>([
    {},
    { under: 'moved' },
    { after: 'moved' },
    { isWide: true },
  ])('is one line, and all formats print it: %j', place => {
    const before = printed(known)
    const { html, markdown, csv } = printed([
      ...known,
      { name: 'seen', title: 'Seen', ...place, cell: row => time(row.at) },
    ])
    expect(titlesInHtml(before.html)).toEqual([['Node', 'Moved']])
    expect(titlesInHtml(html)).toEqual([['Node', 'Moved', 'Seen']])
    expect(html).toContain('2026-11-21 10:00:00')
    expect(titlesInMarkdown(markdown)).toEqual([['Node', 'Moved', 'Seen']])
    expect(markdown).toContain('| cmp-1 | 3 | 2026-11-21 10:00:00 |')
    expect(csv).toBe('node,moved,seen\r\ncmp-1,3,2026-11-21T10:00:00.000Z\r\n')
  })

  test('without any words is left out for people and kept for programs', () => {
    const { html, markdown, csv } = printed([...known, { name: 'seen', title: 'Seen', cell: () => time(null) }])
    expect(titlesInHtml(html)).toEqual([['Node', 'Moved']])
    expect(titlesInMarkdown(markdown)).toEqual([['Node', 'Moved']])
    expect(csv).toBe('node,moved,seen\r\ncmp-1,3,\r\n')
  })
})
