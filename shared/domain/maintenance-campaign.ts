import { z } from 'zod'
import {
  Count,
  MaintenanceRunControlStatus,
  ObjectName,
  orNull,
  Reason,
  RunnerDriver,
  StatusMessage,
  StatusTime,
  type Unreadable,
  UserName,
} from './maintenance-run.ts'

/** The most runs of a campaign: its status names each that ended, and is to stay small. */
export const MOST_RUNS = 500

const RunName = ObjectName.describe('Name of a MaintenanceRun.')

/** Runs that belong together: the next batch is begun when all of them have ended. */
export const CampaignBatch = z.strictObject({
  /** Null: it is told by its number. */
  name: orNull(ObjectName).describe('For people.'),
  runs: z
    .array(RunName.min(1))
    .min(1)
    .meta({ maxItems: MOST_RUNS, 'x-kubernetes-list-type': 'set' })
    .describe('Runs, in the order in which they begin. Each names this campaign in its spec.'),
  atOnce: orNull(z.number().int().min(1))
    .meta({ maximum: MOST_RUNS })
    .describe('How many of them are under way at once. Absent: all.'),
})
export type CampaignBatch = z.infer<typeof CampaignBatch>

/**
 * In what order MaintenanceRuns are begun (`spec` of a MaintenanceCampaign of lockkeeper.dev/v1alpha1): immutable. It plans nothing: each run holds a plan
 * that somebody confirmed for one cloud, and names this campaign in its own spec.
 */
export const MaintenanceCampaignSpec = z
  .strictObject({
    batches: z
      .array(CampaignBatch)
      .min(1)
      .meta({ maxItems: 100 })
      .describe('In order: a batch begins when all runs of the one before have ended.'),
    failureBudget: Count.default(0)
      .meta({ maximum: MOST_RUNS })
      .describe('How many runs may end other than done before no more runs begin. Absent: 0.'),
    confirmedBy: UserName.describe('The user who asks for it, as the API server calls them.'),
  })
  .refine(({ batches }) => runsOf(batches).length <= MOST_RUNS, `more than ${MOST_RUNS} runs`)
  .refine(({ batches }) => new Set(runsOf(batches)).size === runsOf(batches).length, 'a run is named twice')
export type MaintenanceCampaignSpec = z.infer<typeof MaintenanceCampaignSpec>

/**
 * Where a campaign stands. `Stopped`: more runs failed than may, and nothing more is begun until a person says so; `Aborted`: nothing more is ever begun.
 * It is over when its status has `endedAt`.
 */
export const MaintenanceCampaignPhase = z.enum([
  'Pending',
  'Running',
  'Paused',
  'Stopped',
  'Refused',
  'Done',
  'Failed',
  'Aborted',
])
export type MaintenanceCampaignPhase = z.infer<typeof MaintenanceCampaignPhase>

/** Why nothing more is begun: somebody said so, or more runs failed than may. */
export const CampaignHold = z.strictObject({
  kind: z.enum(['paused', 'stopped', 'aborted']).describe('Why no more runs begin.'),
  /** Of `paused` and `aborted`. */
  by: z.string().optional().meta({ maxLength: 1024 }).describe('Who said so.'),
  reason: Reason.optional().describe('Why.'),
})
export type CampaignHold = z.infer<typeof CampaignHold>

/** What a control came to, by its UID: it may not have been told yet. */
const ReceivedControl = z.strictObject({
  uid: z.string().meta({ maxLength: 64 }).describe('UID of the control.'),
  ...MaintenanceRunControlStatus.pick({ outcome: true, message: true }).shape,
})

/** What a runner tells of a campaign (`status`). It holds all that the next driver has to know: nothing is remembered elsewhere. */
export const MaintenanceCampaignStatus = z.strictObject({
  phase: MaintenanceCampaignPhase.describe('The state of the campaign.'),
  batch: Count.describe('The batch under way, from 1; 0: none.'),
  batchesAll: Count.describe('Batches in all.'),
  runsDone: Count.describe('Runs that are done.'),
  runsFailed: Count.describe('Runs that ended other than done.'),
  runsAll: Count.describe('Runs in all.'),
  message: StatusMessage.describe('What it does, what it waits for, or its result.'),
  /** A run of the campaign that is not among them is not begun. */
  released: z
    .array(RunName)
    .default([])
    .meta({ maxItems: MOST_RUNS })
    .describe('Runs that may begin, or were begun, and have not ended.'),
  /** As the campaign saw them: what ended stays so when its object is deleted. */
  ended: z
    .array(
      z.strictObject({
        run: z.string().meta({ maxLength: 253 }).describe('Name.'),
        phase: z.string().meta({ maxLength: 64 }).describe('How.'),
      }),
    )
    .default([])
    .meta({ maxItems: MOST_RUNS })
    .describe('How its runs ended.'),
  hold: orNull(CampaignHold).describe('Why no more runs begin. Absent: runs begin.'),
  /** Null: nothing holds it, or it is not told. */
  heldSince: orNull(StatusTime).describe('Since when.'),
  /** No control is obeyed twice, or judged again by what came to be since. */
  heard: z
    .array(ReceivedControl)
    .default([])
    .meta({ maxItems: 50 })
    .describe('Controls that the runner obeyed or refused lately, and what it said.'),
  driver: orNull(RunnerDriver).describe('The runner that carries it out.'),
  startedAt: orNull(StatusTime).describe('When its first run was released.'),
  endedAt: orNull(StatusTime).describe('When the campaign ended.'),
})
export type MaintenanceCampaignStatus = z.infer<typeof MaintenanceCampaignStatus>

/** A MaintenanceCampaign as it was read; `status` null: no runner has looked at it. */
export interface MaintenanceCampaign {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly createdAt: string
  readonly spec: MaintenanceCampaignSpec | Unreadable
  readonly status: MaintenanceCampaignStatus | Unreadable | null
}

/** All runs of a campaign, in their order. */
export function runsOf(batches: readonly Pick<CampaignBatch, 'runs'>[]): readonly string[] {
  return batches.flatMap(({ runs }) => runs)
}
