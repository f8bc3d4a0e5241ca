import { z } from 'zod'
import { GateChoice } from './gate-choice.ts'
import { ChainHead } from './journal-chain.ts'
import { Json } from './json.ts'
import { RunKind } from './plan.ts'

/**
 * These schemas parse the runner's objects, and runner-definitions.ts generates the API server's definitions from them (`describe`: `kubectl
 * explain`). Only the API server enforces limits in `meta`: this version still reads objects of an older definition.
 */

/** The API of the runner's own objects (docs/runner.md). */
export const RUNNER_GROUP = 'lockkeeper.dev'
export const RUNNER_VERSION = 'v1alpha1'

/**
 * The longest plan in characters. etcd accepts no object above 1.5 MiB (`--max-request-bytes`), and every quote counts twice: see {@link tooLarge}.
 */
export const LONGEST_PLAN = 1_200_000

/** etcd's limit in bytes of JSON, minus status and the API server's own fields. */
const LARGEST_RUN_BYTES = 1_400_000

/** The name of a node, a host, a cloud or an object of Kubernetes. */
export const ObjectName = z.string().meta({ minLength: 1, maxLength: 253 })
/** Certificates and token issuers make long ones. */
export const UserName = z.string().min(1).meta({ maxLength: 1024 })
export const Reason = z.string().meta({ maxLength: 4096 })
export const StatusMessage = z.string().default('').meta({ maxLength: 4096, nullable: true })
export const StatusTime = z.string().meta({ format: 'date-time' })
export const Count = z.number().int().nonnegative()
const AskedTime = z.iso.datetime({ offset: true })
const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({ maxLength: 64 })
const Payload = z.string().meta({ minLength: 1, maxLength: LONGEST_PLAN })
const ControlText = z.string().meta({ minLength: 1, maxLength: 64 })
const StatusCode = z.string().meta({ maxLength: 128 })

/** Absent in Kubernetes, null here. */
export function orNull<S extends z.ZodType>(schema: S) {
  return schema.nullable().default(null)
}

/** What a runner does with an interrupted run after its own crash or restart. */
export const ResumePolicy = z.enum(['Always', 'Never'])
export type ResumePolicy = z.infer<typeof ResumePolicy>

/** When a step of this kind asks and offers the choice, the runner gives it in the confirming user's name. Other questions wait for a person. */
export const AgreedAnswer = z.strictObject({
  step: z.string().meta({ minLength: 1, maxLength: 64 }).describe('Kind of the step that asks, such as drain-node.'),
  choice: GateChoice.describe('What is answered, where the question offers it.'),
  reason: Reason.min(1).describe('Why.'),
  atMost: z.number().int().min(1).max(20).default(1).describe('How often. Absent: once.'),
})
export type AgreedAnswer = z.infer<typeof AgreedAnswer>

/** A run of a console that a runner continues. Both journals keep `storyHash`. */
export const HandedOver = z.strictObject({
  run: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .meta({ maxLength: 64 })
    .describe('Its id, in the journal of the console and in that of the runner.'),
  story: Payload.min(1).describe('Its events, a line each as JSON, compressed with Brotli, in base64.'),
  storyHash: Sha256.describe('SHA-256 of these lines, hexadecimal.'),
})
export type HandedOver = z.infer<typeof HandedOver>

