import { createHash } from 'node:crypto'
import { Report } from '../../shared/domain/report.ts'
import type { Signer } from '../platform/settings/signature.ts'

/** SHA-256 of a text (UTF-8), in hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/**
 * The report with a seal over everything else in it, its fields in the order of the schema, so that a file gives it back letter by letter. Anybody can make a
 * seal: the seal shows changes, the chain shows forgeries.
 */
export function sealed(report: Omit<Report, 'seal'>): Report {
  const ordered = Report.parse({ ...report, seal: undefined })
  return { ...ordered, seal: sealOf(ordered) }
}

/** The seal of a report whose fields are in the order of its schema. */
export function sealOf(report: object): string {
  return sha256(JSON.stringify({ ...report, seal: undefined, signature: undefined }))
}

/** The report with its seal signed by this installation. */
export function signedReport(report: Report, { publicKey, fingerprint, sign }: Signer): Report {
  const value = sign(sealText(report))
  return { ...report, signature: { algorithm: 'ed25519', publicKey, fingerprint, value } }
}

/** The text that a signature signs: the seal, which depends on everything in the report. */
export function sealText(report: Report): string {
  return `lockkeeper-report-seal/1\n${report.seal ?? ''}\n`
}
