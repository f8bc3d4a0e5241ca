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

/** A campaign has at most this many runs: its status lists each ended one and must stay small. */
export const MOST_RUNS = 500

const RunName = ObjectName.describe('Name of a MaintenanceRun.')

/** The next batch starts when all runs of this one have ended. */
export const CampaignBatch = z.strictObject({
  /** Null if the batch has only a number. */
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

/** The order in which MaintenanceRuns start (`spec` of a MaintenanceCampaign): immutable. Each run names this campaign in its own spec. */
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

/** `Stopped`: too many runs failed; `Aborted`: no more runs start. It has ended when its status has `endedAt`. */
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

/** Why no more runs start: an operator's request, or too many failures. */
export const CampaignHold = z.strictObject({
  kind: z.enum(['paused', 'stopped', 'aborted']).describe('Why no more runs begin.'),
  /** The name of the operator, for `paused` and `aborted`. */
  by: z.string().optional().meta({ maxLength: 1024 }).describe('Who said so.'),
  reason: Reason.optional().describe('Why.'),
})
export type CampaignHold = z.infer<typeof CampaignHold>

/** Keyed by the control's UID; the control's own status may not have it yet. */
const ReceivedControl = z.strictObject({
  uid: z.string().meta({ maxLength: 64 }).describe('UID of the control.'),
  ...MaintenanceRunControlStatus.pick({ outcome: true, message: true }).shape,
})

/** A runner's report (`status`): all that the next runner needs. */
export const MaintenanceCampaignStatus = z.strictObject({
  phase: MaintenanceCampaignPhase.describe('The state of the campaign.'),
  batch: Count.describe('The batch under way, from 1; 0 means none.'),
  batchesAll: Count.describe('Batches in all.'),
  runsDone: Count.describe('Runs that are done.'),
  runsFailed: Count.describe('Runs that ended other than done.'),
  runsAll: Count.describe('Runs in all.'),
  message: StatusMessage.describe('What it does, what it waits for, or its result.'),
  released: z
    .array(RunName)
    .default([])
    .meta({ maxItems: MOST_RUNS })
    .describe('Runs that may begin, or have begun, and have not ended.'),
  /** The observed end, which stays recorded when its object is deleted. */
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
  /** Null if nothing holds it, or unknown. */
  heldSince: orNull(StatusTime).describe('Since when.'),
  /** No control is applied twice. */
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

/** `status` null: no runner has read it. */
export interface MaintenanceCampaign {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly createdAt: string
  readonly spec: MaintenanceCampaignSpec | Unreadable
  readonly status: MaintenanceCampaignStatus | Unreadable | null
}

export function runsOf(batches: readonly Pick<CampaignBatch, 'runs'>[]): readonly string[] {
  return batches.flatMap(({ runs }) => runs)
}
