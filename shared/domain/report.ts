import { z } from 'zod'
import { alsoUnder } from './earlier-names.ts'
import { Edit } from './edit.ts'
import { Estimate } from './estimate.ts'
import { ChainRange, JournalEntry } from './journal-chain.ts'
import { OverrideFlag, RunKind } from './plan.ts'
import { RunOutcome } from './run.ts'
import { RunEnding } from './run-ending.ts'
import { RunFigures } from './run-figures.ts'
import { NodeStage, UpdateTimeline } from './update.ts'

/** A signature by the key of an installation (docs/decisions/0028). */
export const Signature = z.strictObject({
  algorithm: z.literal('ed25519'),
  /** SubjectPublicKeyInfo (DER) in base64. */
  publicKey: z.string(),
  /** The key in short; it follows from the key. */
  fingerprint: z.string(),
  /** In base64. */
  value: z.string(),
})
export type Signature = z.infer<typeof Signature>

/** What a report is about. */
export const ReportSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('run'), id: z.string() }),
  z.strictObject({ kind: z.literal('window'), id: z.string() }),
])
export type ReportSubject = z.infer<typeof ReportSubject>

export const ReportFormat = z.enum(['html', 'pdf', 'json', 'csv', 'md'])
export type ReportFormat = z.infer<typeof ReportFormat>

/** Which table a CSV holds. */
export const CsvTable = z.enum(['instances', 'nodes', 'events'])
export type CsvTable = z.infer<typeof CsvTable>

/** Whether what is reported is over. */
export const Completeness = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('final') }),
  /** Something still goes on; figures will change. */
  z.strictObject({ kind: z.literal('under-way'), words: z.string() }),
  /** A run was interrupted and can be resumed: nobody knows how it ends. */
  z.strictObject({ kind: z.literal('interrupted'), words: z.string() }),
])
export type Completeness = z.infer<typeof Completeness>

/** How it went, in a word: `done`: all of it, verified. `partly`: some nodes. `nothing`: nothing was begun. */
export const ReportOutcome = z.enum([
  'done',
  'partly',
  'failed',
  'aborted',
  'checks-failed',
  /** A runner goes on with it, in a journal of its own. */
  'handed-over',
  'under-way',
  'interrupted',
  'nothing',
])
export type ReportOutcome = z.infer<typeof ReportOutcome>

/** How many steps were looked at in the cloud afterwards, and how many were only done (shared/domain/step-tally.ts). */
const ReportedSteps = z.strictObject({
  verified: z.number().int(),
  notVerified: z.number().int(),
  onlyDone: z.number().int(),
})

/** What an executive reads in half a minute. */
export const ReportSummary = z.strictObject({
  outcome: ReportOutcome,
  /** One sentence: what, where, when, how it ended. */
  headline: z.string(),
  /** Impact and what is left, one sentence each; at most seven. */
  lines: z.array(z.string()),
  fromAt: z.string().nullable(),
  toAt: z.string().nullable(),
  figures: z.strictObject({
    nodesPlanned: z.number().int(),
    nodesDone: z.number().int(),
    instancesMoved: z.number().int(),
    instancesStopped: z.number().int(),
    instancesFailed: z.number().int(),
    /** Sum over instances that were stopped and started; null when one of them is not known. */
    downtimeMs: z.number().nullable(),
    podsEvicted: z.number().int(),
    overrides: z.number().int(),
    incidents: z.number().int(),
    /** Absent: of an earlier version. */
    steps: ReportedSteps.optional(),
  }),
})
export type ReportSummary = z.infer<typeof ReportSummary>

export const ReportRun = z.strictObject({
  id: z.string(),
  kind: RunKind,
  /** Empty: the whole cluster. */
  node: z.string(),
  /** Null: not over. */
  outcome: RunOutcome.nullable(),
  /** For programs, as `runs -o json` has it: `running`, `waiting`, `interrupted`, or how it ended. */
  state: z.string(),
  /** The same as every face says it: `waits for an owner`. Absent: of schema 1. */
  stands: z.string().optional(),
  /** How it ended, as a code with values, the same as every face has it. Absent: not over, or of an earlier version. */
  ending: RunEnding.optional(),
  /** The same numbers as `-o json` has. Absent: of an earlier version. */
  figures: RunFigures.optional(),
  operator: z.string(),
  machine: z.string(),
  version: z.string(),
  fromAt: z.string(),
  toAt: z.string().nullable(),
  summary: z.string(),
  leftBehind: z.array(z.string()),
  reason: z.string(),
  /** Why it was started outside any window; null: within one, or before windows were asked for. */
  outsideWindow: z.string().nullable(),
})
export type ReportRun = z.infer<typeof ReportRun>

