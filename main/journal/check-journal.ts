import { existsSync, statSync } from 'node:fs'
import type { ChainVerdict } from '../../shared/domain/journal-chain.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { acceptRecords, retentionRecords } from './care-records.ts'
import { checkChain } from './chain-check.ts'
import { checkDatabase } from './database-check.ts'
import { databaseResult } from './database-trouble.ts'
import { linkReader } from './entry-reader.ts'
import type { AnchoredDatabase } from './head-anchor.ts'
import { isThere } from './journal-file.ts'

export interface JournalCheck {
  readonly chain: ChainVerdict
  /** Problems found by SQLite and the journal's rules; empty if there is none. */
  readonly database: readonly string[]
  /** Whether the chain contains the given head; null if none was given. */
  readonly head: HeadSearch | null
  readonly ok: boolean
  readonly words: string
}

/** The place in the chain of a head that was recorded elsewhere, and how many entries follow. */
type HeadSearch =
  | { readonly kind: 'contained'; readonly seq: number; readonly after: number }
  | { readonly kind: 'missing' }

/** Verifies the whole chain, reads every page, and searches the chain for a recorded head: a hash, or `number:hash`. */
export function checkJournal(
  { database, lost }: AnchoredDatabase,
  path: string,
  recordedHead: string | null,
): Result<JournalCheck> {
  const sought = parseHead(recordedHead)
  if (!sought.ok) return sought
  return databaseResult(path, () => {
    const chain = chainOf(() => checkChain(database))
    const gone = fileGone(path)
    const found = gone === null ? checkDatabase(database) : [gone]
    const head = sought.value === null ? null : searchHead(database, sought.value)
    return {
      chain,
      database: found,
      head,
      ok: chain.kind === 'holds' && found.length === 0 && lost === null && head?.kind !== 'missing',
      words: [
        chainWords(chain),
        ...(lost === null ? [] : [lost]),
        ...(head === null ? [] : [headWords(head, chain)]),
        ...wordsIfReadable(() => retentionWords(database)),
        ...wordsIfReadable(() => acceptWords(database)),
        gone ?? fileWords(found),
      ].join(' '),
    }
  })
}

/** A chain with unreadable pages is broken at its beginning: no part of it is reliable. */
function chainOf(check: () => ChainVerdict): ChainVerdict {
  try {
    return check()
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return {
      kind: 'broken',
      seq: 1,
      source: 'run-event',
      sourceSeq: 0,
      why: 'link-missing',
      words: because('ChainUnreadable', { cause }).message,
    }
  }
}

function chainWords(chain: ChainVerdict): string {
  if (chain.kind === 'broken') return because('ChainBroken', { seq: chain.seq, cause: chain.words }).message
  const { links, head } = chain
  return (links === 0 ? because('ChainEmpty') : because('ChainHolds', { links, head })).message
}

interface SoughtHead {
  readonly seq: number | null
  readonly hash: string
}

function parseHead(head: string | null): Result<SoughtHead | null> {
  if (head === null) return ok(null)
  const parts = /^(?:(\d{1,15}):)?([0-9a-f]{64})$/.exec(head.trim().toLowerCase())
  if (parts?.[2] === undefined) return failed(refusal('bad-input', because('NotAHead', { given: head })))
  return ok({ seq: parts[1] === undefined ? null : Number(parts[1]), hash: parts[2] })
}

function searchHead(database: AnchoredDatabase['database'], { seq, hash }: SoughtHead): HeadSearch {
  const found = database.prepare('SELECT seq FROM chain WHERE hash = ? AND (? IS NULL OR seq = ?)').get(hash, seq, seq)
  if (found === undefined) return { kind: 'missing' }
  const newest = linkReader(database).newest()?.seq ?? 0
  return { kind: 'contained', seq: Number(found.seq), after: newest - Number(found.seq) }
}

function headWords(head: HeadSearch, chain: ChainVerdict): string {
  if (head.kind === 'missing') return because('HeadNotContained').message
  const { seq, after } = head
  return chain.kind === 'holds'
    ? because('HeadContained', { seq, after }).message
    : because('HeadOfBrokenChain', { seq }).message
}

/** Unreadable records add no words: the check of the file reports the damage. */
function wordsIfReadable(read: () => readonly string[]): readonly string[] {
  try {
    return read()
  } catch {
    return []
  }
}

function acceptWords(database: AnchoredDatabase['database']): readonly string[] {
  return acceptRecords(database).map(
    ({ at, record }) =>
      because('JournalWasAccepted', { by: record.operator, at, reason: record.reason, lost: record.lost }).message,
  )
}

function retentionWords(database: AnchoredDatabase['database']): readonly string[] {
  return retentionRecords(database).map(
    ({ at, record }) =>
      because('JournalWasPruned', {
        by: record.operator,
        at,
        runs: record.runs.length,
        windows: record.windows.length,
        before: record.before,
        archive: record.archive,
      }).message,
  )
}

function fileWords(found: readonly string[]): string {
  return (found.length === 0 ? because('FileWhole') : because('FileNotWhole', { found })).message
}

/** That the file no longer exists, in words; null if it does. Then only other processes may still have its content. */
function fileGone(path: string): string | null {
  if (!existsSync(path)) return because('JournalFileMissing', { path }).message
  return statSync(path).size === 0 && !isThere(`${path}-wal`) ? because('JournalFileEmpty', { path }).message : null
}
