import { z } from 'zod'
import { MaintenanceCampaignPhase } from '../domain/maintenance-campaign.ts'

/** A campaign of a runner, as a console knows it. */
export const CampaignSummary = z.strictObject({
  name: z.string(),
  /** The registered cluster by whose API server it is reached, and the namespace there. */
  by: z.string(),
  namespace: z.string(),
  /** Null: no runner has looked at it, or what it says cannot be read here; the message says which. */
  phase: MaintenanceCampaignPhase.nullable(),
  /** The batch under way, from 1; 0: none. */
  batch: z.number().int(),
  batchesAll: z.number().int(),
  runsDone: z.number().int(),
  runsFailed: z.number().int(),
  runsAll: z.number().int(),
  /** How many may fail; null: it cannot be read. */
  failureBudget: z.number().int().nullable(),
  message: z.string(),
  confirmedBy: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
export type CampaignSummary = z.infer<typeof CampaignSummary>

/** A campaign with its batches, and where each of their runs stands. */
export const CampaignDetail = CampaignSummary.extend({
  batches: z.array(
    z.strictObject({
      name: z.string().nullable(),
      atOnce: z.number().int().nullable(),
      runs: z.array(
        z.strictObject({
          name: z.string(),
          /** Null: there is none, or no runner has looked at it. */
          cluster: z.string().nullable(),
          phase: z.string().nullable(),
          message: z.string(),
        }),
      ),
    }),
  ),
})
export type CampaignDetail = z.infer<typeof CampaignDetail>

/** `cluster`: one that the runner knows, or in which it is. */
const OfCluster = z.strictObject({ cluster: z.string() })
const OfCampaign = OfCluster.extend({ name: z.string().min(1) })

export const campaignRequests = {
  /** Campaigns of the runner that knows this cluster. */
  'campaign.list': { effect: 'read', input: OfCluster, output: z.array(CampaignSummary) },
  'campaign.show': { effect: 'read', input: OfCampaign, output: CampaignDetail },
  /** Makes one; its runs may be submitted before or after, each with its name. */
  'campaign.create': {
    effect: 'write',
    input: OfCampaign.extend({
      batches: z
        .array(
          z.strictObject({
            runs: z.array(z.string().min(1)).min(1),
            atOnce: z.number().int().min(1).optional(),
          }),
        )
        .min(1),
      failureBudget: z.number().int().nonnegative(),
    }),
    output: CampaignSummary,
  },
  /** Asks something of one, and answers what its runner said: a refusal is a failure. */
  'campaign.control': {
    effect: 'write',
    input: OfCampaign.extend({ control: z.enum(['pause', 'resume', 'abort']), reason: z.string() }),
    output: z.strictObject({ message: z.string() }),
  },
} as const
