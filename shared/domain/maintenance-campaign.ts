import { z } from 'zod'
import { MaintenanceRunControlStatus, type Unreadable } from './maintenance-run.ts'

/** Maximum number of runs in a campaign: its status lists each ended run and must stay small. */
export const MOST_RUNS = 500

/** A group of runs: the next batch starts when all of them have ended. */
export const CampaignBatch = z.strictObject({
  /** For people; null: the batch has only a number. */
  name: z.string().nullable().default(null),
  runs: z.array(z.string().min(1)).min(1),
  /** How many of them run at a time; null: all. */
  atOnce: z.number().int().min(1).nullable().default(null),
})
export type CampaignBatch = z.infer<typeof CampaignBatch>

/**
 * The order in which MaintenanceRuns start (`spec` of a MaintenanceCampaign of lockkeeper.dev/v1alpha1): immutable. A campaign plans nothing: each
 * run contains a plan confirmed for one cloud, and names this campaign in its own spec.
 */
export const MaintenanceCampaignSpec = z
  .strictObject({
    batches: z.array(CampaignBatch).min(1),
    /** How many runs may fail before no more runs start. */
    failureBudget: z.number().int().nonnegative().default(0),
    /** The requesting user, by the API server's name. */
    confirmedBy: z.string().min(1),
  })
  .refine(({ batches }) => runsOf(batches).length <= MOST_RUNS, `more than ${MOST_RUNS} runs`)
  .refine(({ batches }) => new Set(runsOf(batches)).size === runsOf(batches).length, 'a run is named twice')
export type MaintenanceCampaignSpec = z.infer<typeof MaintenanceCampaignSpec>

/** The phase of a campaign. `Stopped`: too many runs failed; `Aborted`: no more runs start. It has ended when its status has `endedAt`. */
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
  kind: z.enum(['paused', 'stopped', 'aborted']),
  /** For `paused` and `aborted`. */
  by: z.string().optional(),
  reason: z.string().optional(),
})
export type CampaignHold = z.infer<typeof CampaignHold>

/** The result of a control, by its UID; the control's own status may not have it yet. */
const ReceivedControl = z.strictObject({
  uid: z.string(),
  ...MaintenanceRunControlStatus.pick({ outcome: true, message: true }).shape,
})

/** A runner's report about a campaign (`status`). It contains everything that the next driver needs. */
export const MaintenanceCampaignStatus = z.strictObject({
  phase: MaintenanceCampaignPhase,
  /** The current batch, counted from 1; 0: none. */
  batch: z.number().int().nonnegative(),
  batchesAll: z.number().int().nonnegative(),
  runsDone: z.number().int().nonnegative(),
  /** Runs that did not end as done. */
  runsFailed: z.number().int().nonnegative(),
  runsAll: z.number().int().nonnegative(),
  message: z.string().default(''),
  /** Runs that may start, or have started, and have not ended. Other runs of the campaign do not start. */
  released: z.array(z.string()).default([]),
  /** How its runs ended, as the campaign observed: this stays when their objects are deleted. */
  ended: z.array(z.strictObject({ run: z.string(), phase: z.string() })).default([]),
  hold: CampaignHold.nullable().default(null),
  /** Since when `hold` applies (ISO); null: nothing holds it, or unknown. */
  heldSince: z.string().nullable().default(null),
  /** Recently applied or refused controls, with the answer: no control is applied twice, or judged again by later facts. */
  heard: z.array(ReceivedControl).default([]),
  driver: z.strictObject({ runner: z.string(), id: z.string(), epoch: z.number().int() }).nullable().default(null),
  startedAt: z.string().nullable().default(null),
  endedAt: z.string().nullable().default(null),
})
export type MaintenanceCampaignStatus = z.infer<typeof MaintenanceCampaignStatus>

/** A MaintenanceCampaign as read; `status` null: no runner has read it. */
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
