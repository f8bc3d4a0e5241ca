import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { EntrySource } from '../../shared/domain/journal-chain.ts'

/** What retention removed: an entry among the edits, of no cluster, so that no list of edits shows it (docs/decisions/0022). */
export const RetentionRecord = z.strictObject({
  kind: z.literal('retention'),
  operator: z.string(),
  machine: z.string(),
  before: z.string(),
  archive: z.string(),
  runs: z.array(z.string()),
  windows: z.array(z.string()),
  removed: z.array(
    z.strictObject({ source: EntrySource, ranges: z.array(z.tuple([z.number().int(), z.number().int()])) }),
  ),
})
export type RetentionRecord = z.infer<typeof RetentionRecord>

export function retentionRecords(
  database: DatabaseSync,
): readonly { readonly seq: number; readonly at: string; readonly record: RetentionRecord }[] {
  return database
    .prepare("SELECT seq, at, body FROM edits WHERE cluster = '' AND node IS NULL ORDER BY seq")
    .all()
    .flatMap(({ seq, at, body }) => {
      const record = recordFrom(String(body))
      return record === null ? [] : [{ seq: Number(seq), at: String(at), record }]
    })
}

export function removedByRetention(
  records: readonly { readonly record: RetentionRecord }[],
): (source: EntrySource, sourceSeq: number) => boolean {
  const ranges = new Map<EntrySource, (readonly [number, number])[]>()
  for (const { record } of records) {
    for (const removed of record.removed) {
      ranges.set(removed.source, [...(ranges.get(removed.source) ?? []), ...removed.ranges])
    }
  }
  return (source, sourceSeq) =>
    (ranges.get(source) ?? []).some(([first, last]) => first <= sourceSeq && sourceSeq <= last)
}

export function stretchesOf(numbers: readonly number[]): [number, number][] {
  const stretches: [number, number][] = []
  for (const number of numbers) {
    const last = stretches.at(-1)
    if (last !== undefined && last[1] === number - 1) last[1] = number
    else stretches.push([number, number])
  }
  return stretches
}

function recordFrom(body: string): RetentionRecord | null {
  try {
    return RetentionRecord.safeParse(JSON.parse(body)).data ?? null
  } catch {
    return null
  }
}

export interface JournalOperator {
  readonly operator: string
  readonly machine: string
}

/** What was imported from another journal: like retention's record, an entry among the edits of no cluster. */
export const ImportRecord = z.strictObject({
  kind: z.literal('import'),
  operator: z.string(),
  machine: z.string(),
  file: z.string(),
  /** The head of that file's chain; null if it is older than chains. */
  head: z.string().nullable(),
  runs: z.array(z.string()),
  /** First and last number of its run events here: they are history, not news. */
  events: z.tuple([z.number().int(), z.number().int()]).nullable(),
  windows: z.array(z.string()),
})
export type ImportRecord = z.infer<typeof ImportRecord>

export const AcceptRecord = z.strictObject({
  kind: z.literal('accept'),
  operator: z.string(),
  machine: z.string(),
  reason: z.string(),
  lost: z.string(),
})
export type AcceptRecord = z.infer<typeof AcceptRecord>

export function acceptRecords(
  database: DatabaseSync,
): readonly { readonly at: string; readonly record: AcceptRecord }[] {
  return database
    .prepare(
      "SELECT at, body FROM edits WHERE cluster = '' AND json_valid(body) AND json_extract(body, '$.kind') = 'accept' ORDER BY seq",
    )
    .all()
    .flatMap(({ at, body }) => {
      const record = AcceptRecord.safeParse(JSON.parse(String(body)))
      return record.success ? [{ at: String(at), record: record.data }] : []
    })
}

export function isImported(database: DatabaseSync, runId: string): boolean {
  return (
    database
      .prepare(
        `SELECT 1 FROM edits WHERE cluster = '' AND json_valid(body) AND json_extract(body, '$.kind') = 'import'
           AND EXISTS (SELECT 1 FROM json_each(body, '$.runs') WHERE value = ?) LIMIT 1`,
      )
      .get(runId) !== undefined
  )
}

/** Stores a care record in the chain; returns its number among the edits. */
export function storeCareRecord(database: DatabaseSync, at: string, record: { readonly kind: string }): number {
  return Number(
    database
      .prepare("INSERT INTO edits (at, cluster, node, body) VALUES (?, '', NULL, ?)")
      .run(at, JSON.stringify(record)).lastInsertRowid,
  )
}
