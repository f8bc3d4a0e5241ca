import { z } from 'zod'
import { alsoUnder } from './earlier-names.ts'
import { Edit } from './edit.ts'
import { Estimate } from './estimate.ts'
import { ChainRange, JournalEntry } from './journal-chain.ts'
import { RunKind } from './plan.ts'
import { RunOutcome } from './run.ts'
import { RunEnding } from './run-ending.ts'
import { RunFigures } from './run-figures.ts'
import { OverrideFlag } from './step-answers.ts'
import { NodeStage, UpdateTimeline } from './update.ts'

/** A signature by the key of an installation (docs/decisions/0028). */
export const Signature = z.strictObject({
  algorithm: z.literal('ed25519'),
  /** SubjectPublicKeyInfo (DER) in base64. */
  publicKey: z.string(),
  /** Derived from the key. */
  fingerprint: z.string(),
  value: z.string(),
})
export type Signature = z.infer<typeof Signature>

export const ReportSubject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('run'), id: z.string() }),
  z.strictObject({ kind: z.literal('window'), id: z.string() }),
])
export type ReportSubject = z.infer<typeof ReportSubject>

export const ReportFormat = z.enum(['html', 'pdf', 'json', 'csv', 'md'])
export type ReportFormat = z.infer<typeof ReportFormat>

export const CsvTable = z.enum(['instances', 'nodes', 'events'])
export type CsvTable = z.infer<typeof CsvTable>

export const Completeness = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('final') }),
  z.strictObject({ kind: z.literal('under-way'), words: z.string() }),
  z.strictObject({ kind: z.literal('interrupted'), words: z.string() }),
])
export type Completeness = z.infer<typeof Completeness>

/** `done`: everything, verified. `partly`: some nodes. `nothing`: nothing started. */
export const ReportOutcome = z.enum([
  'done',
  'partly',
  'failed',
  'aborted',
  'checks-failed',
  /** A runner continues it in its own journal. */
  'handed-over',
  'under-way',
  'interrupted',
  'nothing',
])
export type ReportOutcome = z.infer<typeof ReportOutcome>

/** Verified in the cloud, or only done (shared/domain/step-tally.ts). */
const ReportedSteps = z.strictObject({
  verified: z.number().int(),
  notVerified: z.number().int(),
  onlyDone: z.number().int(),
})

export const ReportSummary = z.strictObject({
  outcome: ReportOutcome,
  /** One sentence: what, where, when, how it ended. */
  headline: z.string(),
  /** Impact and open points, one sentence each; at most seven. */
  lines: z.array(z.string()),
  fromAt: z.string().nullable(),
  toAt: z.string().nullable(),
  figures: z.strictObject({
    nodesPlanned: z.number().int(),
    nodesDone: z.number().int(),
    instancesMoved: z.number().int(),
    instancesStopped: z.number().int(),
    instancesFailed: z.number().int(),
    /** The downtime of instances that were stopped and started; null if at least one is unknown. */
    downtimeMs: z.number().nullable(),
    podsEvicted: z.number().int(),
    overrides: z.number().int(),
    incidents: z.number().int(),
    steps: ReportedSteps.optional(),
  }),
})
export type ReportSummary = z.infer<typeof ReportSummary>

export const ReportRun = z.strictObject({
  id: z.string(),
  kind: RunKind,
  /** Empty means the whole cluster. */
  node: z.string(),
  outcome: RunOutcome.nullable(),
  /** The state as in `runs -o json`: `running`, `waiting`, `interrupted`, or how it ended. */
  state: z.string(),
  /** In words: `waits for an owner`. Absent means schema 1. */
  stands: z.string().optional(),
  /** Absent if not ended, or written by an earlier version. */
  ending: RunEnding.optional(),
  figures: RunFigures.optional(),
  operator: z.string(),
  machine: z.string(),
  version: z.string(),
  fromAt: z.string(),
  toAt: z.string().nullable(),
  summary: z.string(),
  leftBehind: z.array(z.string()),
  reason: z.string(),
  /** Null means within a window, or from before windows were required. */
  outsideWindow: z.string().nullable(),
})
export type ReportRun = z.infer<typeof ReportRun>

