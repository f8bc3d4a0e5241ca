import { z } from 'zod'
import { GateChoice } from './gate-choice.ts'
import { ChainHead } from './journal-chain.ts'
import { Json } from './json.ts'
import { RunKind } from './plan.ts'

/** The API of the runner's own objects (resources/runner, docs/runner.md). */
export const RUNNER_GROUP = 'lockkeeper.dev'
export const RUNNER_VERSION = 'v1alpha1'

/**
 * The most that the plan of a MaintenanceRun may have, in characters. etcd takes no object above 1.5 MiB (`--max-request-bytes`), in which every
 * quote of the plan counts twice: what is longer for its quotes is refused by {@link tooLarge}.
 */
export const LONGEST_PLAN = 1_200_000

/** The most bytes a MaintenanceRun may have as JSON: what etcd takes, less what its status and the API server's own fields need. */
const LARGEST_RUN_BYTES = 1_400_000

/** What a runner does with a run that its crash or its end interrupted: take it up again by itself, or leave it for a person. */
export const ResumePolicy = z.enum(['Always', 'Never'])
export type ResumePolicy = z.infer<typeof ResumePolicy>

/**
 * An answer that was agreed before the run: when a step of this kind asks and offers the choice, it is given at most so often, in the name of
 * whoever confirmed. Any other question waits for a person.
 */
export const AgreedAnswer = z.strictObject({
  /** The kind of the step that asks, such as `drain-node`. */
  step: z.string(),
  choice: GateChoice,
  reason: z.string().min(1),
  atMost: z.number().int().min(1).max(20).default(1),
})
export type AgreedAnswer = z.infer<typeof AgreedAnswer>

/**
 * A run under way that a console hands over to a runner, which goes on with it where it rested. `story`: all that its journal tells of the run, an event a line as
 * JSON, compressed (Brotli, base64); `storyHash`: SHA-256 of those lines, which the console's journal and the runner's both keep.
 */
export const HandedOver = z.strictObject({
  /** The run's id, in the journal of the console and, from then on, in that of the runner. */
  run: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  story: z.string().min(1),
  storyHash: z.string().regex(/^[0-9a-f]{64}$/),
})
export type HandedOver = z.infer<typeof HandedOver>

/**
 * What is asked of a runner (`spec` of a MaintenanceRun of lockkeeper.dev/v1alpha1): immutable. `plan` is the sealed plan, JSON letter by letter,
 * because `planHash` (SHA-256 of that text, hexadecimal) is what the operator confirmed; `kind`, `cluster` and `node` repeat it for people.
 */
export const MaintenanceRunSpec = z.strictObject({
  kind: RunKind,
  /** The cloud, by the name that the runner knows. */
  cluster: z.string(),
  /** Null: a run over many nodes. */
  node: z.string().nullable().default(null),
  plan: z.string(),
  planHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The user who confirmed, as the API server calls them; who says so is proved by admission, where the cluster has it (docs/runner.md). */
  confirmedBy: z.string().min(1),
  /** Not begun before (ISO); null: at once. */
  startAfter: z.iso.datetime({ offset: true }).nullable().default(null),
  /** No node is begun that would not be finished by then (ISO); null: no end. */
  notAfter: z.iso.datetime({ offset: true }).nullable().default(null),
  answers: z.array(AgreedAnswer).default([]),
  resumePolicy: ResumePolicy.default('Always'),
  /** The MaintenanceCampaign that says when it begins; null: none, it begins by itself. */
  campaign: z.string().nullable().default(null),
  /** The run under way that it goes on with; null: none, it is begun. */
  handedOver: HandedOver.nullable().default(null),
})
export type MaintenanceRunSpec = z.infer<typeof MaintenanceRunSpec>

/**
 * What a runner accepted of a MaintenanceRun, kept in the first event of its run: from then on the runner goes by this, whatever becomes of the object.
 * The plan itself is the run's; `planHash` is that of the text that was confirmed.
 */
export const AcceptedRun = MaintenanceRunSpec.omit({
  plan: true,
  kind: true,
  cluster: true,
  node: true,
  handedOver: true,
}).extend({
  /** Name and UID of the MaintenanceRun. */
  name: z.string(),
  uid: z.string(),
})
export type AcceptedRun = z.infer<typeof AcceptedRun>

/**
 * Where a MaintenanceRun stands. `Refused`: the runner did not begin it and never will; `Waiting`: for a person; `Interrupted`: begun, and nobody
 * drives it; the last four are ends.
 */
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

/** Whether a runner has nothing more to do about it. A failed run may be resumed by a person, by a control. */
export function isOver(phase: MaintenanceRunPhase): boolean {
  return ENDS.has(phase)
}

/** Whether a runner refused a MaintenanceRun, or it was withdrawn, before anything of it was begun or claimed: nobody does anything for it any more. */
export function isNeverBegun({ status }: Pick<MaintenanceRun, 'status'>): boolean {
  if (status === null || 'unreadable' in status || status.runId !== null || status.driver !== null) return false
  return status.phase === 'Refused' || status.phase === 'Aborted'
}

type HandOverState =
  | { readonly kind: 'gone' }
  /** The object is another one than was asked for. */
  | { readonly kind: 'other' }
  /** No runner has said anything of it that can be read. */
  | { readonly kind: 'untold' }
  /** No runner took it, and none ever will. */
  | { readonly kind: 'not-taken'; readonly status: MaintenanceRunStatus }
  /** A runner has it, or waits to begin. */
  | { readonly kind: 'taken'; readonly status: MaintenanceRunStatus }

