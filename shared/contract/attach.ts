import { z } from 'zod'
import { CODED } from '../domain/coded.ts'
import { ChainHead, ChainLink, JournalEntry } from '../domain/journal-chain.ts'
import { AgreedAnswer, MaintenanceRunPhase, ResumePolicy } from '../domain/maintenance-run.ts'
import { RunKind } from '../domain/plan.ts'

/** Where a run is driven that this console only mirrors: a runner in a cluster. */
export const RunnerOfRun = z.strictObject({
  /** Its pod. */
  name: z.string(),
  namespace: z.string(),
  /** The registered cluster by whose API server it is reached. */
  by: z.string(),
  /** When it was heard last (ISO). */
  asOf: z.string(),
  /** False: what is shown is of then, and may be otherwise now. */
  connected: z.boolean(),
  /** The MaintenanceRun that asked for it; null: not known. */
  object: z.string().nullable(),
})
export type RunnerOfRun = z.infer<typeof RunnerOfRun>

/** An entry of a journal with the cluster it is of, which its digest does not hold; null where its key or body says it. */
export const StretchEntry = JournalEntry.extend({ cluster: z.string().nullable() })
export type StretchEntry = z.infer<typeof StretchEntry>

/** A stretch of a journal, link by link. A link without its entry: retention took that. */
export const JournalStretch = z.strictObject({ links: z.array(ChainLink), entries: z.array(StretchEntry) })
export type JournalStretch = z.infer<typeof JournalStretch>

/** What a runner says it is to a console that attaches. */
export const RunnerDescription = z.strictObject({
  version: z.string(),
  machine: z.string(),
  /** The clouds it knows, by name. */
  clouds: z.array(z.string()),
  /** The first link of its journal, which no two journals share; null: nothing is in it. */
  first: ChainHead.nullable(),
  head: ChainHead.nullable(),
})
export type RunnerDescription = z.infer<typeof RunnerDescription>

/** A runner as this console knows it. */
export const RunnerStatus = z.strictObject({
  by: z.string(),
  namespace: z.string(),
  /** Its pod; null: none was found. */
  name: z.string().nullable(),
  clouds: z.array(z.string()),
  connection: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('connected'), since: z.string() }),
    /** `asOf`: when it was heard last; null: never. */
    z.strictObject({ kind: z.literal('lost'), why: z.string(), ...CODED, asOf: z.string().nullable() }),
    /** There is no runner, or none can be reached by this user: no mirror of one is kept. */
    z.strictObject({ kind: z.literal('absent'), why: z.string(), ...CODED }),
  ]),
})
export type RunnerStatus = z.infer<typeof RunnerStatus>

/** Whether a plan of a cloud may be run in the cluster. */
export const RunnerOffer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('offered'),
    by: z.string(),
    namespace: z.string(),
    runner: z.string(),
    /** Who asks, as the API server calls them; null: it does not tell, and it is this operator's own word. */
    as: z.string().nullable(),
    /** Whether admission refuses the name of anybody else. */
    proved: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('not-offered'), why: z.string(), ...CODED }),
])
export type RunnerOffer = z.infer<typeof RunnerOffer>

/** A MaintenanceRun as an operator who asked for one follows it. */
export const SubmittedRun = z.strictObject({
  by: z.string(),
  namespace: z.string(),
  /** Name of the MaintenanceRun. */
  object: z.string(),
  phase: z.string(),
  message: z.string(),
  ...CODED,
  /** The run in the runner's journal; null: not begun. */
  runId: z.string().nullable(),
  /** Whether the console's mirror has the run: it can be shown. */
  mirrored: z.boolean(),
  /** Whether nothing more is done about it. */
  over: z.boolean(),
})
export type SubmittedRun = z.infer<typeof SubmittedRun>

/** A MaintenanceRun by what its object says: how one is known that no runner has begun. */
export const AskedRun = z.strictObject({
  by: z.string(),
  namespace: z.string(),
  /** Name of the MaintenanceRun. */
  object: z.string(),
  /** The first three are null where this version cannot read what is asked; the message says so. */
  kind: RunKind.nullable(),
  cluster: z.string().nullable(),
  confirmedBy: z.string().nullable(),
  /** Null also of a run over many nodes. */
  node: z.string().nullable(),
  /** Null: no runner has looked at it, or what one says cannot be read here; the message says which. */
  phase: MaintenanceRunPhase.nullable(),
  /** What it waits for or came to. */
  message: z.string(),
  ...CODED,
  /** Not begun before, no node begun that would not be finished by (ISO), and the campaign that says when; null: none. */
  startAfter: z.string().nullable(),
  notAfter: z.string().nullable(),
  campaign: z.string().nullable(),
  /** The run under way that it hands over; null: it asks for a new one. */
  handedOver: z.string().nullable(),
  /** When it was asked for (ISO). */
  askedAt: z.string(),
  /** The run in the runner's journal; null: not begun, or not told. */
  runId: z.string().nullable(),
  /** Whether this console has that run: it is told by its journal, and not here. */
  mirrored: z.boolean(),
  /** Whether nothing more is done about it. */
  over: z.boolean(),
})
export type AskedRun = z.infer<typeof AskedRun>

