import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import type { Failure } from '../../shared/domain/failure.ts'
import type { ChainHead } from '../../shared/domain/journal-chain.ts'
import { must } from '../../shared/domain/must.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import type { HeadAnchor } from '../ports/head-anchor.ts'
import { type AcceptRecord, isImported, type JournalOperator, storeCareRecord } from './care-records.ts'
import { checkJournal, type JournalCheck } from './check-journal.ts'
import type { ForeignCopy } from './copy-foreign.ts'
import { databaseResult } from './database-trouble.ts'
import { ENTRY_TABLES, linkReader } from './entry-reader.ts'
import { type ExportedJournal, exportJournal } from './export-journal.ts'
import { type AnchoredDatabase, keepHead } from './head-anchor.ts'
import { type ImportedJournal, importJournal } from './import-journal.ts'
import { openDatabase } from './open-journal.ts'
import { type Pruned, pruneJournal } from './prune-journal.ts'
import { schemaVersionOf } from './schema.ts'

interface JournalStatus {
  readonly path: string
  readonly schema: number
  readonly readOnly: string | null
  readonly bytes: number
  /** Free space on its disk for this user; null if unknown. */
  readonly roomBytes: number | null
  readonly runs: number
  readonly windows: number
  readonly entries: number
  readonly oldestAt: string | null
  readonly head: ChainHead | null
}

interface AcceptWish {
  readonly reason: string
  readonly by: JournalOperator
}

interface AcceptedJournal {
  readonly head: ChainHead
  readonly words: string
}

export interface JournalCare {
  status(): Result<JournalStatus>
  check(wish?: { readonly head: string | null }): Result<JournalCheck>
  /** Accepts a journal with a missing part, and records that with the reason. Open consoles write again after a restart. */
  accept(wish: AcceptWish): Result<AcceptedJournal>
  copyTo(path: string): Result<ExportedJournal>
  isImported(runId: string): boolean
  /** `copy`: what another process made from the file (read-apart.ts); absent if this process reads it. */
  importFrom(wish: {
    readonly file: string
    readonly by: JournalOperator
    readonly copy?: ForeignCopy
  }): Result<ImportedJournal>
  prune(wish: { readonly before: string; readonly dryRun: boolean; readonly by: JournalOperator }): Result<Pruned>
}

export function journalCare(
  opened: AnchoredDatabase,
  path: string,
  clock: Clock,
  anchor: HeadAnchor | null,
): JournalCare {
  const { database, readOnly } = opened
  return {
    status: () => databaseResult(path, () => statusOf(opened, path)),
    check: wish => checkJournal(opened, path, wish?.head ?? null),
    accept: wish => acceptJournal(opened, path, clock, anchor, wish),
    copyTo: to => refuseRelative(to) ?? exportJournal(database, to),
    isImported: runId => isImported(database, runId),
    importFrom: wish => {
      if (readOnly !== null) return failed(readOnly)
      return refuseRelative(wish.file) ?? importJournal(database, path, clock, wish)
    },
    prune: wish => {
      if (readOnly !== null && !wish.dryRun) return failed(readOnly)
      const wrong = wrongDay(wish.before, clock)
      return wrong === null ? pruneJournal(database, path, clock, wish) : failed(wrong)
    },
  }
}

function statusOf({ database, readOnly }: AnchoredDatabase, path: string): JournalStatus {
  const count = (sql: string) => Number(database.prepare(sql).get()?.count)
  const newest = linkReader(database).newest()
  const oldest = ENTRY_TABLES.map(({ table }) => `SELECT MIN(at) AS at FROM ${table}`).join(' UNION ALL ')
  const oldestAt = database.prepare(`SELECT MIN(at) AS at FROM (${oldest})`).get()?.at
  return {
    path,
    schema: schemaVersionOf(database),
    readOnly: readOnly?.message ?? null,
    bytes: sizeOf(path) + sizeOf(`${path}-wal`),
    roomBytes: freeBytes(dirname(path)),
    runs: count('SELECT COUNT(*) AS count FROM runs'),
    windows: count('SELECT COUNT(DISTINCT window_id) AS count FROM window_events'),
    entries: ENTRY_TABLES.reduce((sum, { table }) => sum + count(`SELECT COUNT(*) AS count FROM ${table}`), 0),
    oldestAt: typeof oldestAt === 'string' ? oldestAt : null,
    head: newest === null ? null : { seq: newest.seq, hash: newest.hash },
  }
}

function acceptJournal(
  { database, readOnly, lost, mayAccept }: AnchoredDatabase,
  path: string,
  clock: Clock,
  anchor: HeadAnchor | null,
  { reason, by }: AcceptWish,
): Result<AcceptedJournal> {
  if (lost === null || anchor === null) {
    return failed(refusal('conflict', because('NothingToAccept', { path }), { target: path }))
  }
  if (!mayAccept && readOnly !== null) return failed(readOnly)
  if (reason.trim() === '') return failed(refusal('bad-input', because('AcceptWithoutReason')))
  const record: AcceptRecord = { kind: 'accept', operator: by.operator, machine: by.machine, reason, lost }
  if (sizeOf(path) > 0) {
    const accepted = storeAccepted(database, path, clock, anchor, record)
    database.exec('PRAGMA query_only = ON')
    return accepted
  }
  // The file is missing or empty: a new journal begins with the record.
  const fresh = openDatabase(path)
  if (!fresh.ok) return fresh
  const accepted = storeAccepted(fresh.value.database, path, clock, anchor, record)
  fresh.value.close()
  return accepted
}

function storeAccepted(
  database: AnchoredDatabase['database'],
  path: string,
  clock: Clock,
  anchor: HeadAnchor,
  record: AcceptRecord,
): Result<AcceptedJournal> {
  const stored = databaseResult(path, () => {
    database.exec('PRAGMA query_only = OFF')
    storeCareRecord(database, isoNow(clock), record)
    return must(linkReader(database).newest(), 'each entry has its link')
  })
  if (!stored.ok) return stored
  const anchored = keepHead(database, anchor, clock)
  if (!anchored.ok) return anchored
  const { seq, hash } = stored.value
  return ok({ head: { seq, hash }, words: because('JournalAccepted').message })
}

/** A path must not depend on the folder in which the console was started. */
function refuseRelative(path: string): Result<never> | null {
  if (isAbsolute(path)) return null
  return failed(refusal('bad-input', because('PathNotWhole', { path })))
}

function wrongDay(before: string, clock: Clock): Failure | null {
  const at = Date.parse(before)
  if (!Number.isNaN(at) && new Date(at).toISOString() === before && at <= clock.now()) return null
  return refusal('bad-input', because('NotATimePast', { before }))
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0
}

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
