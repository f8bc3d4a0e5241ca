import { z } from 'zod'
import { CODED } from '../domain/coded.ts'
import { ChainHead, ChainLink, JournalEntry } from '../domain/journal-chain.ts'
import { AgreedAnswer, MaintenanceRunPhase, ResumePolicy } from '../domain/maintenance-run.ts'
import { RunKind } from '../domain/plan.ts'

export const RunnerOfRun = z.strictObject({
  /** Its pod. */
  name: z.string(),
  namespace: z.string(),
  /** The registered cluster with its API server. */
  by: z.string(),
  /** Its last answer (ISO). */
  asOf: z.string(),
  /** False: the shown state is from then and may have changed. */
  connected: z.boolean(),
  /** The MaintenanceRun that requested it; null: unknown. */
  object: z.string().nullable(),
})
export type RunnerOfRun = z.infer<typeof RunnerOfRun>

/** An entry of a journal with its cluster, which its digest does not cover; null: its key or body contains it. */
export const StretchEntry = JournalEntry.extend({ cluster: z.string().nullable() })
export type StretchEntry = z.infer<typeof StretchEntry>

/** A range of a journal, link by link. A link without its entry: retention removed the entry. */
export const JournalStretch = z.strictObject({ links: z.array(ChainLink), entries: z.array(StretchEntry) })
export type JournalStretch = z.infer<typeof JournalStretch>

export const RunnerDescription = z.strictObject({
  version: z.string(),
  machine: z.string(),
  clouds: z.array(z.string()),
  /** The first link of its journal, unique for each journal; null: the journal is empty. */
  first: ChainHead.nullable(),
  head: ChainHead.nullable(),
})
export type RunnerDescription = z.infer<typeof RunnerDescription>

export const RunnerStatus = z.strictObject({
  by: z.string(),
  namespace: z.string(),
  /** Its pod; null: not found. */
  name: z.string().nullable(),
  clouds: z.array(z.string()),
  connection: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('connected'), since: z.string() }),
    /** `asOf`: its last answer; null: never. */
    z.strictObject({ kind: z.literal('lost'), why: z.string(), ...CODED, asOf: z.string().nullable() }),
    /** No runner exists, or this user can reach none: no mirror of one exists. */
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
    /** The requesting user, by the API server's name; null: it does not say, and this operator's own word counts. */
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
  /** The run in the runner's journal; null: not started. */
  runId: z.string().nullable(),
  /** Whether the console's mirror has the run: it can be shown. */
  mirrored: z.boolean(),
  over: z.boolean(),
})
export type SubmittedRun = z.infer<typeof SubmittedRun>

export const AskedRun = z.strictObject({
  by: z.string(),
  namespace: z.string(),
  object: z.string(),
  /** The first three are null if this version cannot read the request; the message says so. */
  kind: RunKind.nullable(),
  cluster: z.string().nullable(),
  confirmedBy: z.string().nullable(),
  /** Null also for a run over many nodes. */
  node: z.string().nullable(),
  /** Null: no runner has read it, or its status is unreadable here; the message says which. */
  phase: MaintenanceRunPhase.nullable(),
  message: z.string(),
  ...CODED,
  /** Earliest start, latest end of nodes to start (ISO), and the campaign that decides the start; null: none. */
  startAfter: z.string().nullable(),
  notAfter: z.string().nullable(),
  campaign: z.string().nullable(),
  /** The running run that it hands over; null: it requests a new one. */
  handedOver: z.string().nullable(),
  /** The time of the request (ISO). */
  askedAt: z.string(),
  /** The run in the runner's journal; null: not started, or unknown. */
  runId: z.string().nullable(),
  /** Whether this console has that run: its journal then has the details. */
  mirrored: z.boolean(),
  over: z.boolean(),
})
export type AskedRun = z.infer<typeof AskedRun>

/** MaintenanceRuns of the known runners, and where they could not be read: there may be others. */
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
  /** The runners this console knows. With a cluster, also searches for one there, and waits a moment for pending answers. */
  'runner.list': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable() }),
    output: z.array(RunnerStatus),
  },
  'runner.offer': { effect: 'read', input: z.strictObject({ cluster: z.string() }), output: RunnerOffer },
  /** Asks a runner to carry out the shown plan: creates a MaintenanceRun. A repeated request creates no second one. */
  'runner.submit': {
    effect: 'write',
    input: z.strictObject({
      planId: z.string(),
      /** As in `run.start`. */
      typedCluster: z.string().optional(),
      windowId: z.string().optional(),
      outsideWindow: z.string().min(1).optional(),
      /** Earliest start, and the time by which every started node would finish (ISO). */
      startAfter: z.iso.datetime({ offset: true }).optional(),
      notAfter: z.iso.datetime({ offset: true }).optional(),
      /** Answers agreed in advance; any other question waits for a person. */
      answers: z.array(AgreedAnswer).max(50).optional(),
      /** Whether the runner resumes the run after a crash; yes by default. */
      resumePolicy: ResumePolicy.optional(),
      /** The campaign that decides when it starts; absent: it starts without one. */
      campaign: z.string().min(1).optional(),
    }),
    output: SubmittedRun,
  },
  /** Hands a paused or undriven run of this console over to the runner of its cloud, which continues it under the same id. */
  'runner.hand-over': {
    effect: 'journaled',
    input: z.strictObject({
      runId: z.string(),
      /** As in `runner.submit`. */
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
   * MaintenanceRuns without a run on this console, newest first: waiting, refused or withdrawn ones. Excludes a hand-over of this console that no
   * runner took: its own journal has it. With a cluster, only that cluster's. With `object`, those whose name starts with it, including those that
   * became a run. Waits a few seconds at most for slow runners.
   */
  'runner.asked': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable(), object: z.string().min(1).optional() }),
    output: AskedRuns,
  },
  /** Asks a runner to withdraw a MaintenanceRun that it has not started, and returns its answer: a refusal is a failure. */
  'runner.withdraw': {
    effect: 'write',
    input: z.strictObject({ by: z.string(), namespace: z.string(), object: z.string(), reason: z.string() }),
    output: z.strictObject({ message: z.string() }),
  },
} as const

export const attachEvents = {
  /** A runner was reached or lost, or its runs changed: request lists of runs again. */
  'runner.changed': z.strictObject({ by: z.string(), namespace: z.string() }),
} as const