export const ReportNode = z.strictObject({
  node: z.string(),
  /** `held-back`: back, and others keep work off it; `not-empty`: out of service with something left; `maybe-`: that could not be read. */
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
  waits: z.array(z.strictObject({ what: z.string(), ms: z.number().nullable() })),
  steps: ReportedSteps.optional(),
})
export type ReportNode = z.infer<typeof ReportNode>

const InstancePlace = z.strictObject({
  host: z.string().nullable(),
  status: z.string().nullable(),
  /** Running, Shutdown, Paused…; null if unknown. */
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
  /** Null if not read. */
  after: InstancePlace.nullable(),
  /** How often its move or stop was requested; null means by others, unobserved. */
  attempts: z.number().int().nullable(),
  moveMs: z.number().nullable(),
  /** Null if not stopped, or its end is unknown (`downtimeWords` says so). */
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
  refusals: z.array(z.strictObject({ at: z.string(), words: z.string() })),
  waitedMs: z.number().nullable(),
  outcome: z.enum(['left', 'failed', 'asked', 'under-way']),
  words: z.string(),
})
export type ReportPod = z.infer<typeof ReportPod>

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

/** A deviation from the plan: failed attempts, answered questions, lost leases, operators' notes. */
export const ReportIncident = z.strictObject({
  at: z.string(),
  kind: z.string(),
  subject: z.string(),
  words: z.string(),
  runId: z.string().nullable(),
  /** False means a consequence of an incident, such as an answer. Absent if written by an earlier version. */
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
    overranMs: z.number(),
  }),
)

/** Lockkeeper also reads and verifies reports of schemas 1 and 2. */
export const REPORT_SCHEMA = 'lockkeeper-report/3'

/** Format `json` is exactly this: everything another format shows, and its proof. */
export const Report = z.strictObject({
  schema: z.enum(['lockkeeper-report/1', 'lockkeeper-report/2', REPORT_SCHEMA]),
  subject: ReportSubject,
  title: z.string(),
  madeAt: z.string(),
  madeBy: z.strictObject({ operator: z.string(), machine: z.string(), version: z.string() }),
  /** Names of instances and projects are replaced, and free text of the journal is left out. */
  redacted: z.boolean(),
  completeness: Completeness,
  cluster: z.strictObject({ name: z.string(), flavour: z.string() }),
  /** Null means the report of a run outside windows. */
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
  /** Lockkeeper, Kubernetes, kubelets, Nova… as the journal recorded them. */
  versions: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  /** How far the servers' clocks were ahead of the console's. Absent if written by an earlier version. */
  clocks: z
    .array(
      z.strictObject({
        runId: z.string(),
        server: z.string(),
        measured: z.array(z.strictObject({ at: z.string(), aheadMs: z.number() })),
      }),
    )
    .optional(),
  signals: z
    .array(z.strictObject({ at: z.string(), runId: z.string(), about: z.string(), words: z.string() }))
    .optional(),
  damage: z.array(z.string()),
  chain: ChainRange,
  /** The stored entries; empty in a redacted report. */
  entries: z.array(JournalEntry),
  /** SHA-256 over the report without this field: it detects any changed letter. */
  seal: z.string().optional(),
  signature: Signature.optional(),
})
export type Report = z.infer<typeof Report>

export const ReportVerdict = z.strictObject({
  /**
   * `genuine`: all that can be recomputed is unchanged. `other-version`: another version wrote the text, and no known key signed it. `unknown`: no
   * report.
   */
  kind: z.enum(['genuine', 'changed', 'other-version', 'unknown']),
  words: z.string(),
  findings: z.array(z.strictObject({ what: z.string(), holds: z.boolean().nullable(), words: z.string() })),
})
export type ReportVerdict = z.infer<typeof ReportVerdict>
