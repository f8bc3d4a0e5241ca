import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import type { Failure } from '../../shared/domain/failure.ts'
import type { ChainHead, ChainVerdict } from '../../shared/domain/journal-chain.ts'
import { must } from '../../shared/domain/must.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import type { HeadAnchor } from '../ports/head-anchor.ts'
import { checkChain } from './chain-check.ts'
import type { ForeignCopy } from './copy-foreign.ts'
import { checkDatabase } from './database-check.ts'
import { describeDatabaseError } from './database-trouble.ts'
import { ENTRY_TABLES, linkReader } from './entry-reader.ts'
import { type ExportedJournal, exportJournal } from './export-journal.ts'
import { type AnchoredDatabase, keepHead } from './head-anchor.ts'
import { type ImportedJournal, importJournal } from './import-journal.ts'
import { isThere } from './journal-file.ts'
import { openDatabase } from './open-journal.ts'
import { type Pruned, pruneJournal } from './prune-journal.ts'
import {
  type AcceptRecord,
  acceptRecords,
  type Carer,
  isImported,
  keepCareRecord,
  retentionRecords,
} from './retention-records.ts'
import { schemaVersionOf } from './schema.ts'

interface JournalStatus {
  readonly path: string
  readonly schema: number
  readonly readOnly: string | null
  readonly bytes: number
  /** Free space on its disk for this user; null: unknown. */
  readonly roomBytes: number | null
  readonly runs: number
  readonly windows: number
  readonly entries: number
  readonly oldestAt: string | null
  readonly head: ChainHead | null
}

interface JournalCheck {
  readonly chain: ChainVerdict
  /** Problems found by SQLite and the journal's rules; empty: none. */
  readonly database: readonly string[]
  /** Whether the chain contains the given head; null: none was given. */
  readonly head: AskedHead | null
  readonly ok: boolean
  readonly words: string
}

/** A head that was recorded elsewhere: its place in the chain, and how many entries follow. */
type AskedHead =
  | { readonly kind: 'contained'; readonly seq: number; readonly after: number }
  | { readonly kind: 'missing' }

export interface JournalCare {
  status(): Result<JournalStatus>
  /** Verifies the whole chain and reads every page. */
  check(wish?: { readonly head: string | null }): Result<JournalCheck>
  /** Accepts a journal with a missing part, and records that with the reason. Open consoles write again after a restart. */
  accept(wish: {
    readonly reason: string
    readonly by: Carer
  }): Result<{ readonly head: ChainHead; readonly words: string }>
  copyTo(path: string): Result<ExportedJournal>
  isImported(runId: string): boolean
  /** `copy`: what another process made from the file (read-apart.ts); absent: this process reads it. */
  importFrom(wish: { readonly file: string; readonly by: Carer; readonly copy?: ForeignCopy }): Result<ImportedJournal>
  prune(wish: { readonly before: string; readonly dryRun: boolean; readonly by: Carer }): Result<Pruned>
}

export function careOver(
  { database, readOnly, lost, mayAccept }: AnchoredDatabase,
  path: string,
  clock: Clock,
  anchor: HeadAnchor | null,
): JournalCare {
  const asked = <T>(work: () => T): Result<T> => {
    try {
      return ok(work())
    } catch (error) {
      return failed(describeDatabaseError(error, path))
    }
  }
  /** In the existing file, or in a new one. */
  const accepted = (record: AcceptRecord, known: HeadAnchor) => {
    const fresh = existsSync(path) && statSync(path).size > 0 ? null : openDatabase(path)
    if (fresh?.ok === false) return fresh
    const target = fresh?.value.database ?? database
    const kept = asked(() => {
      target.exec('PRAGMA query_only = OFF')
      keepCareRecord(target, isoNow(clock), record)
      return must(linkReader(target).newest(), 'each entry has its link')
    })
    const anchored = kept.ok ? keepHead(target, known, clock) : kept
    if (fresh === null) target.exec('PRAGMA query_only = ON')
    else fresh.value.close()
    if (!kept.ok) return kept
    if (!anchored.ok) return anchored
    const { seq, hash } = kept.value
    const words = because('JournalAccepted').message
    return ok({ head: { seq, hash }, words })
  }
  const count = (sql: string) => Number(database.prepare(sql).get()?.count)
  return {
    status: () =>
      asked(() => {
        const newest = linkReader(database).newest()
        const oldest = ENTRY_TABLES.map(({ table }) => `SELECT MIN(at) AS at FROM ${table}`).join(' UNION ALL ')
        const oldestAt = database.prepare(`SELECT MIN(at) AS at FROM (${oldest})`).get()?.at
        return {
          path,
          schema: schemaVersionOf(database),
          readOnly: readOnly?.message ?? null,
          bytes: sizeOf(path) + sizeOf(`${path}-wal`),
          roomBytes: roomOf(dirname(path)),
          runs: count('SELECT COUNT(*) AS count FROM runs'),
          windows: count('SELECT COUNT(DISTINCT window_id) AS count FROM window_events'),
          entries: ENTRY_TABLES.reduce((sum, { table }) => sum + count(`SELECT COUNT(*) AS count FROM ${table}`), 0),
          oldestAt: typeof oldestAt === 'string' ? oldestAt : null,
          head: newest === null ? null : { seq: newest.seq, hash: newest.hash },
        }
      }),
    check: wish => {
      const sought = soughtHead(wish?.head ?? null)
      if (!sought.ok) return sought
      return asked(() => {
        const chain = chainOf(() => checkChain(database))
        const gone = fileGone(path)
        const found = gone === null ? checkDatabase(database) : [gone]
        const head = sought.value === null ? null : headIn(database, sought.value)
        return {
          chain,
          database: found,
          head,
          ok: chain.kind === 'holds' && found.length === 0 && lost === null && head?.kind !== 'missing',
          words: [
            chainWords(chain),
            ...(lost === null ? [] : [lost]),
            ...(head === null ? [] : [headWords(head, chain)]),
            ...retentionWords(() => retentionRecords(database)),
            ...acceptWords(() => acceptRecords(database)),
            gone ?? fileWords(found),
          ].join(' '),
        }
      })
    },
    accept: ({ reason, by }) => {
      if (lost === null || anchor === null) {
        return failed(refusal('conflict', because('NothingToAccept', { path }), { target: path }))
      }
      if (!mayAccept && readOnly !== null) return failed(readOnly)
      if (reason.trim() === '') return failed(refusal('bad-input', because('AcceptWithoutReason')))
      return accepted({ kind: 'accept', operator: by.operator, machine: by.machine, reason, lost }, anchor)
    },
    copyTo: to => whole(to) ?? exportJournal(database, to),
    isImported: runId => isImported(database, runId),
    importFrom: wish => {
      if (readOnly !== null) return failed(readOnly)
      return whole(wish.file) ?? importJournal(database, path, clock, wish)
    },
    prune: wish => {
      if (readOnly !== null && !wish.dryRun) return failed(readOnly)
      const wrong = wrongDay(wish.before, clock)
      return wrong === null ? pruneJournal(database, path, clock, wish) : failed(wrong)
    },
  }
}

