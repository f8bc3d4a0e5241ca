import { z } from 'zod'
import { GateChoice } from './gate-choice.ts'
import { ChainHead } from './journal-chain.ts'
import { Json } from './json.ts'
import { RunKind } from './plan.ts'

/** The API of the runner's own objects (resources/runner, docs/runner.md). */
export const RUNNER_GROUP = 'lockkeeper.dev'
export const RUNNER_VERSION = 'v1alpha1'

/**
 * Maximum length of a MaintenanceRun's plan in characters. etcd accepts no object above 1.5 MiB (`--max-request-bytes`), in which every quote of
 * the plan counts twice: {@link tooLarge} refuses a plan that its quotes make too large.
 */
export const LONGEST_PLAN = 1_200_000

/** Maximum size of a MaintenanceRun as JSON in bytes: etcd's limit minus its status and the API server's own fields. */
const LARGEST_RUN_BYTES = 1_400_000

/** What a runner does with an interrupted run after its own crash or restart: resume it, or leave it to an operator. */
export const ResumePolicy = z.enum(['Always', 'Never'])
export type ResumePolicy = z.infer<typeof ResumePolicy>

/**
 * An answer agreed before the run: when a step of this kind asks and offers the choice, the runner gives it, at most this many times, in the name
 * of the confirming user. Any other question waits for a person.
 */
export const AgreedAnswer = z.strictObject({
  /** The kind of the asking step, such as `drain-node`. */
  step: z.string(),
  choice: GateChoice,
  reason: z.string().min(1),
  atMost: z.number().int().min(1).max(20).default(1),
})
export type AgreedAnswer = z.infer<typeof AgreedAnswer>

/**
 * A run that a console hands over to a runner, which continues it. `story`: the run's journal, one event a line as JSON, compressed (Brotli,
 * base64); `storyHash`: SHA-256 of those lines, which both journals keep.
 */
export const HandedOver = z.strictObject({
  /** The run's id in the console's journal and, from then on, in the runner's. */
  run: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  story: z.string().min(1),
  storyHash: z.string().regex(/^[0-9a-f]{64}$/),
})
export type HandedOver = z.infer<typeof HandedOver>

/**
 * The request to a runner (`spec` of a MaintenanceRun of lockkeeper.dev/v1alpha1): immutable. `plan` is the sealed plan's exact JSON, because the
 * operator confirmed `planHash` (SHA-256 of that text, hexadecimal); `kind`, `cluster` and `node` repeat it for people.
 */
export const MaintenanceRunSpec = z.strictObject({
  kind: RunKind,
  /** The cloud, by the runner's name for it. */
  cluster: z.string(),
  /** Null: a run over many nodes. */
  node: z.string().nullable().default(null),
  plan: z.string(),
  planHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The confirming user, by the API server's name; admission proves it if the cluster has the policies (docs/runner.md). */
  confirmedBy: z.string().min(1),
  startAfter: z.iso.datetime({ offset: true }).nullable().default(null),
  /** No node starts that would not finish by then (ISO); null: no end. */
  notAfter: z.iso.datetime({ offset: true }).nullable().default(null),
  answers: z.array(AgreedAnswer).default([]),
  resumePolicy: ResumePolicy.default('Always'),
  /** The MaintenanceCampaign that decides when it starts; null: it needs no campaign. */
  campaign: z.string().nullable().default(null),
  /** The running run that it continues; null: it is a new run. */
  handedOver: HandedOver.nullable().default(null),
})
export type MaintenanceRunSpec = z.infer<typeof MaintenanceRunSpec>

/**
 * What a runner accepted of a MaintenanceRun, in the first event of its run: from then on the runner uses this, even if the object changes. The run
 * has the plan; `planHash` is the hash of the confirmed text.
 */
export const AcceptedRun = MaintenanceRunSpec.omit({
  plan: true,
  kind: true,
  cluster: true,
  node: true,
  handedOver: true,
}).extend({
  name: z.string(),
  uid: z.string(),
})
export type AcceptedRun = z.infer<typeof AcceptedRun>

/** `Refused`: never started; `Waiting`: for a person; `Interrupted`: started, and no process drives it; the last four are ends. */
export const MaintenanceRunPhase = z.enum([
  'Pending',
  'Scheduled',
  'Running',
  'Waiting',
  'Paused',
  'Interrupted',
  'Refused',
  'Done',
  'Failed',
  'Aborted',
])
export type MaintenanceRunPhase = z.infer<typeof MaintenanceRunPhase>

const ENDS: ReadonlySet<MaintenanceRunPhase> = new Set(['Refused', 'Done', 'Failed', 'Aborted'])

/** Whether a runner has nothing more to do for it. An operator may resume a failed run by a control. */
export function isFinalPhase(phase: MaintenanceRunPhase): boolean {
  return ENDS.has(phase)
}

/** Whether a MaintenanceRun was refused or withdrawn before it started: nobody works on it any longer. */
export function isNeverBegun({ status }: Pick<MaintenanceRun, 'status'>): boolean {
  if (status === null || 'unreadable' in status || status.runId !== null || status.driver !== null) return false
  return status.phase === 'Refused' || status.phase === 'Aborted'
}

type HandOverState =
  | { readonly kind: 'gone' }
  | { readonly kind: 'other' }
  | { readonly kind: 'untold' }
  | { readonly kind: 'not-taken'; readonly status: MaintenanceRunStatus }
  /** A runner has it, or waits to start it. */
  | { readonly kind: 'taken'; readonly status: MaintenanceRunStatus }

