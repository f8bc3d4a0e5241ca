import { z } from 'zod'
import { MeasuredNode, RecurringBlocker } from '../domain/history.ts'
import { ChainHead, ChainVerdict } from '../domain/journal-chain.ts'
import { CsvTable, ReportFormat, ReportSubject, ReportVerdict, Signature } from '../domain/report.ts'
import { RunSummary } from './run.ts'
import { ListedWindow } from './windows.ts'

/** A report as a file to be saved. */
export const ReportFile = z.strictObject({
  /** A name for it, without a folder. */
  name: z.string(),
  mediaType: z.string(),
  encoding: z.enum(['utf8', 'base64']),
  content: z.string(),
  /** The hash of the journal's range it stands on. */
  hash: z.string(),
})
export type ReportFile = z.infer<typeof ReportFile>

/** A run in the history, with the window it belongs to. */
export const HistoryRun = RunSummary.extend({ windowId: z.string().nullable() })
export type HistoryRun = z.infer<typeof HistoryRun>

/** The journal as a file, and how it stands. */
export const JournalStatus = z.strictObject({
  path: z.string(),
  schema: z.number().int(),
  /** Why nothing can be written; null: it can. */
  readOnly: z.string().nullable(),
  bytes: z.number(),
  /** How much room its disk has left; null: the disk does not tell. */
  roomBytes: z.number().nullable(),
  runs: z.number().int(),
  windows: z.number().int(),
  entries: z.number().int(),
  oldestAt: z.string().nullable(),
  /** The last link of the chain. */
  head: ChainHead.nullable(),
  /** By whose key the head is signed (docs/decisions/0028); null: this installation has none. */
  signed: Signature.nullable(),
})
export type JournalStatus = z.infer<typeof JournalStatus>

/** What retention removed, or would remove. */
export const PruneAnswer = z.strictObject({
  before: z.string(),
  runs: z.number().int(),
  windows: z.number().int(),
  entries: z.number().int(),
  /** Where what was removed was kept before; null of a dry run. */
  archive: z.string().nullable(),
})
export type PruneAnswer = z.infer<typeof PruneAnswer>

export const reportRequests = {
  /** Makes the report of a run or a window in one format. `conflict` with words where this machine cannot print a PDF. */
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
  /** Verifies a report (JSON or HTML) by itself, and against this journal where it holds the same entries. */
  /** `key`: the fingerprint of the key that has to have signed it. */
  'report.verify': {
    effect: 'read',
    input: z.strictObject({ content: z.string(), key: z.string().optional() }),
    output: ReportVerdict,
  },
  /** Runs and windows of all clusters, newest first; `text` is looked for in clusters, nodes, operators, titles, tickets, summaries and ids. */
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
  /** What was measured of every node, oldest first. */
  'history.durations': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable() }),
    output: z.strictObject({ measured: z.array(MeasuredNode), unreadable: z.array(z.string()) }),
  },
  /** Checks that stood in the way, most often first. */
  'history.blockers': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable() }),
    output: z.array(RecurringBlocker),
  },
  'journal.status': { effect: 'read', input: z.strictObject({}), output: JournalStatus },
  /** Recomputes the whole chain and asks SQLite to look at every page. */
  'journal.check': {
    effect: 'read',
    /** `head`: a hash that was written down elsewhere, or `number:hash`: whether the chain contains it. */
    input: z.strictObject({ head: z.string().optional() }),
    output: z.strictObject({
      chain: ChainVerdict,
      database: z.array(z.string()),
      /** Null: none was asked about. `after`: how many entries follow it. */
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
  /** Goes on with a journal of which something known is gone, and keeps who did and why. `conflict` when nothing is. */
  'journal.accept': {
    effect: 'write',
    input: z.strictObject({ reason: z.string().min(1) }),
    output: z.strictObject({ head: ChainHead, words: z.string() }),
  },
  /**
   * Writes a whole, consistent copy; a file that is there is never overwritten. From a page `path` is the name of a file in the folder of exports
   * inside the data directory; only a terminal may name any other place.
   */
  'journal.export': {
    effect: 'write',
    input: z.strictObject({ path: z.string().min(1) }),
    output: z.strictObject({ path: z.string(), bytes: z.number(), runs: z.number().int(), head: z.string() }),
  },
  /** Takes over runs and windows of another journal that are not here yet; that file is only read. */
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