/** A path must not depend on the folder in which the console was started. */
function whole(path: string): Result<never> | null {
  if (isAbsolute(path)) return null
  return failed(refusal('bad-input', because('PathNotWhole', { path })))
}

function wrongDay(before: string, clock: Clock): Failure | null {
  const at = Date.parse(before)
  if (!Number.isNaN(at) && new Date(at).toISOString() === before && at <= clock.now()) return null
  return refusal('bad-input', because('NotATimePast', { before }))
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
  return chain.kind === 'holds'
    ? holdsWords(chain.links, chain.head)
    : because('ChainBroken', { seq: chain.seq, cause: chain.words }).message
}

function holdsWords(links: number, head: string): string {
  return (links === 0 ? because('ChainEmpty') : because('ChainHolds', { links, head })).message
}

/** A recorded head: a hash, or `number:hash`. */
function soughtHead(head: string | null): Result<{ readonly seq: number | null; readonly hash: string } | null> {
  if (head === null) return ok(null)
  const parts = /^(?:(\d{1,15}):)?([0-9a-f]{64})$/.exec(head.trim().toLowerCase())
  if (parts?.[2] === undefined) {
    return failed(refusal('bad-input', because('NotAHead', { given: head })))
  }
  return ok({ seq: parts[1] === undefined ? null : Number(parts[1]), hash: parts[2] })
}

function headIn(
  database: AnchoredDatabase['database'],
  { seq, hash }: { readonly seq: number | null; readonly hash: string },
): AskedHead {
  const found = database.prepare('SELECT seq FROM chain WHERE hash = ? AND (? IS NULL OR seq = ?)').get(hash, seq, seq)
  if (found === undefined) return { kind: 'missing' }
  const newest = linkReader(database).newest()?.seq ?? 0
  return { kind: 'contained', seq: Number(found.seq), after: newest - Number(found.seq) }
}

function headWords(head: AskedHead, chain: ChainVerdict): string {
  if (head.kind === 'missing') return because('HeadNotContained').message
  const { seq, after } = head
  return chain.kind === 'holds'
    ? because('HeadContained', { seq, after }).message
    : because('HeadOfBrokenChain', { seq }).message
}

function acceptWords(read: () => ReturnType<typeof acceptRecords>): readonly string[] {
  try {
    return read().map(
      ({ at, record }) =>
        because('JournalWasAccepted', { by: record.operator, at, reason: record.reason, lost: record.lost }).message,
    )
  } catch {
    return []
  }
}

function retentionWords(read: () => ReturnType<typeof retentionRecords>): readonly string[] {
  try {
    return read().map(
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
  } catch {
    return []
  }
}

function fileWords(found: readonly string[]): string {
  return (found.length === 0 ? because('FileWhole') : because('FileNotWhole', { found })).message
}

/** That the file no longer exists, in words; null: it does. Then only other processes may still hold its content. */
function fileGone(path: string): string | null {
  if (!existsSync(path)) return because('JournalFileMissing', { path }).message
  return sizeOf(path) === 0 && !isThere(`${path}-wal`) ? because('JournalFileEmpty', { path }).message : null
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0
}

function roomOf(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
