import { createHash } from 'node:crypto'
import { ChainLink, JournalEntry } from '../../shared/domain/journal-chain.ts'
import { AT_ONCE, jsonParts } from '../../shared/domain/json-parts.ts'
import { atOnce, type Pieces } from '../../shared/domain/pieces.ts'
import { Report } from '../../shared/domain/report.ts'
import type { Signer } from '../platform/settings/signature.ts'

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/** Adds a seal over all other fields in schema order. It shows changes; the chain shows forgeries, because anyone can create a seal. */
export function sealed(report: Omit<Report, 'seal'>): Report {
  return atOnce(sealedInPieces(report))
}

export function* sealedInPieces(report: Omit<Report, 'seal'>): Pieces<Report> {
  const { chain, entries } = report
  const short = Report.parse({ ...report, seal: undefined, entries: [], chain: { ...chain, links: [] } })
  yield
  const ordered = {
    ...short,
    chain: { ...short.chain, links: yield* parsed(ChainLink, chain.links) },
    entries: yield* parsed(JournalEntry, entries),
  }
  const hash = createHash('sha256')
  for (const part of jsonParts({ ...ordered, signature: undefined, seal: undefined })) {
    hash.update(part, 'utf8')
    yield
  }
  return { ...ordered, seal: hash.digest('hex') }
}

function* parsed<T>(schema: { parse(one: unknown): T }, all: readonly NoInfer<T>[]): Pieces<T[]> {
  const read: T[] = []
  for (let at = 0; at < all.length; at += AT_ONCE) {
    read.push(...all.slice(at, at + AT_ONCE).map(one => schema.parse(one)))
    yield
  }
  return read
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
