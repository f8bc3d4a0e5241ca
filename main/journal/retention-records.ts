import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { EntrySource } from '../../shared/domain/journal-chain.ts'

/**
 * What retention took away, who did it and where it is kept: an entry among the edits (of no cluster, so that no list of edits shows it), in the
 * chain like all others. What such a record names is removed; what is gone without one is missing (docs/decisions/0022).
 */
export const RetentionRecord = z.strictObject({
  kind: z.literal('retention'),
  operator: z.string(),
  machine: z.string(),
  /** What ended before this time was removed. */
  before: z.string(),
  archive: z.string(),
  runs: z.array(z.string()),
  windows: z.array(z.string()),
  /** First and last number of each stretch that was removed. */
  removed: z.array(
    z.strictObject({ source: EntrySource, ranges: z.array(z.tuple([z.number().int(), z.number().int()])) }),
  ),
})
export type RetentionRecord = z.infer<typeof RetentionRecord>

/** The records of a journal, oldest first. */
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

/** Whether an entry was removed by retention, by these records. */
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

/** Numbers in ascending order as stretches. */
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
