import { createHash } from 'node:crypto'
import { Report } from '../../shared/domain/report.ts'

/** SHA-256 of a text (UTF-8), in hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/**
 * The report with the seal over everything else in it, its fields in the order of the schema: read back from a file it is the same letter by
 * letter. Anybody can make a seal: it shows changes, the chain shows forgeries.
 */
export function sealed(report: Omit<Report, 'seal'>): Report {
  const ordered = Report.parse({ ...report, seal: undefined })
  return { ...ordered, seal: sealOf(ordered) }
}

/** What the seal of a report has to be whose fields are in the order of the schema, as those of a report that was read are. */
export function sealOf(report: Report): string {
  return sha256(JSON.stringify({ ...report, seal: undefined }))
}
