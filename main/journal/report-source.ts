import type { DatabaseSync } from 'node:sqlite'
import { CHAIN_BEGIN, type ChainLink, type EntrySource, type JournalEntry } from '../../shared/domain/journal-chain.ts'
import { must } from '../../shared/domain/must.ts'
import { atOnce, type Pieces } from '../../shared/domain/pieces.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import type { ExtractWish, JournalExtract, ReportSource } from '../ports/journal.ts'
import { entryJudge } from './chain-check.ts'
import { hashOf } from './chain-functions.ts'
import { describeDatabaseError } from './database-trouble.ts'
import { entryFrom, linkReader, tableOf } from './entry-reader.ts'

/** Entries or links between two yields: some milliseconds. */
const AT_ONCE = 200

export function reportSource(database: DatabaseSync, path: string): ReportSource {
  const links = linkReader(database)
  const extract = (wish: ExtractWish) => read(path, extractOf(database, wish))
  return {
    extract: wish => atOnce(extract(wish)),
    extractInPieces: extract,
    entriesInPieces: wish => read(path, entriesOf(database, wish)),
    linkAt: seq => links.at(seq),
  }
}

function* read<T>(path: string, work: Pieces<T>): Pieces<Result<T>> {
  try {
    return ok(yield* work)
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  }
}

/** The journal as it is when this begins: what is written between two pieces stays out. */
function* extractOf(database: DatabaseSync, wish: ExtractWish): Pieces<JournalExtract> {
  const links = linkReader(database)
  const newest = links.newest()?.seq ?? 0
  const damage: string[] = []
  const found: { entry: JournalEntry; link: ChainLink | null }[] = []
  for (const [at, entry] of (yield* entriesOf(database, wish)).entries()) {
    if (at % AT_ONCE === 0) yield
    const link = links.of(entry.source, entry.sourceSeq)
    if (link !== null && link.seq > newest) continue
    found.push({ entry, link })
    if (link !== null) continue
    const { source, sourceSeq, key } = entry
    damage.push(because('EntryWithoutLink', { source, sourceSeq, key }).message)
  }
  const numbers = found.flatMap(({ link }) => (link === null ? [] : [link.seq]))
  const last = numbers.reduce((a, b) => Math.max(a, b), 0)
  const first = numbers.reduce((a, b) => Math.min(a, b), last)
  const before = first <= 1 ? CHAIN_BEGIN : links.at(first - 1)?.hash
  if (before === undefined) damage.push(missing(first - 1))
  const range: ChainLink[] = []
  for (let at = first; at <= last; at += AT_ONCE) {
    yield
    const piece = [...links.between(at, Math.min(at + AT_ONCE - 1, last))]
    const expected = (range.at(-1)?.seq ?? first - 1) + 1
    damage.push(...damageIn(database, piece, range.at(-1)?.hash ?? before ?? CHAIN_BEGIN, expected))
    range.push(...piece)
  }
  yield
  return {
    entries: found.sort((a, b) => (a.link?.seq ?? last + 1) - (b.link?.seq ?? last + 1)).map(({ entry }) => entry),
    chain: {
      algorithm: 'sha256',
      before: before ?? CHAIN_BEGIN,
      links: range,
      after: range.at(-1)?.hash ?? CHAIN_BEGIN,
    },
    damage,
  }
}

function missing(seq: number): string {
  return because('LinksMissing', { first: seq, last: seq }).message
}

/** The broken parts of a range. The subject of a missing entry is unknown, so it is always listed. */
function damageIn(
  database: DatabaseSync,
  range: readonly ChainLink[],
  before: string,
  first: number,
): readonly string[] {
  // Entries and the records of their removal from one state of the journal.
  database.exec('BEGIN')
  try {
    return wrongIn(database, range, before, first)
  } finally {
    database.exec('ROLLBACK')
  }
}

function wrongIn(
  database: DatabaseSync,
  range: readonly ChainLink[],
  before: string,
  first: number,
): readonly string[] {
  const judge = entryJudge(database)
  const damage: string[] = []
  let hash = before
  let expected = first
  for (const link of range) {
    for (; expected < link.seq; expected += 1) damage.push(missing(expected))
    expected = link.seq + 1
    if (hashOf(hash, link) !== link.hash) {
      damage.push(because('LinkRewritten', { seq: link.seq }).message)
    }
    hash = link.hash
    const wrong = judge(link)
    if (wrong !== null) damage.push(wrong.words)
  }
  return damage
}

function* entriesOf(
  database: DatabaseSync,
  { runIds, windowIds, around }: ExtractWish,
): Pieces<readonly JournalEntry[]> {
  const select = (source: EntrySource, where: string) => {
    const { table, key } = tableOf(source)
    const statement = database.prepare(
      `SELECT seq, ${key} AS key, at, body FROM ${table} AS entry WHERE ${where} AND seq > ? ORDER BY seq LIMIT ${AT_ONCE}`,
    )
    return function* (...values: string[]): Pieces<void> {
      for (let after = 0; ; ) {
        const page = statement.all(...values, after).map(row => entryFrom(source, row))
        // Runs named twice and overlapping time ranges give each entry once.
        for (const entry of page) entries.set(`${entry.source}/${entry.sourceSeq}`, entry)
        if (page.length < AT_ONCE) return
        after = must(page.at(-1), 'the page is full').sourceSeq
        yield
      }
    }
  }
  const entries = new Map<string, JournalEntry>()
  const ofRun = select('run-event', 'run_id = ?')
  const ofWindow = select('window-event', 'window_id = ?')
  const signals = select('signal', 'run_id = ?')
  const edits = select('edit', 'cluster = ? AND at >= ? AND at <= ?')
  const observations = select('observation', 'cluster = ? AND at >= ? AND at <= ?')
  for (const id of runIds) {
    yield* ofRun(id)
    yield* signals(id)
  }
  for (const id of windowIds) {
    yield* ofWindow(id)
    yield* signals(id)
  }
  for (const { cluster, from, to } of around) {
    yield* edits(cluster, from, to)
    yield* observations(cluster, from, to)
  }
  return [...entries.values()]
}
