import { z } from 'zod'

export const EntrySource = z.enum(['run-event', 'window-event', 'edit', 'observation', 'signal'])
export type EntrySource = z.infer<typeof EntrySource>

export const JournalEntry = z.strictObject({
  source: EntrySource,
  sourceSeq: z.number().int(),
  /** The run, the window, `cluster/node` or `cluster/update`; for a signal the run, or empty. */
  key: z.string(),
  at: z.string(),
  /** JSON, exactly as stored. */
  body: z.string(),
})
export type JournalEntry = z.infer<typeof JournalEntry>

/** A link of the hash chain (docs/decisions/0021): SHA-256 in hexadecimal over {@link digestText}, and over {@link linkText}. */
export const ChainLink = z.strictObject({
  seq: z.number().int(),
  source: EntrySource,
  sourceSeq: z.number().int(),
  digest: z.string(),
  hash: z.string(),
})
export type ChainLink = z.infer<typeof ChainLink>

/** Its hash covers everything before it, so it identifies a journal. */
export const ChainHead = ChainLink.pick({ seq: true, hash: true })
export type ChainHead = z.infer<typeof ChainHead>

/** The value before the first link of a journal. */
export const CHAIN_BEGIN = '0'.repeat(64)

/** The input of an entry's digest (UTF-8). */
export function digestText(entry: JournalEntry): string {
  return JSON.stringify([entry.source, entry.sourceSeq, entry.key, entry.at, entry.body])
}

/** The input of a link's hash (UTF-8). */
export function linkText(before: string, link: Pick<ChainLink, 'seq' | 'digest'>): string {
  return `${before}\n${link.seq}\n${link.digest}`
}

/** The links that a report relies on, also of entries outside the report, whose digests reveal nothing. */
export const ChainRange = z.strictObject({
  algorithm: z.literal('sha256'),
  before: z.string(),
  links: z.array(ChainLink),
  after: z.string(),
})
export type ChainRange = z.infer<typeof ChainRange>

export const ChainVerdict = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('holds'), links: z.number().int(), head: z.string() }),
  z.strictObject({
    kind: z.literal('broken'),
    seq: z.number().int(),
    source: EntrySource,
    sourceSeq: z.number().int(),
    why: z.enum(['entry-changed', 'entry-missing', 'link-changed', 'link-missing', 'entry-unchained']),
    words: z.string(),
  }),
])
export type ChainVerdict = z.infer<typeof ChainVerdict>
