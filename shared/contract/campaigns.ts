import { z } from 'zod'
import { CODED } from '../domain/coded.ts'
import { CampaignHold, MaintenanceCampaignPhase } from '../domain/maintenance-campaign.ts'
import { RunKind } from '../domain/plan.ts'

export const CampaignSummary = z.strictObject({
  name: z.string(),
  by: z.string(),
  namespace: z.string(),
  /** Null if no runner has read it, or its status is unreadable here; the message says which. */
  phase: MaintenanceCampaignPhase.nullable(),
  /** Counts from 1; 0 means none. */
  batch: z.number().int(),
  batchesAll: z.number().int(),
  runsDone: z.number().int(),
  runsFailed: z.number().int(),
  runsAll: z.number().int(),
  /** Why no more runs start, who decided it and since when; null if nothing holds it, or unreadable. */
  hold: z
    .strictObject({
      kind: CampaignHold.shape.kind,
      by: z.string().nullable(),
      reason: z.string().nullable(),
      since: z.string().nullable(),
    })
    .nullable(),
  /** Null if unreadable. */
  failureBudget: z.number().int().nullable(),
  message: z.string(),
  ...CODED,
  confirmedBy: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
})
export type CampaignSummary = z.infer<typeof CampaignSummary>

export const CampaignDetail = CampaignSummary.extend({
  batches: z.array(
    z.strictObject({
      name: z.string().nullable(),
      atOnce: z.number().int().nullable(),
      runs: z.array(
        z.strictObject({
          name: z.string(),
          /** Null if there is none, or no runner has read it. */
          cluster: z.string().nullable(),
          phase: z.string().nullable(),
          message: z.string(),
          ...CODED,
          /** In its runner's journal; null if not started, or unknown. */
          runId: z.string().nullable(),
          mirrored: z.boolean(),
        }),
      ),
    }),
  ),
})
export type CampaignDetail = z.infer<typeof CampaignDetail>

export const WaitingRun = z.strictObject({
  name: z.string(),
  campaign: z.string(),
  kind: RunKind,
  cluster: z.string(),
  /** Null means a run over many nodes. */
  node: z.string().nullable(),
  phase: z.string().nullable(),
  message: z.string(),
  ...CODED,
  confirmedBy: z.string(),
})
export type WaitingRun = z.infer<typeof WaitingRun>

export const WaitingRuns = z.strictObject({
  runs: z.array(WaitingRun),
  /** Unreadable MaintenanceRuns: they may belong here too. */
  unreadable: z.array(z.string()),
})
export type WaitingRuns = z.infer<typeof WaitingRuns>

/** With `namespace`: the runner there in that cluster's own Kubernetes, even if it does not answer. */
const OfCluster = z.strictObject({ cluster: z.string(), namespace: z.string().min(1).optional() })
const OfCampaign = OfCluster.extend({ name: z.string().min(1) })

export const campaignRequests = {
  'campaign.list': { effect: 'read', input: OfCluster, output: z.array(CampaignSummary) },
  'campaign.waiting': { effect: 'read', input: OfCluster, output: WaitingRuns },
  'campaign.show': { effect: 'read', input: OfCampaign, output: CampaignDetail },
  /** Its runs may be submitted before or after, each with its name. */
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
  /** Returns its runner's answer: a refusal is a failure. */
  'campaign.control': {
    effect: 'write',
    input: OfCampaign.extend({ control: z.enum(['pause', 'resume', 'abort']), reason: z.string() }),
    output: z.strictObject({ message: z.string() }),
  },
} as const
