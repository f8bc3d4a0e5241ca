import type { Report } from '../../shared/domain/report.ts'
import { visibleText } from '../../shared/domain/visible-text.ts'
import { cellWords } from './cells.ts'
import { figuresOf, reportFacts, warningsOf, workFacts, zoneWords } from './cover.ts'
import { reportSections } from './report-sections.ts'
import { type Fact, type Part, type Section, shownColumns, type Table } from './sections.ts'
import { type ReportTimes, timesOf } from './times.ts'

/** A report as Markdown, for tickets and wikis: the same as its page, without the timeline. */
export function reportMarkdown(report: Report): string {
  const times = timesOf(report)
  const { summary } = report
  const blocks: readonly (readonly string[])[] = [
    [`# ${inline(report.title)}`],
    ...warningsOf(report).map(({ title, text }) => [`> **${inline(`${title} ${text}`)}**`]),
    [`**${inline(summary.headline)}**`],
    bullets(summary.lines),
    facts(workFacts(report), times),
    tableLines(
      ['Figure', 'Value'],
      figuresOf(report).map(({ name, value }) => [name, value]),
    ),
    facts(reportFacts(report), times),
    [inline(zoneWords(times.zone))],
    ...sectionsMarkdown(reportSections(report, times), times),
  ]
  const text = blocks.filter(lines => lines.length > 0).map(lines => lines.join('\n'))
  return visibleText(`${text.join('\n\n')}\n`)
}

/** Sections as blocks of lines. */
export function sectionsMarkdown(sections: readonly Section[], times: ReportTimes): readonly (readonly string[])[] {
  return sections.flatMap(({ title, parts }) => [
    [`## ${inline(title)}`],
    ...parts.flatMap(part => partLines(part, times)),
  ])
}

function partLines(part: Part, times: ReportTimes): readonly (readonly string[])[] {
  switch (part.kind) {
    case 'text':
      if (part.as === 'prose') return [part.text.split('\n').map(line => `> ${inline(line)}`)]
      if (part.as === 'command') return [[`    ${part.text}`]]
      return [[part.as === 'alarm' ? `**${inline(part.text)}**` : inline(part.text)]]
    case 'list':
      return [...(part.title === '' ? [] : [[inline(part.title)]]), bullets(part.items)]
    case 'facts':
      return [facts(part.facts, times)]
    case 'table':
      return tableBlocks(part.table, times)
  }
}

function tableBlocks(table: Table, times: ReportTimes): readonly (readonly string[])[] {
  return [
    ...heading(table.title),
    ...table.groups.flatMap(group => {
      const columns = shownColumns(table, group)
      const rows = group.rows.map(({ cells }) =>
        columns.map(({ at }) => {
          const cell = cells[at]
          return cell === undefined ? '' : cellWords(cell, times)
        }),
      )
      return [
        ...heading(group.title),
        tableLines(
          columns.map(({ title }) => title),
          rows,
        ),
      ]
    }),
  ]
}

function heading(title: string): readonly (readonly string[])[] {
  return title === '' ? [] : [[`### ${inline(title)}`]]
}

function facts(all: readonly Fact[], times: ReportTimes): readonly string[] {
  return bullets(
    all.map(({ name, cell, note }) => {
      const more = note === undefined ? '' : ` (${cellWords(note, times)})`
      return `${name}: ${cellWords(cell, times)}${more}`
    }),
  )
}

function tableLines(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(inline).join(' | ')} |`
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(line)]
}

function bullets(lines: readonly string[]): readonly string[] {
  return lines.map(line => `- ${inline(line)}`)
}

/** One line without markup: the text comes from clouds and people. */
function inline(text: string): string {
  return visibleText(text)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_{}[\]<>|#~&]/g, '\\$&')
    .replace(/^([-+]|\d+[.)])(?= )/, '\\$1')
}
