import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { failure } from '../../shared/domain/failure.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { type Clock, isoNow } from '../clock/clock.ts'
import { type Carer, keepCareRecord } from './care-records.ts'
import { checkChain } from './chain-check.ts'
import { describeDatabaseError } from './database-trouble.ts'
import { ENTRY_TABLES, tableOf } from './entry-tables.ts'
import { exportJournal } from './export-journal.ts'
import { linkReader } from './link-reader.ts'
import { entriesIn, planRetention, type RetentionPlan } from './retention-plan.ts'
import { type RetentionRecord, stretchesOf } from './retention-records.ts'

/** What retention removed, or would remove. */
export interface Pruned {
  readonly before: string
  readonly runs: number
  readonly windows: number
  readonly entries: number
  /** Where what was removed was kept before; null: nothing was removed. */
  readonly archive: string | null
}

/**
 * Removes what ended before a time (docs/decisions/0022). First a whole copy is written beside the journal and its chain verified; then record
 * and removal are one transaction, so that a crash leaves either everything or what the record says. Links of the chain stay.
 */
export function pruneJournal(
  database: DatabaseSync,
  path: string,
  clock: Clock,
  wish: { readonly before: string; readonly dryRun: boolean; readonly by: Carer },
): Result<Pruned> {
  const { before, dryRun, by } = wish
  try {
    const verdict = checkChain(database)
    if (verdict.kind === 'broken') {
      return failed(
        failure(
          'damaged',
          `Nothing was removed from the journal ${path}: its chain is broken, and what is removed now could never be told from what is missing. ${verdict.words} \`lockkeeper journal check\` says more.`,
          { target: path },
        ),
      )
    }
    const plan = planRetention(database, before)
    if (dryRun || entriesIn(plan) === 0) return ok(pruned(before, plan, null))
    const archive = join(dirname(path), `journal-${isoNow(clock).replaceAll(/[:.]/g, '-')}.db`)
    const exported = exportJournal(database, archive)
    if (!exported.ok) return exported
    const sound = verified(archive)
    if (!sound.ok) {
      rmSync(archive, { force: true })
      return sound
    }
    const removed = remove(database, before, sound.value, archive, by, isoNow(clock))
    giveBackRoom(database)
    return ok(pruned(before, removed, archive))
  } catch (error) {
    return failed(describeDatabaseError(error, path))
  }
}

/** The number of the last link in a copy whose chain holds. */
function verified(archive: string): Result<number> {
  const copy = new DatabaseSync(archive, { readOnly: true })
  try {
    const verdict = checkChain(copy)
    if (verdict.kind === 'holds') return ok(verdict.links)
    return failed(
      failure('damaged', `Nothing was removed: the copy ${archive} could not be verified. ${verdict.words}`, {
        target: archive,
      }),
    )
  } finally {
    copy.close()
  }
}

/** Removes what the copy holds; what was written since stays, whatever it is. */
function remove(
  database: DatabaseSync,
  before: string,
  archived: number,
  archive: string,
  { operator, machine }: Carer,
  at: string,
): RetentionPlan {
  database.exec('BEGIN IMMEDIATE')
  try {
    const plan = planRetention(database, before)
    const links = linkReader(database)
    const removed = [...plan.entries].map(([source, seqs]) => {
      const late = seqs.find(seq => (links.of(source, seq)?.seq ?? Number.POSITIVE_INFINITY) > archived)
      if (late !== undefined) throw new Error(`${source} ${late} was written after the copy was made; try again`)
      return { source, ranges: stretchesOf(seqs) }
    })
    const record: RetentionRecord = {
      kind: 'retention',
      operator,
      machine,
      before,
      archive,
      runs: [...plan.runs],
      windows: [...plan.windows],
      removed: removed.filter(({ ranges }) => ranges.length > 0),
    }
    keepCareRecord(database, at, record)
    withoutDeleteRules(database, () => {
      const ofRun = [
        'DELETE FROM controls WHERE run_id = ?',
        'DELETE FROM events WHERE run_id = ?',
        'DELETE FROM runs WHERE id = ?',
      ]
      for (const sql of ofRun) {
        const statement = database.prepare(sql)
        for (const id of plan.runs) statement.run(id)
      }
      for (const source of ['window-event', 'edit', 'observation'] as const) {
        const statement = database.prepare(`DELETE FROM ${tableOf(source).table} WHERE seq = ?`)
        for (const seq of plan.entries.get(source) ?? []) statement.run(seq)
      }
    })
    database.exec('COMMIT')
    return plan
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** The rules that entries are never deleted are put aside for the work, within its transaction: nobody else ever sees the journal without them. */
function withoutDeleteRules(database: DatabaseSync, work: () => void): void {
  const rules = ENTRY_TABLES.flatMap(({ table }) =>
    database
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?")
      .all(`${table}_are_never_deleted`),
  )
  for (const { name } of rules) database.exec(`DROP TRIGGER ${String(name)}`)
  work()
  for (const { sql } of rules) database.exec(String(sql))
}

/** What was removed leaves the file too; while others read or write, its room is used for what comes instead. */
function giveBackRoom(database: DatabaseSync): void {
  try {
    database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // Not now: the record and the removal stand.
  }
}

function pruned(before: string, plan: RetentionPlan, archive: string | null): Pruned {
  return {
    before,
    runs: plan.runs.length,
    windows: plan.windows.length,
    entries: entriesIn(plan),
    archive,
  }
}
