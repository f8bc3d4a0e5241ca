import { createHash } from 'node:crypto'
import { Report } from '../../shared/domain/report.ts'
import type { Signer } from '../platform/settings/signature.ts'

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** Adds a seal over all other fields in schema order. It shows changes; the chain shows forgeries, because anyone can create a seal. */
export function sealed(report: Omit<Report, 'seal'>): Report {
  const ordered = Report.parse({ ...report, seal: undefined })
  return { ...ordered, seal: sealOf(ordered) }
}

export function sealOf(report: object): string {
  return sha256(JSON.stringify({ ...report, seal: undefined, signature: undefined }))
}

export function signedReport(report: Report, { publicKey, fingerprint, sign }: Signer): Report {
  const value = sign(sealText(report))
  return { ...report, signature: { algorithm: 'ed25519', publicKey, fingerprint, value } }
}

/** The signed text: the seal, which depends on the whole report. */
export function sealText(report: Report): string {
  return `lockkeeper-report-seal/1\n${report.seal ?? ''}\n`
}
