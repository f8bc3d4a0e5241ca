import { existsSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { type Failure, failure } from '../../shared/domain/failure.ts'
import type { ChainVerdict } from '../../shared/domain/journal-chain.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import type { Clock } from '../clock/clock.ts'
import type { Carer } from './care-records.ts'
import { checkChain } from './chain-check.ts'
import { checkDatabase } from './database-check.ts'
import { describeDatabaseError } from './database-trouble.ts'
import { ENTRY_TABLES } from './entry-tables.ts'
import { type ExportedJournal, exportJournal } from './export-journal.ts'
import { type ImportedJournal, importJournal } from './import-journal.ts'
import { linkReader } from './link-reader.ts'
import type { OpenedDatabase } from './open-journal.ts'
import { type Pruned, pruneJournal } from './prune-journal.ts'
import { retentionRecords } from './retention-records.ts'
import { schemaVersionOf } from './schema.ts'

/** How the journal stands as a file. */
export interface JournalStanding {
  readonly path: string
  readonly schema: number
  readonly readOnly: string | null
  readonly bytes: number
  readonly runs: number
  readonly windows: number
  readonly entries: number
  readonly oldestAt: string | null
  readonly head: { readonly seq: number; readonly hash: string } | null
}

/** Whether all is as it was written. */
export interface JournalCheck {
  readonly chain: ChainVerdict
  /** What SQLite and the rules of the journal find wrong; empty: nothing. */
  readonly database: readonly string[]
  readonly ok: boolean
  readonly words: string
}

/** Care of the journal as a whole. */
export interface JournalCare {
  status(): Result<JournalStanding>
  /** Recomputes the whole chain and looks at every page. */
  check(): Result<JournalCheck>
  copyTo(path: string): Result<ExportedJournal>
  takeOver(wish: { readonly file: string; readonly by: Carer }): Result<ImportedJournal>
  prune(wish: { readonly before: string; readonly dryRun: boolean; readonly by: Carer }): Result<Pruned>
}

export function careOver({ database, readOnly }: OpenedDatabase, path: string, clock: Clock): JournalCare {
  const asked = <T>(work: () => T): Result<T> => {
    try {
      return ok(work())
    } catch (error) {
      return failed(describeDatabaseError(error, path))
    }
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
          runs: count('SELECT COUNT(*) AS count FROM runs'),
          windows: count('SELECT COUNT(DISTINCT window_id) AS count FROM window_events'),
          entries: ENTRY_TABLES.reduce((sum, { table }) => sum + count(`SELECT COUNT(*) AS count FROM ${table}`), 0),
          oldestAt: typeof oldestAt === 'string' ? oldestAt : null,
          head: newest === null ? null : { seq: newest.seq, hash: newest.hash },
        }
      }),
    check: () =>
      asked(() => {
        const chain = chainOf(() => checkChain(database))
        const found = checkDatabase(database)
        return {
          chain,
          database: found,
          ok: chain.kind === 'holds' && found.length === 0,
          words: [chainWords(chain), ...retentionWords(() => retentionRecords(database)), fileWords(found)].join(' '),
        }
      }),
    copyTo: to => whole(to) ?? exportJournal(database, to),
    takeOver: wish => {
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

/** Where a path begins must not depend on the folder in which somebody started the console. */
function whole(path: string): Result<never> | null {
  if (isAbsolute(path)) return null
  return failed(
    failure('bad-input', `"${path}" does not say in which folder. Give the whole path, such as /home/eva/journal.db.`),
  )
}

function wrongDay(before: string, clock: Clock): Failure | null {
  const at = Date.parse(before)
  if (!Number.isNaN(at) && new Date(at).toISOString() === before && at <= clock.now()) return null
  return failure(
    'bad-input',
    `"${before}" is not a time that is past, such as 2026-01-31T00:00:00.000Z. What ended before it would be removed.`,
  )
}

/** A chain whose own pages cannot be read is broken at its beginning: nothing in it can be relied on. */
function chainOf(check: () => ChainVerdict): ChainVerdict {
  try {
    return check()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return {
      kind: 'broken',
      seq: 1,
      source: 'run-event',
      sourceSeq: 0,
      why: 'link-missing',
      words: `The chain cannot be read: ${why}.`,
    }
  }
}

function chainWords(chain: ChainVerdict): string {
  return chain.kind === 'holds'
    ? `The chain holds: ${chain.links} entries are as they were written. Its head is ${chain.head}.`
    : `The chain is broken at link ${chain.seq}. ${chain.words}`
}

function retentionWords(read: () => ReturnType<typeof retentionRecords>): readonly string[] {
  try {
    return read().map(
      ({ at, record }) =>
        `Retention: ${record.operator} removed ${record.runs.length} runs and ${record.windows.length} windows that ended before ${record.before} on ${at}; they are kept in ${record.archive}.`,
    )
  } catch {
    return []
  }
}

function fileWords(found: readonly string[]): string {
  return found.length === 0
    ? 'The file is whole.'
    : `The file is not whole: ${found.slice(0, 5).join(' ')}${found.length > 5 ? ` And ${found.length - 5} more.` : ''}`
}

function sizeOf(file: string): number {
  return existsSync(file) ? statSync(file).size : 0
}
