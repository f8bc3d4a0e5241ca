import { csvOf } from '../../shared/domain/csv.ts'
import type { CsvTable, Report } from '../../shared/domain/report.ts'
import { cellValue } from './cells.ts'
import { eventsTable } from './events-table.ts'
import { instancesTable } from './section-instances.ts'
import { nodesTable } from './section-nodes.ts'
import type { Table } from './sections.ts'

const TABLES: Readonly<Record<CsvTable, (report: Report) => Table>> = {
  instances: instancesTable,
  nodes: nodesTable,
  events: eventsTable,
}

export function reportCsv(report: Report, table: CsvTable): string {
  return tableCsv(TABLES[table](report))
}

/** A table with all its columns, by the names and values that programs read. */
export function tableCsv({ columns, groups }: Table): string {
  const rows = groups.flatMap(({ rows: own }) => own.map(({ cells }) => cells.map(cellValue)))
  return csvOf([columns.map(({ name }) => name), ...rows])
}
