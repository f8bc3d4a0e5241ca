import type { DatabaseSync } from 'node:sqlite'
import type { JournalStretch, StretchEntry } from '../../shared/contract/attach.ts'
import type { ChainHead, ChainLink } from '../../shared/domain/journal-chain.ts'
import type { Result } from '../../shared/domain/result.ts'
import { databaseResult } from './database-trouble.ts'
import { entryReader, linkReader } from './entry-reader.ts'

/** The journal as another process tails it: link by link, with the entries that still exist. */
export interface StretchSource {
  /** What follows this link (0: from the beginning), at most `limit` and one answer's size; no links: the end. */
  after(seq: number, limit: number): Result<JournalStretch>
  /** The first and the newest link; null if the journal is empty. */
  ends(): Result<{ readonly first: ChainHead; readonly head: ChainHead } | null>
}

/** An answer is sent in one piece; the link that exceeds this is its last. */
const MOST_CHARACTERS = 4_000_000

export function stretchSource(database: DatabaseSync, path: string): StretchSource {
  const links = linkReader(database)
  const entries = entryReader(database)
  const clusterOf = {
    'window-event': database.prepare('SELECT cluster FROM window_events WHERE seq = ?'),
    signal: database.prepare('SELECT cluster FROM signals WHERE seq = ?'),
  } as const
  const entryOf = (link: ChainLink): StretchEntry | null => {
    const entry = entries.read(link.source, link.sourceSeq)
    if (entry === null) return null
    const { source, sourceSeq } = entry
    const row = source === 'window-event' || source === 'signal' ? clusterOf[source].get(sourceSeq) : undefined
    return { ...entry, cluster: row === undefined ? null : String(row.cluster) }
  }
  return {
    after: (seq, limit) =>
      databaseResult(path, () => {
        const part: { links: ChainLink[]; entries: StretchEntry[] } = { links: [], entries: [] }
        let characters = 0
        for (const link of links.between(seq + 1, seq + limit)) {
          const entry = entryOf(link)
          part.links.push(link)
          if (entry !== null) part.entries.push(entry)
          characters += entry?.body.length ?? 0
          if (characters > MOST_CHARACTERS) break
        }
        return part
      }),
    ends: () =>
      databaseResult(path, () => {
        const [first, newest] = [links.at(1), links.newest()]
        const headOf = ({ seq, hash }: ChainLink) => ({ seq, hash })
        return first === null || newest === null ? null : { first: headOf(first), head: headOf(newest) }
      }),
  }
}
