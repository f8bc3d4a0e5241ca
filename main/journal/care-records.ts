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

/** Keeps a record of care in the chain; answers its number among the edits. */
export function keepCareRecord(database: DatabaseSync, at: string, record: { readonly kind: string }): number {
  return Number(
    database
      .prepare("INSERT INTO edits (at, cluster, node, body) VALUES (?, '', NULL, ?)")
      .run(at, JSON.stringify(record)).lastInsertRowid,
  )
}
