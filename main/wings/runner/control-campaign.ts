import type { CampaignHold, MaintenanceCampaignStatus } from '../../../shared/domain/maintenance-campaign.ts'
import type { MaintenanceRunControlSpec } from '../../../shared/domain/maintenance-run.ts'
import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

/** The result of a control of a campaign: what holds the campaign then, and the text. */
interface CampaignObeying {
  readonly hold: CampaignHold | null
  readonly outcome: 'Accepted' | 'Refused'
  readonly why: Finding
}

/** What a control asks of a campaign. `status`: as judged by its runs just now. `by`: who asks, as it is told. */
export function controlCampaign(
  { control, reason }: Pick<MaintenanceRunControlSpec, 'control' | 'reason'>,
  by: string,
  status: Pick<MaintenanceCampaignStatus, 'endedAt' | 'hold' | 'phase' | 'runsFailed'>,
  failureBudget: number,
): CampaignObeying {
  const { hold } = status
  const answer = (outcome: CampaignObeying['outcome'], why: Finding, then = hold) => ({ outcome, why, hold: then })
  const said = { by, ...(reason === '' ? {} : { reason }) }
  if (status.endedAt !== null) return answer('Refused', because('CampaignEnded', { phase: status.phase }))
  switch (control) {
    case 'pause':
      if (hold !== null) return answer('Refused', because('CampaignHeld', { hold: hold.kind }))
      return answer('Accepted', because('CampaignPauses'), { kind: 'paused', ...said })
    case 'unpause':
    case 'resume':
      if (hold === null) return answer('Accepted', because('CampaignNotHeld'))
      if (hold.kind === 'aborted') return answer('Refused', because('CampaignStaysAborted'))
      if (status.runsFailed > failureBudget) {
        const counts = { failed: status.runsFailed, budget: failureBudget }
        return answer('Refused', because('CampaignOverBudget', counts))
      }
      return answer('Accepted', because('CampaignResumes'), null)
    case 'abort':
      if (hold?.kind === 'aborted') return answer('Accepted', because('CampaignAbortedAlready'))
      return answer('Accepted', because('CampaignAborts'), {
        kind: 'aborted',
        ...said,
      })
    default:
      return answer('Refused', because('ControlNotOfCampaigns', { control }))
  }
}
