import type { CampaignWait } from '../../../shared/domain/campaign-wait.ts'
import { type MaintenanceCampaign, runsOf } from '../../../shared/domain/maintenance-campaign.ts'
import { type MaintenanceRun, readableStatus } from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'
import { judgeCampaign } from './judge-campaign.ts'

/** Whether the campaign of a run lets it start. */
type CampaignGate =
  /** It names no campaign, or its campaign released it. */
  | { readonly kind: 'open' }
  /** Not now. */
  | { readonly kind: 'waits'; readonly wait: CampaignWait }
  /** Its campaign was aborted: it will never start. */
  | { readonly kind: 'aborted'; readonly why: Finding }
  /** Its campaign ended without it: it will never start. */
  | { readonly kind: 'over'; readonly why: Finding }

const OPEN: CampaignGate = { kind: 'open' }

/** Whether the campaign of a run lets it start, by the status of the campaign. */
export function campaignGate(
  run: MaintenanceRun,
  campaignNamed: (name: string) => MaintenanceCampaign | undefined,
): CampaignGate {
  if ('unreadable' in run.spec || run.spec.campaign === null) return OPEN
  const name = run.spec.campaign
  const campaign = campaignNamed(name)
  if (campaign === undefined) return waits({ code: 'CampaignMissing', campaign: name })
  const { spec } = campaign
  if ('unreadable' in spec) return waits({ code: 'CampaignUnreadable', campaign: name })
  const at = spec.batches.findIndex(({ runs }) => runs.includes(run.name))
  if (at === -1) return waits({ code: 'CampaignOmitsRun', campaign: name })
  const reported = readableStatus(campaign)
  if (reported?.phase === 'Aborted') {
    const { by = '', reason = '' } = reported.hold ?? {}
    return { kind: 'aborted', why: because('CampaignAborted', { campaign: name, by, reason }) }
  }
  if (reported !== null && reported.endedAt !== null) {
    // A campaign that was deleted and created again is the same for its runs.
    if (reported.phase === 'Refused') return waits({ code: 'CampaignRefused', campaign: name })
    return { kind: 'over', why: because('CampaignOver', { campaign: name, phase: reported.phase }) }
  }
  // A running run of an earlier batch delays runs that were released after it.
  if (reported?.phase === 'Running' && reported.released.includes(run.name) && at < reported.batch) return OPEN
  return waits({ code: 'CampaignHolds', campaign: name, batch: at + 1, batches: spec.batches.length })
}

/** The same, judged again by all runs of the campaign just before a run starts: the runner that released it may have missed a failure. */
export function campaignGateNow(
  run: MaintenanceRun,
  { campaigns, runs }: { readonly campaigns: readonly MaintenanceCampaign[]; readonly runs: readonly MaintenanceRun[] },
): CampaignGate {
  const gate = campaignGate(run, name => campaigns.find(each => each.name === name))
  if (gate.kind !== 'open' || 'unreadable' in run.spec || run.spec.campaign === null) return gate
  const { campaign: name } = run.spec
  const campaign = campaigns.find(each => each.name === name)
  if (campaign === undefined || 'unreadable' in campaign.spec) return gate
  const { spec } = campaign
  const status = readableStatus(campaign)
  if (status === null) return gate
  const listed = new Set(runsOf(spec.batches))
  const byName = new Map(runs.filter(each => listed.has(each.name)).map(each => [each.name, each]))
  const judged = judgeCampaign({ name, spec }, status, each => byName.get(each))
  const at = spec.batches.findIndex(({ runs: names }) => names.includes(run.name))
  return judged.phase === 'Running' && judged.released.includes(run.name) && at <= (judged.batch ?? -1)
    ? OPEN
    : waits({ code: 'CampaignIsJudged', campaign: name })
}

function waits(wait: CampaignWait): CampaignGate {
  return { kind: 'waits', wait }
}
