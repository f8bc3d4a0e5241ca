import type { DatabaseSync } from 'node:sqlite'
import { CHAIN_BEGIN, type ChainLink, type ChainVerdict, type EntrySource } from '../../shared/domain/journal-chain.ts'
import { because } from '../../shared/words/reasons.ts'
import type { Finding } from '../../shared/words/steps/coded.ts'
import { removedByRetention, retentionRecords } from './care-records.ts'
import { digestOf, hashOf } from './chain-functions.ts'
import { ENTRY_TABLES, entryReader, linkReader } from './entry-reader.ts'

type ChainBreak = Extract<ChainVerdict, { kind: 'broken' }>

/** Verifies every hash, every digest and a link for every entry, over one state of the journal. Returns the first mismatch. */
export function checkChain(database: DatabaseSync): ChainVerdict {
  database.exec('BEGIN')
  try {
    return verdictOn(database)
  } finally {
    database.exec('ROLLBACK')
  }
}

function verdictOn(database: DatabaseSync): ChainVerdict {
  const links = linkReader(database)
  const judge = entryJudge(database)
  const newest = new Map<EntrySource, number>()
  let before = CHAIN_BEGIN
  let last: ChainLink | null = null
  for (const link of links.between(0, Number.MAX_SAFE_INTEGER)) {
    const expected: number = (last?.seq ?? 0) + 1
    if (link.seq !== expected) return missingLinks(link, expected, link.seq - 1)
    if (hashOf(before, link) !== link.hash) {
      return broken(
        link,
        'link-changed',
        because('LinkChanged', { seq: link.seq, source: link.source, sourceSeq: link.sourceSeq }),
      )
    }
    const wrong = judge(link) ?? outOfOrder(link, newest.get(link.source) ?? 0)
    if (wrong !== null) return wrong
    newest.set(link.source, link.sourceSeq)
    before = link.hash
    last = link
  }
  const given = links.given()
  if (given > (last?.seq ?? 0)) {
    return missingLinks(last ?? { source: 'run-event', sourceSeq: 0 }, (last?.seq ?? 0) + 1, given)
  }
  return unchained(database, last?.seq ?? 0) ?? { kind: 'holds', links: last?.seq ?? 0, head: before }
}

/** Numbers of a source's entries must grow along the chain: otherwise a list by number has another order. */
function outOfOrder(link: ChainLink, before: number): ChainBreak | null {
  return link.sourceSeq > before
    ? null
    : broken(
        link,
        'link-changed',
        because('LinkOutOfOrder', { seq: link.seq, source: link.source, sourceSeq: link.sourceSeq, before }),
      )
}

/** Judges whether the entry of a link is unchanged, or was removed by retention; null if it is. */
export function entryJudge(database: DatabaseSync): (link: ChainLink) => ChainBreak | null {
  const entries = entryReader(database)
  const removed = removedByRetention(retentionRecords(database))
  return link => {
    const { source, sourceSeq, digest } = link
    const entry = entries.read(source, sourceSeq)
    if (entry === null) {
      return removed(source, sourceSeq)
        ? null
        : broken(link, 'entry-missing', because('EntryMissing', { source, sourceSeq }))
    }
    return digestOf(entry) === digest
      ? null
      : broken(link, 'entry-changed', because('EntryChanged', { source, sourceSeq, key: entry.key }))
  }
}

/** The first entry without a link; null if each has one. */
function unchained(database: DatabaseSync, seq: number): ChainBreak | null {
  for (const { source, table } of ENTRY_TABLES) {
    const found = database
      .prepare(
        `SELECT seq FROM ${table} AS entry
         WHERE NOT EXISTS (SELECT 1 FROM chain WHERE chain.source = '${source}' AND chain.source_seq = entry.seq) ORDER BY seq LIMIT 1`,
      )
      .get()
    if (found !== undefined) {
      const sourceSeq = Number(found.seq)
      return broken({ seq, source, sourceSeq }, 'entry-unchained', because('EntryUnchained', { source, sourceSeq }))
    }
  }
  return null
}

function missingLinks(
  near: { readonly source: EntrySource; readonly sourceSeq: number },
  first: number,
  last: number,
): ChainBreak {
  return broken(
    { seq: first, source: near.source, sourceSeq: near.sourceSeq },
    'link-missing',
    because('LinksMissing', { first, last }),
  )
}

function broken(
  { seq, source, sourceSeq }: { readonly seq: number; readonly source: EntrySource; readonly sourceSeq: number },
  why: ChainBreak['why'],
  { message: words }: Finding,
): ChainBreak {
  return { kind: 'broken', seq, source, sourceSeq, why, words }
}
