import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { ChainHead } from '../../shared/domain/journal-chain.ts'
import { jsonOf } from '../../shared/domain/json.ts'
import type { Pieces } from '../../shared/domain/pieces.ts'
import { RunKind } from '../../shared/domain/plan.ts'
import { failed, ok, type Result } from '../../shared/domain/result.ts'
import { type RunEvent, RunEventBody } from '../../shared/domain/run.ts'
import { because } from '../../shared/words/reasons.ts'
import { refusal } from '../../shared/words/refusal.ts'
import { type Clock, isoNow } from '../platform/clock/clock.ts'
import type { RunRow } from '../ports/journal.ts'
import { databaseFailureOf, databaseResult, describeDatabaseError } from './database-trouble.ts'
import { linkReader, newestOf } from './entry-reader.ts'

export interface RunReader {
  /** The link of a run's newest event; null if there is no such run. */
  headOf(runId: string): ChainHead | null
  holds(head: ChainHead): boolean
  /** Events of a run in order; `damaged` names the first unreadable one. */
  events(runId: string): Result<readonly RunEvent[]>
  /** The same with rests in between, up to the event with this number. */
  eventsInPieces(runId: string, upTo: number): Pieces<Result<readonly RunEvent[]>>
  row(runId: string): RunRow | null
  /** Events of all runs after this number that were written here, at most `limit`; an unreadable one is null. */
  eventsAfter(seq: number, limit: number): readonly { readonly seq: number; readonly event: RunEvent | null }[]
  /** A number that changes only when another process writes to the journal; cheap to read. */
  writesOfOthers(): number
  readonly seqWhenOpened: number
  rows(filter: RunFilter): Result<readonly ListedRow[]>
  runOfPlan(planId: string): string | null
  /** Runs whose last event is a hand-over, newest first; `lastSeq`: the number of that event. */
  handedOver(): Result<readonly { readonly id: string; readonly lastSeq: number }[]>
  idsBeginningWith(prefix: string): readonly string[]
}

export interface RunFilter {
  readonly cluster: string | null
  readonly node?: string | undefined
  readonly limit?: number | undefined
}

/** A run of a list; folds of it stay valid while `lastSeq` is the same. */
export interface ListedRow extends RunRow {
  readonly kind: RunKind
  readonly createdAt: string
  readonly lastSeq: number
  readonly finished: boolean
}

export function runReader(database: DatabaseSync, path: string, clock: Clock): RunReader {
  const links = linkReader(database)
  const events = database.prepare('SELECT seq, at, body FROM events WHERE run_id = ? ORDER BY seq')
  const page = database.prepare(
    `SELECT seq, at, body FROM events WHERE run_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ${EVENTS_AT_ONCE}`,
  )
  const row = database.prepare(`SELECT ${DRIVEN} FROM runs WHERE id = ?`)
  const rows = database.prepare(ROWS)
  const last = database.prepare(LAST_EVENT)
  const dataVersion = database.prepare('PRAGMA data_version')
  const eventsAfter = database.prepare(EVENTS_AFTER)
  const ids = database.prepare("SELECT id FROM runs WHERE id LIKE ? ESCAPE '\\' LIMIT 20")
  const ofPlan = database.prepare(RUN_OF_PLAN)
  const handedOver = database.prepare(HANDED_OVER)
  return {
    headOf: runId => {
      const seq = last.get(runId)?.last_seq
      return seq === undefined ? null : links.of('run-event', Number(seq))
    },
    holds: ({ seq, hash }) => links.at(seq)?.hash === hash,
    events: runId => {
      const read = databaseResult(path, () => events.all(runId))
      return read.ok ? eventsFrom(runId, read.value, path) : read
    },
    *eventsInPieces(runId, upTo) {
      const read: RunEvent[] = []
      for (;;) {
        const rows = databaseResult(path, () => page.all(runId, read.at(-1)?.seq ?? 0, upTo))
        if (!rows.ok) return rows
        const next = eventsFrom(runId, rows.value, path)
        if (!next.ok) return next
        read.push(...next.value)
        if (rows.value.length < EVENTS_AT_ONCE) return ok(read)
        yield
      }
    },
    row: runId => rowFrom(row.get(runId)),
    eventsAfter: (seq, limit) =>
      eventsAfter.all(seq, limit).map(each => ({ seq: Number(each.seq), event: eventFrom(String(each.run_id), each) })),
    writesOfOthers: () => Number(dataVersion.get()?.data_version),
    seqWhenOpened: newestOf(database, 'events'),
    rows: ({ cluster, node = null, limit = -1 }) => {
      const filter = { cluster, node, limit, now: isoNow(clock) }
      try {
        return ok(rows.all(filter).flatMap(each => listedFrom(each) ?? []))
      } catch (error) {
        if (databaseFailureOf(error) === 'damaged') return rowsOfDamaged(database, path, filter)
        return failed(describeDatabaseError(error, path))
      }
    },
    runOfPlan: planId => {
      const found = ofPlan.get(planId)
      return found === undefined ? null : String(found.id)
    },
    handedOver: () =>
      databaseResult(path, () =>
        handedOver.all().map(each => ({ id: String(each.id), lastSeq: Number(each.last_seq) })),
      ),
    idsBeginningWith: prefix => ids.all(likePrefix(prefix)).map(each => String(each.id)),
  }
}

