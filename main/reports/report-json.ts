import type { Report } from '../../shared/domain/report.ts'
import { visibleJson } from '../../shared/domain/visible-text.ts'

/** The report itself, for programs and for `report verify`; the same report gives the same text. */
export function reportJson(report: Report): string {
  return `${visibleJson(JSON.stringify(report, null, 2))}\n`
}