/** The request to a runner (`spec`): immutable. The operator confirmed `planHash`, the SHA-256 of exactly this text of `plan`. */
export const MaintenanceRunSpec = z.strictObject({
  kind: RunKind.describe('What is done, as the plan says it.'),
  cluster: ObjectName.describe('The cloud, by the name that the runner knows.'),
  node: orNull(ObjectName).describe('The node. Absent: many nodes.'),
  plan: Payload.describe('The sealed plan: JSON, letter by letter as it was confirmed.'),
  planHash: Sha256.describe('SHA-256 of plan, hexadecimal.'),
  /** Proved by admission where the cluster has the policies (docs/runner.md). */
  confirmedBy: UserName.describe('The user who confirmed, as the API server calls them.'),
  startAfter: orNull(AskedTime).describe('The run does not begin before this time. Absent: it begins at once.'),
  notAfter: orNull(AskedTime).describe('No node starts that would not be done by then. Absent: no end.'),
  answers: z
    .array(AgreedAnswer)
    .default([])
    .meta({ maxItems: 50 })
    .describe('Answers that were agreed before. Any other question waits for a person.'),
  resumePolicy: ResumePolicy.default('Always').describe(
    'Whether a runner resumes the run automatically after an interruption. Absent: Always.',
  ),
  campaign: orNull(ObjectName).describe('The MaintenanceCampaign that says when the run begins. Absent: none does.'),
  handedOver: orNull(HandedOver).describe('The run under way that the runner continues. Absent: a new run begins.'),
})
export type MaintenanceRunSpec = z.infer<typeof MaintenanceRunSpec>

/** Accepted of a MaintenanceRun, in the run's first event: the runner uses this even if the object changes. */
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

/** `Refused`: never started; `Waiting`: for a person; `Interrupted`: nothing drives it; the last four are ends. */
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

/** The runner has nothing more to do. An operator may resume a failed run by a control. */
export function isFinalPhase(phase: MaintenanceRunPhase): boolean {
  return ENDS.has(phase)
}