/** The pattern of SQL's LIKE, with `\` as its escape, for texts that begin with a prefix. */
export function likePrefix(prefix: string): string {
  return `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`
}

/** Run by run, so that damage to one does not hide the others. */
function rowsOfDamaged(
  database: DatabaseSync,
  path: string,
  filter: {
    readonly cluster: string | null
    readonly node: string | null
    readonly limit: number
    readonly now: string
  },
): Result<readonly ListedRow[]> {
  return databaseResult(path, () => {
    const last = database.prepare(LAST_EVENT)
    const lastOf = (runId: string) => {
      try {
        return last.get(runId) ?? {}
      } catch {
        return {}
      }
    }
    const rows = database.prepare(ROWS_WITHOUT_EVENTS).all(filter)
    return rows.flatMap(row => listedFrom({ ...row, ...lastOf(String(row.id)) }) ?? [])
  })
}

/** Events between two yields: some milliseconds. */
const EVENTS_AT_ONCE = 100

const DRIVEN = 'id, cluster, node, machine, pid, boot_id, driver_id, epoch, heartbeat_at'

// Runs of one journal follow each other in the order of writing, regardless of the clock; imported runs are placed by their times.
// A future time is wrong: such a run takes the place of the previous or the next one.
const ROWS = `WITH imports AS MATERIALIZED (
    SELECT seq, json_extract(body, '$.events[0]') AS first, json_extract(body, '$.events[1]') AS last FROM edits
    WHERE cluster = '' AND CASE WHEN json_valid(body) THEN json_extract(body, '$.kind') = 'import' END
  ), begun AS (
    SELECT id AS of_run, CASE WHEN created_at <= :now THEN created_at END AS at, (SELECT MIN(seq) FROM events WHERE run_id = runs.id) AS number FROM runs
    WHERE (:cluster IS NULL OR cluster = :cluster) AND (:node IS NULL OR node = :node)
  ), placed AS (
    SELECT of_run, number, at, (SELECT imports.seq FROM imports WHERE number BETWEEN imports.first AND imports.last) AS part FROM begun
  ), since_begun AS (
    SELECT of_run, number, COALESCE(
      MAX(at) OVER (PARTITION BY part ORDER BY number),
      MIN(at) OVER (PARTITION BY part ORDER BY number ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING),
      :now
    ) AS since FROM placed
  )
  SELECT ${DRIVEN}, kind, created_at, last.seq AS last_seq,
    CASE WHEN json_valid(last.body) THEN json_extract(last.body, '$.kind') = 'run-finished' ELSE 0 END AS finished
  FROM since_begun JOIN runs ON id = of_run JOIN events AS last ON last.seq = (SELECT MAX(seq) FROM events WHERE run_id = of_run)
  ORDER BY since DESC, number DESC LIMIT :limit`

