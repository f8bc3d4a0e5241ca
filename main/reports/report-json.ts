import type { Report } from '../../shared/domain/report.ts'

/** The report itself, for programs and for `report verify`; the same report gives the same text. */
export function reportJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`
}
