import type { DatabaseSync } from 'node:sqlite'
import { CHAIN_BEGIN, type ChainLink, type EntrySource, type JournalEntry } from '../../shared/domain/journal-chain.ts'
import { because } from '../../shared/words/reasons.ts'
import type { ExtractWish, JournalExtract, ReportSource } from '../ports/journal.ts'
import { entryJudge } from './chain-check.ts'
import { hashOf } from './chain-functions.ts'
import { databaseResult } from './database-trouble.ts'
import { entryFrom, linkReader, tableOf } from './entry-reader.ts'

export function reportSource(database: DatabaseSync, path: string): ReportSource {
  const links = linkReader(database)
  return {
    extract: wish =>
      databaseResult(path, () => {
        // One state of the journal, even while others write.
        database.exec('BEGIN')
        try {
          return extractOf(database, wish)
        } finally {
          database.exec('ROLLBACK')
        }
      }),
    linkAt: seq => links.at(seq),
  }
}

function extractOf(database: DatabaseSync, wish: ExtractWish): JournalExtract {
  const links = linkReader(database)
  const damage: string[] = []
  const found: { entry: JournalEntry; link: ChainLink | null }[] = entriesOf(database, wish).map(entry => ({
    entry,
    link: links.of(entry.source, entry.sourceSeq),
  }))
  for (const { entry, link } of found) {
    if (link !== null) continue
    const { source, sourceSeq, key } = entry
    damage.push(because('EntryWithoutLink', { source, sourceSeq, key }).message)
  }
  const numbers = found.flatMap(({ link }) => (link === null ? [] : [link.seq]))
  const last = numbers.reduce((a, b) => Math.max(a, b), 0)
  const first = numbers.reduce((a, b) => Math.min(a, b), last)
  const before = first <= 1 ? CHAIN_BEGIN : links.at(first - 1)?.hash
  if (before === undefined) damage.push(missing(first - 1))
  const range = [...links.between(first, last)]
  damage.push(...damageIn(database, range, before ?? CHAIN_BEGIN, first))
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

function entriesOf(database: DatabaseSync, { runIds, windowIds, around }: ExtractWish): readonly JournalEntry[] {
  const select = (source: EntrySource, where: string) => {
    const { table, key } = tableOf(source)
    const statement = database.prepare(
      `SELECT seq, ${key} AS key, at, body FROM ${table} AS entry WHERE ${where} ORDER BY seq`,
    )
    return (...values: string[]) => statement.all(...values).map(row => entryFrom(source, row))
  }
  const ofRun = select('run-event', 'run_id = ?')
  const ofWindow = select('window-event', 'window_id = ?')
  const signals = select('signal', 'run_id = ?')
  const edits = select('edit', 'cluster = ? AND at >= ? AND at <= ?')
  const observations = select('observation', 'cluster = ? AND at >= ? AND at <= ?')
  const entries = [
    ...runIds.flatMap(id => [...ofRun(id), ...signals(id)]),
    ...windowIds.flatMap(id => [...ofWindow(id), ...signals(id)]),
    ...around.flatMap(({ cluster, from, to }) => [...edits(cluster, from, to), ...observations(cluster, from, to)]),
  ]
  // Runs named twice and overlapping time ranges give each entry once.
  return [...new Map(entries.map(entry => [`${entry.source}/${entry.sourceSeq}`, entry])).values()]
}