export const ReportNode = z.strictObject({
  node: z.string(),
  /**
   * How far it came: `back` in service verified, `held-back`: back, and others keep work off it, `in-maintenance`, `not-empty`: out of service with
   * something left on it; `maybe-` where that could not be read; `failed` or `aborted` half-way, `interrupted`: nobody drives its run, `not-begun`, `under-way`.
   */
  outcome: z.enum([
    'back',
    'held-back',
    'maybe-held-back',
    'in-maintenance',
    'not-empty',
    'maybe-not-empty',
    'failed',
    'aborted',
    'interrupted',
    'handed-over',
    'not-begun',
    'under-way',
  ]),
  runIds: z.array(z.string()),
  fromAt: z.string().nullable(),
  toAt: z.string().nullable(),
  stages: z.array(
    z.strictObject({ stage: NodeStage, fromAt: z.string(), toAt: z.string().nullable(), ms: z.number().nullable() }),
  ),
  instancesMoved: z.number().int(),
  podsEvicted: z.number().int(),
  /** The longest waits, in words, with how long each was. */
  waits: z.array(z.strictObject({ what: z.string(), ms: z.number().nullable() })),
  /** Of the steps that work on it. Absent: of an earlier version. */
  steps: ReportedSteps.optional(),
})
export type ReportNode = z.infer<typeof ReportNode>

const InstancePlace = z.strictObject({
  host: z.string().nullable(),
  status: z.string().nullable(),
  /** As Nova's power states are called: Running, Shutdown, Paused…; null: not known. */
  power: z.string().nullable(),
})

export const ReportInstance = z.strictObject({
  id: z.string(),
  name: z.string(),
  projectId: z.string().nullable(),
  node: z.string(),
  runId: z.string(),
  action: z.string(),
  reason: z.string(),
  before: InstancePlace,
  /** Null: nobody looked. */
  after: InstancePlace.nullable(),
  /** How often its move or stop was asked for; null: others asked, and nobody saw how often. */
  attempts: z.number().int().nullable(),
  /** From the last request to the arrival. */
  moveMs: z.number().nullable(),
  /** Only for instances that were stopped; null for the others, and where its end is not known (`downtimeWords` says so). */
  downtimeMs: z.number().nullable(),
  downtimeWords: z.string().nullable(),
  outcome: z.enum(['moved', 'stopped', 'stayed', 'failed', 'left-to-owner', 'left-here', 'not-reached', 'settled']),
  words: z.string(),
})
export type ReportInstance = z.infer<typeof ReportInstance>

export const ReportPod = z.strictObject({
  namespace: z.string(),
  name: z.string(),
  node: z.string(),
  runId: z.string(),
  how: z.string(),
  askedAt: z.string().nullable(),
  leftAt: z.string().nullable(),
  /** Each budget that held it, and for how long. */
  refusals: z.array(z.strictObject({ at: z.string(), words: z.string() })),
  waitedMs: z.number().nullable(),
  outcome: z.enum(['left', 'failed', 'asked', 'under-way']),
  words: z.string(),
})
export type ReportPod = z.infer<typeof ReportPod>

/** A check that did not hold: what it said, and whether somebody lifted it. */
export const ReportCheck = z.strictObject({
  at: z.string(),
  runId: z.string(),
  node: z.string(),
  stepId: z.string(),
  title: z.string(),
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
  overridden: z.strictObject({ flag: OverrideFlag, reason: z.string(), by: z.string() }).nullable(),
})
export type ReportCheck = z.infer<typeof ReportCheck>

/** Something that did not go as planned: failed attempts, questions a person answered, lost leases, operators' own notes. */
export const ReportIncident = z.strictObject({
  at: z.string(),
  kind: z.string(),
  subject: z.string(),
  words: z.string(),
  runId: z.string().nullable(),
  /** Whether it is one of the incidents that are counted; false: what became of one, such as an answer. Absent: of an earlier version. */
  counts: z.boolean().optional(),
})
export type ReportIncident = z.infer<typeof ReportIncident>

