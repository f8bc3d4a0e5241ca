import type { DatabaseSync } from 'node:sqlite'
import { ChainLink, type EntrySource } from '../../shared/domain/journal-chain.ts'
import { newestOf } from './newest-of.ts'

/** Links of the chain as they are stored. */
interface LinkReader {
  at(seq: number): ChainLink | null
  of(source: EntrySource, sourceSeq: number): ChainLink | null
  /** The ends included, in order. */
  between(first: number, last: number): IterableIterator<ChainLink>
  /** The newest; null of a journal without entries. */
  newest(): ChainLink | null
  /** The number the newest link was given, also when it is not there any more. */
  given(): number
}

const COLUMNS = 'seq, source, source_seq AS sourceSeq, digest, hash'

export function linkReader(database: DatabaseSync): LinkReader {
  const at = database.prepare(`SELECT ${COLUMNS} FROM chain WHERE seq = ?`)
  const of = database.prepare(`SELECT ${COLUMNS} FROM chain WHERE source = ? AND source_seq = ?`)
  const between = database.prepare(`SELECT ${COLUMNS} FROM chain WHERE seq BETWEEN ? AND ? ORDER BY seq`)
  const newest = database.prepare(`SELECT ${COLUMNS} FROM chain ORDER BY seq DESC LIMIT 1`)
  return {
    at: seq => linkFrom(at.get(seq)),
    of: (source, sourceSeq) => linkFrom(of.get(source, sourceSeq)),
    *between(first, last) {
      for (const row of between.iterate(first, last)) {
        // A source that no program writes is damage; as a gap in the chain it is told.
        const link = linkFrom(row)
        if (link !== null) yield link
      }
    },
    newest: () => linkFrom(newest.get()),
    given: () => newestOf(database, 'chain'),
  }
}

function linkFrom(row: unknown): ChainLink | null {
  return ChainLink.safeParse({ ...Object(row) }).data ?? null
}
