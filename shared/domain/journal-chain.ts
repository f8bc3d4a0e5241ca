import { z } from 'zod'

/** Which table of the journal an entry is of. */
export const EntrySource = z.enum(['run-event', 'window-event', 'edit', 'observation', 'signal'])
export type EntrySource = z.infer<typeof EntrySource>

/** One entry of the journal exactly as it is stored: what its digest is taken over. */
export const JournalEntry = z.strictObject({
  source: EntrySource,
  /** Its number in its own table. */
  sourceSeq: z.number().int(),
  /** What it belongs to: the run, the window, `cluster/node`, `cluster/update`; of a signal the run, empty where it is of none. */
  key: z.string(),
  at: z.string(),
  /** JSON, letter by letter as stored. */
  body: z.string(),
})
export type JournalEntry = z.infer<typeof JournalEntry>

/**
 * A link of the hash chain over everything the journal holds, in the order in which it was written (docs/decisions/0021).
 * `digest`: SHA-256 over {@link digestText} of the entry. `hash`: SHA-256 over {@link linkText}. Both in hexadecimal.
 */
export const ChainLink = z.strictObject({
  seq: z.number().int(),
  source: EntrySource,
  sourceSeq: z.number().int(),
  digest: z.string(),
  hash: z.string(),
})
export type ChainLink = z.infer<typeof ChainLink>

/** A place in the chain by which a journal is known again: everything up to it follows from its hash. */
export const ChainHead = ChainLink.pick({ seq: true, hash: true })
export type ChainHead = z.infer<typeof ChainHead>

/** The hash before the first link of a journal. */
export const CHAIN_BEGIN = '0'.repeat(64)

/** What an entry's digest is taken over (UTF-8). */
export function digestText(entry: JournalEntry): string {
  return JSON.stringify([entry.source, entry.sourceSeq, entry.key, entry.at, entry.body])
}

/** What a link's hash is taken over (UTF-8). */
export function linkText(before: string, link: Pick<ChainLink, 'seq' | 'digest'>): string {
  return `${before}\n${link.seq}\n${link.digest}`
}

/** The stretch of the chain that a report stands on: every link in it, also of what the report is not about (digests tell nothing of it). */
export const ChainRange = z.strictObject({
  algorithm: z.literal('sha256'),
  /** The hash before the first link. */
  before: z.string(),
  links: z.array(ChainLink),
  /** The hash of the last link: what to write down somewhere else. */
  after: z.string(),
})
export type ChainRange = z.infer<typeof ChainRange>

/** Whether entries and chain still are what was written. */
export const ChainVerdict = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('holds'), links: z.number().int(), head: z.string() }),
  z.strictObject({
    kind: z.literal('broken'),
    /** The first link that does not hold. */
    seq: z.number().int(),
    source: EntrySource,
    sourceSeq: z.number().int(),
    why: z.enum(['entry-changed', 'entry-missing', 'link-changed', 'link-missing', 'entry-unchained']),
    words: z.string(),
  }),
])
export type ChainVerdict = z.infer<typeof ChainVerdict>