/** The state of a hand-over, judged by the object with the requested name; null: there is no such object. */
export function handOverState(run: MaintenanceRun | null, storyHash: string): HandOverState {
  if (run === null) return { kind: 'gone' }
  const { spec, status } = run
  if ('unreadable' in spec || spec.handedOver?.storyHash !== storyHash) return { kind: 'other' }
  if (status === null || 'unreadable' in status) return { kind: 'untold' }
  return { kind: isNeverBegun(run) ? 'not-taken' : 'taken', status }
}

/** The reason for a MaintenanceRun's phase, by code with values (docs/terminal.md). Any code is valid here: a newer runner may have others. */
const StatusReason = z.object({ code: z.string() }).catchall(Json)
export type StatusReason = z.infer<typeof StatusReason>

export const MOST_REASONS = 20

/** The code of a run whose journal disappeared with its runner. */
export const RUNNER_GONE = 'RunnerGone'

/** A runner's report about a run (`status`), shown by `kubectl get maintenanceruns -w`. */
export const MaintenanceRunStatus = z.strictObject({
  phase: MaintenanceRunPhase,
  /** The run's id in the runner's journal; null: not started. */
  runId: z.string().nullable().default(null),
  nodesDone: z.number().int().nonnegative(),
  nodesAll: z.number().int().nonnegative(),
  /** What it does, what it waits for, or its result: one sentence. */
  message: z.string().default(''),
  /** The code of the first of `reasons`; null: no reason, or written by an earlier version. */
  reason: z.string().nullable().default(null),
  /** The meaning of `message` by codes: its waits, the main one first; or how it ended. Null: as `reason`. */
  reasons: z.array(StatusReason).nullable().default(null),
  /** The id of the open question, for a control that answers; null: no question. */
  gateId: z.string().nullable().default(null),
  /** Estimated end (ISO); null: unknown. */
  estimatedEnd: z.string().nullable().default(null),
  driver: z.strictObject({ runner: z.string(), id: z.string(), epoch: z.number().int() }).nullable().default(null),
  /** The number of its last event, and the head of the journal's chain at that time. */
  lastSeq: z.number().int().nonnegative(),
  head: ChainHead.nullable().default(null),
  startedAt: z.string().nullable().default(null),
  endedAt: z.string().nullable().default(null),
})
export type MaintenanceRunStatus = z.infer<typeof MaintenanceRunStatus>

/** Parts of an object that this version does not understand, in words: it may be of a newer version, or written by hand. */
export interface Unreadable {
  readonly unreadable: string
}

/** A MaintenanceRun as read; `status` null: no runner has read it. */
export interface MaintenanceRun {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly createdAt: string
  readonly spec: MaintenanceRunSpec | Unreadable
  readonly status: MaintenanceRunStatus | Unreadable | null
}

/** A command to exactly one running MaintenanceRun or MaintenanceCampaign, with author and reason; its `spec` is immutable. */
export const MaintenanceRunControlSpec = z
  .strictObject({
    run: z.string().optional(),
    /** Name of the MaintenanceCampaign; it accepts pause, resume and abort. */
    campaign: z.string().optional(),
    control: z.enum([
      'pause',
      'pause-after-node',
      'unpause',
      'resume',
      'abort',
      'answer',
      'skip-node',
      'decide-instance',
    ]),
    /** The requesting user, as `confirmedBy` of the run. */
    by: z.string().min(1),
    reason: z.string().default(''),
    /** For `answer`. */
    gateId: z.string().optional(),
    /** For `answer` and `decide-instance`. */
    choice: z.string().optional(),
    /** For `skip-node`. */
    node: z.string().optional(),
    /** For `decide-instance`. */
    instanceId: z.string().optional(),
  })
  .refine(({ run, campaign }) => (run === undefined) !== (campaign === undefined), 'name either a run or a campaign')
export type MaintenanceRunControlSpec = z.infer<typeof MaintenanceRunControlSpec>

/** The result of a control; absent: no runner has read it. */
export const MaintenanceRunControlStatus = z.strictObject({
  outcome: z.enum(['Accepted', 'Refused']),
  message: z.string().default(''),
  at: z.string(),
})
export type MaintenanceRunControlStatus = z.infer<typeof MaintenanceRunControlStatus>

export interface MaintenanceRunControl {
  readonly name: string
  readonly uid: string
  readonly createdAt: string
  readonly spec: MaintenanceRunControlSpec | Unreadable
  readonly status: MaintenanceRunControlStatus | Unreadable | null
}

/** The name of a MaintenanceRun: equal for the same confirmed plan or handed-over journal, so that a repeated request creates one object. */
export function maintenanceRunName({ kind, cluster, node, planHash, handedOver }: MaintenanceRunSpec): string {
  const about = `${kind}-${node ?? cluster}`
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 50)
  return `${about.replace(/-+$/, '')}-${(handedOver?.storyHash ?? planHash).slice(0, 12)}`
}

/** The size and limit of a MaintenanceRun that is too large for etcd: its plan, or its plan with the journal of a running run. */
export interface TooLarge {
  readonly code: 'PlanTooLarge' | 'StoryTooLarge'
  readonly bytes: number
  readonly most: number
}

export function tooLarge(spec: MaintenanceRunSpec): TooLarge | null {
  const bytes = utf8Bytes(JSON.stringify(spec))
  if (spec.plan.length <= LONGEST_PLAN && bytes <= LARGEST_RUN_BYTES) return null
  return { code: spec.handedOver === null ? 'PlanTooLarge' : 'StoryTooLarge', bytes, most: LARGEST_RUN_BYTES }
}

function utf8Bytes(text: string): number {
  let bytes = 0
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}
