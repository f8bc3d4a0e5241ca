import { z } from 'zod'
import { MeasuredNode, RecurringBlocker } from '../domain/history.ts'
import { ChainHead, ChainVerdict } from '../domain/journal-chain.ts'
import { MeasuredMove } from '../domain/move-durations.ts'
import { CsvTable, ReportFormat, ReportSubject, ReportVerdict, Signature } from '../domain/report.ts'
import { RunSummary } from './run.ts'
import { ListedWindow } from './windows.ts'

export const ReportFile = z.strictObject({
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
  /** Null if the journal is writable. */
  readOnly: z.string().nullable(),
  bytes: z.number(),
  /** On its disk; null if unknown. */
  roomBytes: z.number().nullable(),
  runs: z.number().int(),
  windows: z.number().int(),
  entries: z.number().int(),
  oldestAt: z.string().nullable(),
  head: ChainHead.nullable(),
  /** The signature of the head (docs/decisions/0028); null if this installation has no key. */
  signed: Signature.nullable(),
})
export type JournalStatus = z.infer<typeof JournalStatus>

export const PruneAnswer = z.strictObject({
  before: z.string(),
  runs: z.number().int(),
  windows: z.number().int(),
  entries: z.number().int(),
  /** The copy of the removed part; null means a dry run. */
  archive: z.string().nullable(),
})
export type PruneAnswer = z.infer<typeof PruneAnswer>

export const reportRequests = {
  /** The report of a run or a window. `conflict`: this machine cannot print a PDF. */
  'report.make': {
    effect: 'read',
    input: z.strictObject({
      subject: ReportSubject,
      format: ReportFormat,
      table: CsvTable.default('instances'),
      redact: z.boolean(),
    }),
    output: ReportFile,
  },
  'report.verify': {
    effect: 'read',
    input: z.strictObject({ content: z.string(), key: z.string().optional() }),
    output: ReportVerdict,
  },
  /** Newest first; `text` is searched in clusters, nodes, operators, titles, tickets, summaries and ids. */
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
  'history.durations': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable() }),
    output: z.strictObject({ measured: z.array(MeasuredNode), unreadable: z.array(z.string()) }),
  },
  /** Completed live migrations of a cluster by its recent runs, for the usual time of one. */
  'history.moves': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string() }),
    output: z.strictObject({ moves: z.array(MeasuredMove) }),
  },
  'history.blockers': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable() }),
    output: z.array(RecurringBlocker),
  },
  'journal.status': { effect: 'read', input: z.strictObject({}), output: JournalStatus },
  /** Verifies the whole chain and lets SQLite check every page. */
  'journal.check': {
    effect: 'read',
    /** A recorded hash, or `number:hash`: whether the chain contains it. */
    input: z.strictObject({ head: z.string().optional() }),
    output: z.strictObject({
      chain: ChainVerdict,
      database: z.array(z.string()),
      /** Null if no head was given. `after`: how many entries follow it. */
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
  /** Writes a consistent copy, never over a file. From a page `path` is a file name in the export folder; only a terminal may name a place. */
  'journal.export': {
    effect: 'write',
    input: z.strictObject({ path: z.string().min(1) }),
    output: z.strictObject({ path: z.string(), bytes: z.number(), runs: z.number().int(), head: z.string() }),
  },
  /** Runs and windows of another journal that do not exist here; that file is only read. */
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
  /** Removes what ended before a day, after an export beside the journal; the chain keeps its digests. */
  'journal.prune': {
    effect: 'journaled',
    input: z.strictObject({ before: z.string(), dryRun: z.boolean() }),
    output: PruneAnswer,
  },
} as const
