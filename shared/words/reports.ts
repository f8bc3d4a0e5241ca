import type { CsvTable, ReportFormat } from '../domain/report.ts'

/** The formats of reports and their uses. */
export const REPORT_FORMAT_WORDS: Readonly<Record<ReportFormat, { readonly title: string; readonly use: string }>> = {
  html: { title: 'HTML', use: 'One page to read, print and pass on; needs no network. It can be checked later.' },
  pdf: { title: 'PDF', use: 'The same page, printed on A4.' },
  json: { title: 'JSON', use: 'Everything, for other programs. It can be checked later.' },
  csv: { title: 'CSV', use: 'One table, for a spreadsheet.' },
  md: { title: 'Markdown', use: 'Text for a ticket or a wiki.' },
}

/** The tables of a CSV. */
export const CSV_TABLE_WORDS: Readonly<Record<CsvTable, string>> = {
  instances: 'Instances, before and after',
  nodes: 'Nodes with their stages',
  events: 'Events, one a line',
}
