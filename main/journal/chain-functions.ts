import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import {
  type ChainLink,
  digestText,
  EntrySource,
  type JournalEntry,
  linkText,
} from '../../shared/domain/journal-chain.ts'
import { JournalRefused } from '../ports/journal.ts'
import type { OtherFile } from './same-file.ts'

export function digestOf(entry: JournalEntry): string {
  return sha256(digestText(entry))
}

export function hashOf(before: string, link: Pick<ChainLink, 'seq' | 'digest'>): string {
  return sha256(linkText(before, link))
}

/** Lets a connection write: the schema's triggers chain each new entry with these functions, and SQLite refuses a connection without them. */
export function registerChainFunctions(database: DatabaseSync, otherFile: OtherFile = () => null): void {
  const options = { deterministic: true } as const
  database.function('entry_digest', options, (source, sourceSeq, key, at, body) => {
    const other = otherFile()
    if (other !== null) throw new JournalRefused(other)
    return digestOf({
      source: EntrySource.parse(source),
      sourceSeq: Number(sourceSeq),
      key: String(key),
      at: String(at),
      body: String(body),
    })
  })
  database.function('chain_hash', options, (before, seq, digest) =>
    hashOf(String(before), { seq: Number(seq), digest: String(digest) }),
  )
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
