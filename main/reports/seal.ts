import { createHash } from 'node:crypto'
import { Report } from '../../shared/domain/report.ts'
import type { Signer } from '../platform/settings/signature.ts'

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

/** What the seal of a report has to be whose fields are in the order of the schema it was made by. */
export function sealOf(report: object): string {
  return sha256(JSON.stringify({ ...report, seal: undefined, signature: undefined }))
}

/** The report with its seal signed by this installation: by whose console it was made. */
export function signedReport(report: Report, { publicKey, fingerprint, sign }: Signer): Report {
  const value = sign(sealText(report))
  return { ...report, signature: { algorithm: 'ed25519', publicKey, fingerprint, value } }
}

/** What is signed of a report: its seal follows from everything in it. */
export function sealText(report: Report): string {
  return `lockkeeper-report-seal/1\n${report.seal ?? ''}\n`
}
