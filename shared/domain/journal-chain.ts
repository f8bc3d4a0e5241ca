import { z } from 'zod'

export const EntrySource = z.enum(['run-event', 'window-event', 'edit', 'observation', 'signal'])
export type EntrySource = z.infer<typeof EntrySource>

/** One entry of the journal exactly as stored; its digest covers these fields. */
export const JournalEntry = z.strictObject({
  source: EntrySource,
  sourceSeq: z.number().int(),
  /** Its subject: the run, the window, `cluster/node` or `cluster/update`; for a signal the run, or empty. */
  key: z.string(),
  at: z.string(),
  /** JSON, exactly as stored. */
  body: z.string(),
})
export type JournalEntry = z.infer<typeof JournalEntry>

/**
 * A link of the hash chain over all journal entries in the order of writing (docs/decisions/0021). `digest`: SHA-256 over {@link digestText} of the
 * entry. `hash`: SHA-256 over {@link linkText}. Both in hexadecimal.
 */
export const ChainLink = z.strictObject({
  seq: z.number().int(),
  source: EntrySource,
  sourceSeq: z.number().int(),
  digest: z.string(),
  hash: z.string(),
})
export type ChainLink = z.infer<typeof ChainLink>

/** A position in the chain that identifies a journal: its hash covers everything before it. */
export const ChainHead = ChainLink.pick({ seq: true, hash: true })
export type ChainHead = z.infer<typeof ChainHead>

/** The hash before the first link of a journal. */
export const CHAIN_BEGIN = '0'.repeat(64)

/** The input of an entry's digest (UTF-8). */
export function digestText(entry: JournalEntry): string {
  return JSON.stringify([entry.source, entry.sourceSeq, entry.key, entry.at, entry.body])
}

/** The input of a link's hash (UTF-8). */
export function linkText(before: string, link: Pick<ChainLink, 'seq' | 'digest'>): string {
  return `${before}\n${link.seq}\n${link.digest}`
}

/** The part of the chain that a report relies on: every link in it, including entries outside the report (their digests reveal nothing). */
export const ChainRange = z.strictObject({
  algorithm: z.literal('sha256'),
  /** The hash before the first link. */
  before: z.string(),
  links: z.array(ChainLink),
  /** The hash of the last link: the value to write down in another place. */
  after: z.string(),
})
export type ChainRange = z.infer<typeof ChainRange>

export const ChainVerdict = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('holds'), links: z.number().int(), head: z.string() }),
  z.strictObject({
    kind: z.literal('broken'),
    /** The first broken link. */
    seq: z.number().int(),
    source: EntrySource,
    sourceSeq: z.number().int(),
    why: z.enum(['entry-changed', 'entry-missing', 'link-changed', 'link-missing', 'entry-unchained']),
    words: z.string(),
  }),
])
export type ChainVerdict = z.infer<typeof ChainVerdict>
