import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

/** Who cared for the journal. */
export interface Carer {
  readonly operator: string
  readonly machine: string
}

/** What was taken over from another journal: like retention's record, an entry among the edits of no cluster. */
export const ImportRecord = z.strictObject({
  kind: z.literal('import'),
  operator: z.string(),
  machine: z.string(),
  file: z.string(),
  /** The head of that file's chain; null: it was written before there was a chain. */
  head: z.string().nullable(),
  runs: z.array(z.string()),
  /** First and last number that its run events got here: they are history, not news. */
  events: z.tuple([z.number().int(), z.number().int()]).nullable(),
  windows: z.array(z.string()),
})
export type ImportRecord = z.infer<typeof ImportRecord>

/** That somebody went on with a journal of which something known was gone. */
export const AcceptRecord = z.strictObject({
  kind: z.literal('accept'),
  operator: z.string(),
  machine: z.string(),
  reason: z.string(),
  /** What was gone, in words. */
  lost: z.string(),
})
export type AcceptRecord = z.infer<typeof AcceptRecord>

/** Each time somebody did, oldest first. */
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

/** Keeps a record of care in the chain; answers its number among the edits. */
export function keepCareRecord(database: DatabaseSync, at: string, record: { readonly kind: string }): number {
  return Number(
    database
      .prepare("INSERT INTO edits (at, cluster, node, body) VALUES (?, '', NULL, ?)")
      .run(at, JSON.stringify(record)).lastInsertRowid,
  )
}