/** MaintenanceRuns beside the runners that this console knows, and where they could not be read: there may be others. */
export const AskedRuns = z.strictObject({
  runs: z.array(AskedRun),
  unread: z.array(z.strictObject({ by: z.string(), namespace: z.string(), why: z.string(), ...CODED })),
})
export type AskedRuns = z.infer<typeof AskedRuns>

export const attachRequests = {
  /** What this process is, to a console that attaches to it. */
  'attach.describe': { effect: 'read', input: z.strictObject({}), output: RunnerDescription },
  /** The journal after this link of its chain (0: from its beginning), as much of it as one answer holds; no links: that was all. */
  'attach.stretch': {
    effect: 'read',
    input: z.strictObject({ after: z.number().int().nonnegative(), limit: z.number().int().min(1).max(2000) }),
    output: JournalStretch,
  },
  /** The runners this console knows. Looks for one on this cluster too, when it is named, and waits a moment for what is under way. */
  'runner.list': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable() }),
    output: z.array(RunnerStatus),
  },
  /** Whether a runner would take plans of this cloud from this operator, and if not, why. */
  'runner.offer': { effect: 'read', input: z.strictObject({ cluster: z.string() }), output: RunnerOffer },
  /** Asks a runner to carry out the plan that was shown: makes a MaintenanceRun of it. Asked twice, it is one. */
  'runner.submit': {
    effect: 'write',
    input: z.strictObject({
      planId: z.string(),
      /** As of `run.start`. */
      typedCluster: z.string().optional(),
      windowId: z.string().optional(),
      outsideWindow: z.string().min(1).optional(),
      /** Not begun before, and no node begun that would not be finished by (ISO). */
      startAfter: z.iso.datetime({ offset: true }).optional(),
      notAfter: z.iso.datetime({ offset: true }).optional(),
      /** Answers that are agreed beforehand; any other question waits for a person. */
      answers: z.array(AgreedAnswer).max(50).optional(),
      /** Whether the runner takes the run up again by itself after a crash; it does unless told. */
      resumePolicy: ResumePolicy.optional(),
      /** The campaign that says when it begins; absent: it begins by itself. */
      campaign: z.string().min(1).optional(),
    }),
    output: SubmittedRun,
  },
  /**
   * Hands a run of this console's journal, which is paused or driven by nobody, over to the runner of its cloud: over here, and gone on with there under the same id.
   */
  'runner.hand-over': {
    effect: 'journaled',
    input: z.strictObject({
      runId: z.string(),
      /** As of `runner.submit`. */
      typedCluster: z.string().optional(),
      notAfter: z.iso.datetime({ offset: true }).optional(),
      answers: z.array(AgreedAnswer).max(50).optional(),
      resumePolicy: ResumePolicy.optional(),
    }),
    output: SubmittedRun,
  },
  /** What became of a MaintenanceRun. */
  'runner.submitted': {
    effect: 'read',
    input: z.strictObject({ by: z.string(), namespace: z.string(), object: z.string() }),
    output: SubmittedRun,
  },
  /**
   * MaintenanceRuns of which this console has no run, newest first: what waits to be begun, and what was refused or withdrawn, but for a run that this console handed over and
   * that no runner took: its own journal tells that; of one cluster when it is named. With `object` those
   * whose name begins so, also such as became a run. It waits a few seconds at most for whoever does not answer.
   */
  'runner.asked': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string().nullable(), object: z.string().min(1).optional() }),
    output: AskedRuns,
  },
  /** Asks a runner to end a MaintenanceRun that it has not begun, and answers what it said: a refusal is a failure. */
  'runner.withdraw': {
    effect: 'write',
    input: z.strictObject({ by: z.string(), namespace: z.string(), object: z.string(), reason: z.string() }),
    output: z.strictObject({ message: z.string() }),
  },
} as const

export const attachEvents = {
  /** A runner was reached, lost, or told something new of its runs: lists of runs are to be asked for anew. */
  'runner.changed': z.strictObject({ by: z.string(), namespace: z.string() }),
} as const