const ROWS_WITHOUT_EVENTS = `SELECT ${DRIVEN}, kind, created_at, 0 AS last_seq, 0 AS finished FROM runs
  WHERE (:cluster IS NULL OR cluster = :cluster) AND (:node IS NULL OR node = :node)
  ORDER BY MIN(created_at, :now) DESC, runs.rowid DESC LIMIT :limit`

const LAST_EVENT = `SELECT seq AS last_seq, CASE WHEN json_valid(body) THEN json_extract(body, '$.kind') = 'run-finished' ELSE 0 END AS finished
  FROM events WHERE run_id = ? ORDER BY seq DESC LIMIT 1`

// Imported entries are history, not news.
const EVENTS_AFTER = `SELECT seq, run_id, at, body FROM events WHERE seq > ? AND NOT EXISTS (
    SELECT 1 FROM edits WHERE cluster = '' AND json_valid(edits.body) AND json_extract(edits.body, '$.kind') = 'import'
      AND events.seq BETWEEN json_extract(edits.body, '$.events[0]') AND json_extract(edits.body, '$.events[1]')
  ) ORDER BY seq LIMIT ?`

// Reads only the first event of each run.
const RUN_OF_PLAN = `SELECT runs.id FROM runs JOIN events AS first ON first.seq = (SELECT MIN(seq) FROM events WHERE run_id = runs.id)
  WHERE CASE WHEN json_valid(first.body) THEN json_extract(first.body, '$.plan.id') END = ? ORDER BY first.seq LIMIT 1`

const HANDED_OVER = `SELECT runs.id, last.seq AS last_seq FROM runs JOIN events AS last ON last.seq = (SELECT MAX(seq) FROM events WHERE run_id = runs.id)
  WHERE CASE WHEN json_valid(last.body) THEN json_extract(last.body, '$.kind') = 'hand-over-announced'
    OR (json_extract(last.body, '$.kind') = 'run-finished' AND json_extract(last.body, '$.outcome') = 'handed-over') END
  ORDER BY last.seq DESC`

const Row = z.object({
  id: z.string(),
  cluster: z.string(),
  node: z.string(),
  machine: z.string(),
  pid: z.number(),
  boot_id: z.string().nullable(),
  driver_id: z.string(),
  epoch: z.number(),
  heartbeat_at: z.number(),
})
const Listed = Row.extend({ kind: RunKind, created_at: z.string(), last_seq: z.number(), finished: z.number() })

function rowFrom(row: unknown): RunRow | null {
  const parsed = Row.safeParse(row)
  return parsed.success ? drivenFrom(parsed.data) : null
}

function listedFrom(row: unknown): ListedRow | null {
  const parsed = Listed.safeParse(row)
  if (!parsed.success) return null
  const { kind, created_at: createdAt, last_seq: lastSeq, finished, ...driven } = parsed.data
  return { ...drivenFrom(driven), kind, createdAt, lastSeq, finished: finished === 1 }
}

function drivenFrom({
  heartbeat_at: heartbeatAtMs,
  boot_id: bootId,
  driver_id: driverId,
  ...rest
}: z.infer<typeof Row>) {
  return { ...rest, bootId, driverId, heartbeatAtMs }
}

function eventFrom(runId: string, row: Record<string, unknown>): RunEvent | null {
  const body = RunEventBody.safeParse(jsonOf(String(row.body)))
  return body.success ? { seq: Number(row.seq), runId, at: String(row.at), body: body.data } : null
}

function eventsFrom(
  runId: string,
  rows: readonly Record<string, unknown>[],
  path: string,
): Result<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for (const row of rows) {
    const body = RunEventBody.safeParse(jsonOf(String(row.body)))
    if (!body.success) return failed(unreadableEvent(runId, Number(row.seq), path, body.error))
    events.push({ seq: Number(row.seq), runId, at: String(row.at), body: body.data })
  }
  return ok(events)
}

function unreadableEvent(runId: string, seq: number, path: string, { issues }: z.ZodError) {
  return refusal('damaged', because('RunEventUnreadable', { path, run: runId, seq }), {
    target: `run/${runId}`,
    detail: issues
      .slice(0, 3)
      .map(issue => `${issue.path.join('.')}: ${issue.message}`)
      .join('; '),
  })
}
