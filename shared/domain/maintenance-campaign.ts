import { z } from 'zod'
import { MaintenanceRunControlStatus, type Unreadable } from './maintenance-run.ts'

/** The most runs of a campaign: its status names each that ended, and is to stay small. */
export const MOST_RUNS = 500

/** Runs that belong together: the next batch is begun when all of them have ended. */
export const CampaignBatch = z.strictObject({
  /** For people; null: it is told by its number. */
  name: z.string().nullable().default(null),
  /** Names of MaintenanceRuns, in the order in which they are begun. */
  runs: z.array(z.string().min(1)).min(1),
  /** How many of them are under way at once; null: all of them. */
  atOnce: z.number().int().min(1).nullable().default(null),
})
export type CampaignBatch = z.infer<typeof CampaignBatch>

/**
 * In what order MaintenanceRuns are begun (`spec` of a MaintenanceCampaign of lockkeeper.dev/v1alpha1): immutable. It plans nothing: each run holds a plan
 * that somebody confirmed for one cloud, and names this campaign in its own spec.
 */
export const MaintenanceCampaignSpec = z
  .strictObject({
    batches: z.array(CampaignBatch).min(1),
    /** How many runs may end other than done before nothing more is begun. */
    failureBudget: z.number().int().nonnegative().default(0),
    /** The user who asks for it, as the API server calls them. */
    confirmedBy: z.string().min(1),
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
  kind: z.enum(['paused', 'stopped', 'aborted']),
  /** Of `paused` and `aborted`. */
  by: z.string().optional(),
  reason: z.string().optional(),
})
export type CampaignHold = z.infer<typeof CampaignHold>

/** What a control came to, by its UID: it may not have been told yet. */
const ReceivedControl = z.strictObject({
  uid: z.string(),
  ...MaintenanceRunControlStatus.pick({ outcome: true, message: true }).shape,
})

/** What a runner tells of a campaign (`status`). It holds all that the next driver has to know: nothing is remembered elsewhere. */
export const MaintenanceCampaignStatus = z.strictObject({
  phase: MaintenanceCampaignPhase,
  /** The batch under way, counted from 1; 0: none. */
  batch: z.number().int().nonnegative(),
  batchesAll: z.number().int().nonnegative(),
  runsDone: z.number().int().nonnegative(),
  /** Runs that ended other than done. */
  runsFailed: z.number().int().nonnegative(),
  runsAll: z.number().int().nonnegative(),
  /** What it does, waits for or came to. */
  message: z.string().default(''),
  /** Runs that may begin, or were begun, and have not ended. A run of the campaign that is not among them is not begun. */
  released: z.array(z.string()).default([]),
  /** How its runs ended, as it saw them: what ended stays so when its object is deleted. */
  ended: z.array(z.strictObject({ run: z.string(), phase: z.string() })).default([]),
  hold: CampaignHold.nullable().default(null),
  /** Since when that holds it (ISO); null: nothing does, or it is not told. */
  heldSince: z.string().nullable().default(null),
  /** Controls that were obeyed or refused lately, and what was said: none is obeyed twice, or judged again by what came to be since. */
  heard: z.array(ReceivedControl).default([]),
  /** Who drives it, or did. */
  driver: z.strictObject({ runner: z.string(), id: z.string(), epoch: z.number().int() }).nullable().default(null),
  startedAt: z.string().nullable().default(null),
  endedAt: z.string().nullable().default(null),
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