/** Null if no runner has written the status, or this version cannot read it. */
export function readableStatus<S extends object>({ status }: { readonly status: S | Unreadable | null }): S | null {
  return status === null || 'unreadable' in status ? null : status
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
  | { readonly kind: 'taken'; readonly status: MaintenanceRunStatus }

/** The state of a hand-over by the object with the requested name; null if there is no such object. */
export function handOverState(run: MaintenanceRun | null, storyHash: string): HandOverState {
  if (run === null) return { kind: 'gone' }
  const { spec, status } = run
  if ('unreadable' in spec || spec.handedOver?.storyHash !== storyHash) return { kind: 'other' }
  if (status === null || 'unreadable' in status) return { kind: 'untold' }
  return { kind: isNeverBegun(run) ? 'not-taken' : 'taken', status }
}

const StatusReason = z.object({ code: StatusCode.meta({ minLength: 1 }).describe('CamelCase.') }).catchall(Json)
export type StatusReason = z.infer<typeof StatusReason>

export const MOST_REASONS = 20

/** The run's journal disappeared with its runner. */
export const RUNNER_GONE = 'RunnerGone'

export const RunnerDriver = z.strictObject({
  runner: z.string().meta({ maxLength: 253 }).describe('The pod.'),
  id: z.string().meta({ maxLength: 128 }).describe('Random, and new with each start of the process.'),
  epoch: z
    .number()
    .int()
    .meta({ minimum: 0 })
    .describe('Higher each time a runner takes it: a run by its driver, other work by its process.'),
})

/** A runner's report (`status`), shown by `kubectl get maintenanceruns -w`. */
export const MaintenanceRunStatus = z.strictObject({
  phase: MaintenanceRunPhase.describe('The state of the run.'),
  /** Null if not started. */
  runId: orNull(StatusCode).describe("The run's id in the runner's journal."),
  nodesDone: Count.describe('Nodes that are done.'),
  nodesAll: Count.describe('Nodes that the plan is about.'),
  message: StatusMessage.describe('What it does, what it waits for, or its result.'),
  /** Null if there is no reason, or written by an earlier version. */
  reason: orNull(StatusCode).describe('The code of the first of reasons, such as LockHeld.'),
  /** Its waits, or how it ended. Null means as `reason`. */
  reasons: orNull(z.array(StatusReason))
    .meta({ maxItems: MOST_REASONS })
    .describe('What the message says, by codes with their values; the first is what it waits for.'),
  gateId: orNull(z.string()).meta({ maxLength: 256 }).describe('The open question, for a control that answers.'),
  estimatedEnd: orNull(StatusTime).describe('When the run is expected to end.'),
  driver: orNull(RunnerDriver).describe('The runner that carries it out.'),
  lastSeq: Count.describe('Number of its last event.'),
  head: orNull(
    ChainHead.extend({
      seq: ChainHead.shape.seq.meta({ minimum: 0 }).describe('Number of the link.'),
      hash: ChainHead.shape.hash.meta({ maxLength: 64 }).describe('Hash of the link.'),
    }),
  ).describe("Head of the journal's chain then."),
  startedAt: orNull(StatusTime).describe('When the run began.'),
  endedAt: orNull(StatusTime).describe('When the run ended.'),
})
export type MaintenanceRunStatus = z.infer<typeof MaintenanceRunStatus>

/** Parts that this version does not understand, in words: a newer version or a person wrote them. */
export interface Unreadable {
  readonly unreadable: string
}

/** `status` null: no runner has read it. */
export interface MaintenanceRun {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly createdAt: string
  readonly spec: MaintenanceRunSpec | Unreadable
  readonly status: MaintenanceRunStatus | Unreadable | null
}

/** A command to one running MaintenanceRun or MaintenanceCampaign; its `spec` is immutable. */
export const MaintenanceRunControlSpec = z
  .strictObject({
    run: ObjectName.optional().describe('Name of the MaintenanceRun.'),
    campaign: ObjectName.optional().describe('Name of the MaintenanceCampaign, which obeys pause, resume and abort.'),
    control: z
      .enum(['pause', 'pause-after-node', 'unpause', 'resume', 'abort', 'answer', 'skip-node', 'decide-instance'])
      .describe('What is asked of it.'),
    by: UserName.describe('Who asks, as the API server calls them.'),
    reason: Reason.default('').describe('Why.'),
    gateId: ControlText.optional().meta({ maxLength: 256 }).describe('Of answer: the question.'),
    choice: ControlText.optional().describe('Of answer and decide-instance: the choice.'),
    node: ObjectName.optional().describe('Of skip-node: the node.'),
    instanceId: ControlText.optional().describe('Of decide-instance: the instance.'),
  })
  .refine(({ run, campaign }) => (run === undefined) !== (campaign === undefined), 'name either a run or a campaign')
export type MaintenanceRunControlSpec = z.infer<typeof MaintenanceRunControlSpec>

/** Absent if no runner has read it. */
export const MaintenanceRunControlStatus = z.strictObject({
  outcome: z.enum(['Accepted', 'Refused']).describe('Whether it was done.'),
  message: StatusMessage.describe('The result, or why it was refused.'),
  at: StatusTime.describe('When.'),
})
export type MaintenanceRunControlStatus = z.infer<typeof MaintenanceRunControlStatus>

export interface MaintenanceRunControl {
  readonly name: string
  readonly uid: string
  readonly createdAt: string
  readonly spec: MaintenanceRunControlSpec | Unreadable
  readonly status: MaintenanceRunControlStatus | Unreadable | null
}

/** The name is equal for the same confirmed plan or handed-over journal, so that a repeated request creates one object. */
export function maintenanceRunName({ kind, cluster, node, planHash, handedOver }: MaintenanceRunSpec): string {
  const about = `${kind}-${node ?? cluster}`
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, 50)
  return `${about.replace(/-+$/, '')}-${(handedOver?.storyHash ?? planHash).slice(0, 12)}`
}

/** The plan, or the plan with the journal of a running run, is too large for etcd. */
export interface TooLarge {
  readonly code: 'PlanTooLarge' | 'StoryTooLarge'
  readonly bytes: number
  readonly most: number
}

/** `bytes`: as JSON. Null if etcd takes it. */
export function tooLarge(spec: MaintenanceRunSpec, bytes: number): TooLarge | null {
  if (spec.plan.length <= LONGEST_PLAN && bytes <= LARGEST_RUN_BYTES) return null
  return { code: spec.handedOver === null ? 'PlanTooLarge' : 'StoryTooLarge', bytes, most: LARGEST_RUN_BYTES }
}
