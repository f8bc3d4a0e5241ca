import { z } from 'zod'
import { MeasuredNode, RecurringBlocker } from '../domain/history.ts'
import { ChainHead, ChainVerdict } from '../domain/journal-chain.ts'
import { CsvTable, ReportFormat, ReportSubject, ReportVerdict, Signature } from '../domain/report.ts'
import { RunSummary } from './run.ts'
import { ListedWindow } from './windows.ts'

export const ReportFile = z.strictObject({
  /** A name for it, without a folder. */
  name: z.string(),
  mediaType: z.string(),
  encoding: z.enum(['utf8', 'base64']),
  content: z.string(),
  hash: z.string(),
})
export type ReportFile = z.infer<typeof ReportFile>

export const HistoryRun = RunSummary.extend({ windowId: z.string().nullable() })
export type HistoryRun = z.infer<typeof HistoryRun>

export const JournalStatus = z.strictObject({
  path: z.string(),
  schema: z.number().int(),
  /** Why it is read-only; null: it is writable. */
  readOnly: z.string().nullable(),
  bytes: z.number(),
  /** Free space on its disk; null: unknown. */
  roomBytes: z.number().nullable(),
  runs: z.number().int(),
  windows: z.number().int(),
  entries: z.number().int(),
  oldestAt: z.string().nullable(),
  head: ChainHead.nullable(),
  /** The signature of the head (docs/decisions/0028); null: this installation has no key. */
  signed: Signature.nullable(),
})
export type JournalStatus = z.infer<typeof JournalStatus>

export const PruneAnswer = z.strictObject({
  before: z.string(),
  runs: z.number().int(),
  windows: z.number().int(),
  entries: z.number().int(),
  /** The earlier copy of the removed part; null: a dry run. */
  archive: z.string().nullable(),
})
export type PruneAnswer = z.infer<typeof PruneAnswer>

export const reportRequests = {
  /** Makes the report of a run or a window in one format. `conflict` with words if this machine cannot print a PDF. */
  'report.make': {
    effect: 'read',
    input: z.strictObject({
      subject: ReportSubject,
      format: ReportFormat,
      /** For `csv`. */
      table: CsvTable.default('instances'),
      redact: z.boolean(),
    }),
    output: ReportFile,
  },
  /** Verifies a report (JSON or HTML) alone, and against this journal if it contains the same entries. */
  /** `key`: the fingerprint of the required signing key. */
  'report.verify': {
    effect: 'read',
    input: z.strictObject({ content: z.string(), key: z.string().optional() }),
    output: ReportVerdict,
  },
  /** Runs and windows of all clusters, newest first; `text` is searched in clusters, nodes, operators, titles, tickets, summaries and ids. */
  'history.search': {
    effect: 'read',
    input: z.strictObject({
      cluster: z.string().nullable(),
      text: z.string(),
      from: z.string().nullable(),
      to: z.string().nullable(),
      limit: z.number().int().min(1).max(1000),
    }),
    output: z.strictObject({ runs: z.array(HistoryRun), windows: z.array(ListedWindow), more: z.boolean() }),
  },
  /** The measurements of every node, oldest first. */
  'history.durations': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable() }),
    output: z.strictObject({ measured: z.array(MeasuredNode), unreadable: z.array(z.string()) }),
  },
  /** Failed checks, the most frequent first. */
  'history.blockers': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable() }),
    output: z.array(RecurringBlocker),
  },
  'journal.status': { effect: 'read', input: z.strictObject({}), output: JournalStatus },
  /** Verifies the whole chain and lets SQLite check every page. */
  'journal.check': {
    effect: 'read',
    /** `head`: a recorded hash, or `number:hash`: whether the chain contains it. */
    input: z.strictObject({ head: z.string().optional() }),
    output: z.strictObject({
      chain: ChainVerdict,
      database: z.array(z.string()),
      /** Null: no head was given. `after`: how many entries follow it. */
      head: z
        .discriminatedUnion('kind', [
          z.strictObject({ kind: z.literal('contained'), seq: z.number().int(), after: z.number().int() }),
          z.strictObject({ kind: z.literal('missing') }),
        ])
        .nullable(),
      ok: z.boolean(),
      words: z.string(),
    }),
  },
  /** Accepts a journal with a missing part, and records who did and why. `conflict`: nothing is missing. */
  'journal.accept': {
    effect: 'write',
    input: z.strictObject({ reason: z.string().min(1) }),
    output: z.strictObject({ head: ChainHead, words: z.string() }),
  },
  /** Writes a consistent copy; never overwrites. From a page `path` is a file name in the export folder; only a terminal may name a place. */
  'journal.export': {
    effect: 'write',
    input: z.strictObject({ path: z.string().min(1) }),
    output: z.strictObject({ path: z.string(), bytes: z.number(), runs: z.number().int(), head: z.string() }),
  },
  /** Imports runs and windows of another journal that do not exist here; that file is only read. */
  'journal.import': {
    effect: 'journaled',
    input: z.strictObject({ path: z.string().min(1) }),
    output: z.strictObject({
      runs: z.number().int(),
      windows: z.number().int(),
      known: z.number().int(),
      words: z.string(),
    }),
  },
  /** Removes what ended before a day; it is exported beside the journal first, and the chain keeps its digests. */
  'journal.prune': {
    effect: 'journaled',
    input: z.strictObject({ before: z.string(), dryRun: z.boolean() }),
    output: PruneAnswer,
  },
} as const
