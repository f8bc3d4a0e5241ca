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
  return Report.parse({ ...report, seal: sealOf(report) })
}

/** What a report's seal has to be. */
export function sealOf(report: Omit<Report, 'seal'>): string {
  return sha256(canonical({ ...report, seal: undefined }))
}

/** JSON in which the order of fields does not matter. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isRecord(inner) ? sortedFields(inner) : inner))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function sortedFields(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}
