import { z } from 'zod'
import { CODED } from '../domain/coded.ts'
import { ChainHead, ChainLink, JournalEntry } from '../domain/journal-chain.ts'
import { AgreedAnswer, MaintenanceRunPhase, ResumePolicy } from '../domain/maintenance-run.ts'
import { RunKind } from '../domain/plan.ts'

export const RunnerOfRun = z.strictObject({
  name: z.string(),
  namespace: z.string(),
  by: z.string(),
  asOf: z.string(),
  /** False if the shown state is from `asOf` and may have changed. */
  connected: z.boolean(),
  /** Null if unknown. */
  object: z.string().nullable(),
})
export type RunnerOfRun = z.infer<typeof RunnerOfRun>

/** The digest does not cover the cluster; null if its key or body contains it. */
export const StretchEntry = JournalEntry.extend({ cluster: z.string().nullable() })
export type StretchEntry = z.infer<typeof StretchEntry>

/** Link by link. A link without its entry: retention removed the entry. */
export const JournalStretch = z.strictObject({ links: z.array(ChainLink), entries: z.array(StretchEntry) })
export type JournalStretch = z.infer<typeof JournalStretch>

export const RunnerDescription = z.strictObject({
  version: z.string(),
  machine: z.string(),
  clouds: z.array(z.string()),
  /** Unique for each journal; null if the journal is empty. */
  first: ChainHead.nullable(),
  head: ChainHead.nullable(),
})
export type RunnerDescription = z.infer<typeof RunnerDescription>

export const RunnerStatus = z.strictObject({
  by: z.string(),
  namespace: z.string(),
  /** Null if its pod was not found. */
  name: z.string().nullable(),
  clouds: z.array(z.string()),
  connection: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('connected'), since: z.string() }),
    /** `asOf` null: it never answered. */
    z.strictObject({ kind: z.literal('lost'), why: z.string(), ...CODED, asOf: z.string().nullable() }),
    z.strictObject({ kind: z.literal('absent'), why: z.string(), ...CODED }),
  ]),
})
export type RunnerStatus = z.infer<typeof RunnerStatus>

export const RunnerOffer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('offered'),
    by: z.string(),
    namespace: z.string(),
    runner: z.string(),
    /** The author by the API server; null if the server does not say, so only this operator's word counts. */
    as: z.string().nullable(),
    proved: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('not-offered'), why: z.string(), ...CODED }),
])
export type RunnerOffer = z.infer<typeof RunnerOffer>

export const SubmittedRun = z.strictObject({
  by: z.string(),
  namespace: z.string(),
  object: z.string(),
  phase: z.string(),
  message: z.string(),
  ...CODED,
  /** Null if not started. */
  runId: z.string().nullable(),
  mirrored: z.boolean(),
  over: z.boolean(),
})
export type SubmittedRun = z.infer<typeof SubmittedRun>

export const AskedRun = z.strictObject({
  by: z.string(),
  namespace: z.string(),
  object: z.string(),
  /** Null if this version cannot read the request; the message says so. */
  kind: RunKind.nullable(),
  cluster: z.string().nullable(),
  confirmedBy: z.string().nullable(),
  /** Null also for a run over many nodes. */
  node: z.string().nullable(),
  /** Null if no runner has read it, or its status is unreadable here; the message says which. */
  phase: MaintenanceRunPhase.nullable(),
  message: z.string(),
  ...CODED,
  /** Earliest start, latest end (ISO), and the campaign that decides the start; null if there is none. */
  startAfter: z.string().nullable(),
  notAfter: z.string().nullable(),
  campaign: z.string().nullable(),
  /** The running run that it hands over; null means a new one. */
  handedOver: z.string().nullable(),
  askedAt: z.string(),
  /** Null if not started, or unknown. */
  runId: z.string().nullable(),
  mirrored: z.boolean(),
  over: z.boolean(),
})
export type AskedRun = z.infer<typeof AskedRun>

/** MaintenanceRuns of known runners; where some could not be read, there may be others. */
export const AskedRuns = z.strictObject({
  runs: z.array(AskedRun),
  unread: z.array(z.strictObject({ by: z.string(), namespace: z.string(), why: z.string(), ...CODED })),
})
export type AskedRuns = z.infer<typeof AskedRuns>

export const attachRequests = {
  'attach.describe': { effect: 'read', input: z.strictObject({}), output: RunnerDescription },
  /** The journal after this link of its chain (0: from its beginning), up to one answer's size; no links: the end. */
  'attach.stretch': {
    effect: 'read',
    input: z.strictObject({ after: z.number().int().nonnegative(), limit: z.number().int().min(1).max(2000) }),
    output: JournalStretch,
  },
  /** With a cluster, also searches for a runner there, and waits a moment for answers. */
  'runner.list': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable() }),
    output: z.array(RunnerStatus),
  },
  'runner.offer': { effect: 'read', input: z.strictObject({ cluster: z.string() }), output: RunnerOffer },
  /** Creates a MaintenanceRun for the shown plan. A repeated request creates no second one. */
  'runner.submit': {
    effect: 'write',
    input: z.strictObject({
      planId: z.string(),
      typedCluster: z.string().optional(),
      windowId: z.string().optional(),
      outsideWindow: z.string().min(1).optional(),
      /** Earliest start, and the time by which every started node would finish (ISO). */
      startAfter: z.iso.datetime({ offset: true }).optional(),
      notAfter: z.iso.datetime({ offset: true }).optional(),
      /** Agreed in advance; any other question waits for a person. */
      answers: z.array(AgreedAnswer).max(50).optional(),
      /** What the runner does with the run after a crash; absent if it resumes. */
      resumePolicy: ResumePolicy.optional(),
      campaign: z.string().min(1).optional(),
    }),
    output: SubmittedRun,
  },
  /** The runner continues a paused or undriven run of this console under the same id. */
  'runner.hand-over': {
    effect: 'journaled',
    input: z.strictObject({
      runId: z.string(),
      typedCluster: z.string().optional(),
      notAfter: z.iso.datetime({ offset: true }).optional(),
      answers: z.array(AgreedAnswer).max(50).optional(),
      resumePolicy: ResumePolicy.optional(),
    }),
    output: SubmittedRun,
  },
  'runner.submitted': {
    effect: 'read',
    input: z.strictObject({ by: z.string(), namespace: z.string(), object: z.string() }),
    output: SubmittedRun,
  },
  /**
   * MaintenanceRuns without a run here, newest first, without this console's own hand-overs. `object`: also started ones whose name starts with it.
   */
  'runner.asked': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable(), object: z.string().min(1).optional() }),
    output: AskedRuns,
  },
  /** Withdraws a MaintenanceRun that has not started. A refusal is a failure. */
  'runner.withdraw': {
    effect: 'write',
    input: z.strictObject({ by: z.string(), namespace: z.string(), object: z.string(), reason: z.string() }),
    output: z.strictObject({ message: z.string() }),
  },
} as const

export const attachEvents = {
  /** A runner was reached or lost, or its runs changed: read the lists of runs again. */
  'runner.changed': z.strictObject({ by: z.string(), namespace: z.string() }),
} as const