const ReportWindow = alsoUnder(
  { standing: 'status' },
  z.strictObject({
    id: z.string(),
    title: z.string(),
    ticket: z.string(),
    startsAt: z.string(),
    endsAt: z.string(),
    timeZone: z.string(),
    operator: z.string(),
    status: z.string(),
    notes: z.string(),
    remarks: z.array(z.strictObject({ at: z.string(), kind: z.string(), text: z.string(), by: z.string() })),
    closed: z.strictObject({ at: z.string(), by: z.string(), summary: z.string() }).nullable(),
    /** Milliseconds by which work went past its end; 0: it did not. */
    overranMs: z.number(),
  }),
)

/** The schema of new reports. Lockkeeper reads and verifies those of schemas 1 and 2 too. */
export const REPORT_SCHEMA = 'lockkeeper-report/3'

/** A report (format `json` is exactly this): everything another format shows, and what proves it. */
export const Report = z.strictObject({
  schema: z.enum(['lockkeeper-report/1', 'lockkeeper-report/2', REPORT_SCHEMA]),
  subject: ReportSubject,
  title: z.string(),
  madeAt: z.string(),
  madeBy: z.strictObject({ operator: z.string(), machine: z.string(), version: z.string() }),
  /** Names of instances and projects are replaced, and what the journal says in its own words is left out. */
  redacted: z.boolean(),
  completeness: Completeness,
  cluster: z.strictObject({ name: z.string(), flavour: z.string() }),
  /** Null: the report of a run outside windows. */
  window: ReportWindow.nullable(),
  summary: ReportSummary,
  timeline: UpdateTimeline,
  runs: z.array(ReportRun),
  nodes: z.array(ReportNode),
  instances: z.array(ReportInstance),
  pods: z.array(ReportPod),
  locks: z.array(
    z.strictObject({
      at: z.string(),
      runId: z.string(),
      node: z.string(),
      controller: z.string(),
      state: z.string(),
      message: z.string(),
    }),
  ),
  requests: z.array(
    z.strictObject({
      runId: z.string(),
      name: z.string(),
      node: z.string(),
      scope: z.string().nullable(),
      createdAt: z.string().nullable(),
      removedAt: z.string().nullable(),
    }),
  ),
  cephFlags: z.array(
    z.strictObject({ at: z.string(), runId: z.string(), what: z.string(), from: z.string(), to: z.string() }),
  ),
  checks: z.array(ReportCheck),
  incidents: z.array(ReportIncident),
  edits: z.array(Edit),
  estimate: z
    .strictObject({ planned: Estimate, plannedAt: z.string(), actualMs: z.number().nullable(), words: z.string() })
    .nullable(),
  /** Of Lockkeeper, Kubernetes, kubelets, Nova… as far as the journal knows. */
  versions: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  /** How far the clocks of the servers were ahead of the console's: when each run began, and when one went off. Absent: of an earlier version. */
  clocks: z
    .array(
      z.strictObject({
        runId: z.string(),
        server: z.string(),
        measured: z.array(z.strictObject({ at: z.string(), aheadMs: z.number() })),
      }),
    )
    .optional(),
  /** What was told to the outside, in words. Absent: nothing was, or it is of an earlier version. */
  signals: z
    .array(z.strictObject({ at: z.string(), runId: z.string(), about: z.string(), words: z.string() }))
    .optional(),
  /** What of the journal could not be read, in words. */
  damage: z.array(z.string()),
  chain: ChainRange,
  /** What the report was made from, as stored; empty in a redacted report. */
  entries: z.array(JournalEntry),
  /** SHA-256 over the report without this: a letter that was changed anywhere is noticed, also where nothing else proves it. */
  seal: z.string().optional(),
  /** Over the seal; absent: not signed, as those of earlier versions. */
  signature: Signature.optional(),
})
export type Report = z.infer<typeof Report>

/** What `report verify` found out about a file. */
export const ReportVerdict = z.strictObject({
  /**
   * `genuine`: all that can be recomputed is as it was. `changed`: something is not. `other-version`: nothing was found changed, but another
   * version worded it, which this one cannot make again, and no key that is known here signed it. `unknown`: not a file that can be verified.
   */
  kind: z.enum(['genuine', 'changed', 'other-version', 'unknown']),
  words: z.string(),
  findings: z.array(z.strictObject({ what: z.string(), holds: z.boolean().nullable(), words: z.string() })),
})
export type ReportVerdict = z.infer<typeof ReportVerdict>