/** What became of a run that was handed over as this very story, by the object that has the name it was asked for by; null: there is none. */
export function handOverState(run: MaintenanceRun | null, storyHash: string): HandOverState {
  if (run === null) return { kind: 'gone' }
  const { spec, status } = run
  if ('unreadable' in spec || spec.handedOver?.storyHash !== storyHash) return { kind: 'other' }
  if (status === null || 'unreadable' in status) return { kind: 'untold' }
  return { kind: isNeverBegun(run) ? 'not-taken' : 'taken', status }
}

/**
 * Why a MaintenanceRun stands where it stands, by its code with its values (docs/terminal.md). Here any code is read: a newer runner may have others.
 */
const StatusReason = z.object({ code: z.string() }).catchall(Json)
export type StatusReason = z.infer<typeof StatusReason>

/** So many reasons a status has at most. */
export const MOST_REASONS = 20

/** The code of a run whose journal went away with its runner. */
export const RUNNER_GONE = 'RunnerGone'

/** What a runner tells of a run (`status`): `kubectl get maintenanceruns -w` shows it. */
export const MaintenanceRunStatus = z.strictObject({
  phase: MaintenanceRunPhase,
  /** The run's id in the runner's journal; null: not begun. */
  runId: z.string().nullable().default(null),
  nodesDone: z.number().int().nonnegative(),
  nodesAll: z.number().int().nonnegative(),
  /** What it does, waits for or came to: one sentence. */
  message: z.string().default(''),
  /** The code of the first of `reasons`; null: it has none, or an earlier version wrote the status. */
  reason: z.string().nullable().default(null),
  /** What `message` says, by codes: what it waits for first, then what else it waits for; how it ended, once it is over. Null: as `reason`. */
  reasons: z.array(StatusReason).nullable().default(null),
  /** The open question by its id, for a control that answers; null: none. */
  gateId: z.string().nullable().default(null),
  /** When it is estimated to be over (ISO); null: not told. */
  estimatedEnd: z.string().nullable().default(null),
  driver: z.strictObject({ runner: z.string(), id: z.string(), epoch: z.number().int() }).nullable().default(null),
  /** The number of its last event, and the head of the journal's chain then. */
  lastSeq: z.number().int().nonnegative(),
  head: ChainHead.nullable().default(null),
  startedAt: z.string().nullable().default(null),
  endedAt: z.string().nullable().default(null),
})
export type MaintenanceRunStatus = z.infer<typeof MaintenanceRunStatus>

/** What of an object is not what this version writes, in words: such as that of a newer version, or one that was written by hand. */
export interface Unreadable {
  readonly unreadable: string
}

/** A MaintenanceRun as it was read; `status` null: no runner has looked at it. */
export interface MaintenanceRun {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly createdAt: string
  readonly spec: MaintenanceRunSpec | Unreadable
  readonly status: MaintenanceRunStatus | Unreadable | null
}

/**
 * What is asked of a MaintenanceRun or of a MaintenanceCampaign under way (`spec` of a MaintenanceRunControl): immutable, each with who and why. It names
 * the one or the other.
 */
export const MaintenanceRunControlSpec = z
  .strictObject({
    /** Name of the MaintenanceRun. */
    run: z.string().optional(),
    /** Name of the MaintenanceCampaign, which heeds pause, resume and abort. */
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
    /** Who asks, as `confirmedBy` of the run. */
    by: z.string().min(1),
    reason: z.string().default(''),
    /** Of `answer`. */
    gateId: z.string().optional(),
    /** Of `answer` and `decide-instance`. */
    choice: z.string().optional(),
    /** Of `skip-node`. */
    node: z.string().optional(),
    /** Of `decide-instance`. */
    instanceId: z.string().optional(),
  })
  .refine(
    ({ run, campaign }) => (run === undefined) !== (campaign === undefined),
    'it has to name a run or a campaign, and not both',
  )
export type MaintenanceRunControlSpec = z.infer<typeof MaintenanceRunControlSpec>

/** What became of a control; absent: no runner has looked at it. */
export const MaintenanceRunControlStatus = z.strictObject({
  outcome: z.enum(['Accepted', 'Refused']),
  message: z.string().default(''),
  at: z.string(),
})
export type MaintenanceRunControlStatus = z.infer<typeof MaintenanceRunControlStatus>

/** A MaintenanceRunControl as it was read. */
export interface MaintenanceRunControl {
  readonly name: string
  readonly uid: string
  readonly createdAt: string
  readonly spec: MaintenanceRunControlSpec | Unreadable
  readonly status: MaintenanceRunControlStatus | Unreadable | null
}

/**
 * The name of a MaintenanceRun: the same for the same confirmed plan, or the same story of a run under way, so that asking twice for it (after an answer that
 * was lost) makes one object.
 */
export function maintenanceRunName({ kind, cluster, node, planHash, handedOver }: MaintenanceRunSpec): string {
  const about = `${kind}-${node ?? cluster}`
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 50)
  return `${about.replace(/-+$/, '')}-${(handedOver?.storyHash ?? planHash).slice(0, 12)}`
}

/** How large a MaintenanceRun is that etcd would not take: its plan, or its plan with the story of a run under way; and how much it may be. */
export interface TooLarge {
  readonly code: 'PlanTooLarge' | 'StoryTooLarge'
  readonly bytes: number
  readonly most: number
}

/** Why etcd would not take a MaintenanceRun; null: it would. */
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
