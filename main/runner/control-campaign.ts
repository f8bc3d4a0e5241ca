import type { CampaignHold, MaintenanceCampaignStatus } from '../../shared/domain/maintenance-campaign.ts'
import type { MaintenanceRunControlSpec } from '../../shared/domain/maintenance-run.ts'

/** What a control comes to on a campaign: what holds it then, and what is said. */
interface CampaignObeying {
  readonly hold: CampaignHold | null
  readonly outcome: 'Accepted' | 'Refused'
  readonly message: string
}

/** What a control asks of a campaign. `status`: as judged by its runs just now. `by`: who asks, as it is told. */
export function controlCampaign(
  { control, reason }: Pick<MaintenanceRunControlSpec, 'control' | 'reason'>,
  by: string,
  status: Pick<MaintenanceCampaignStatus, 'endedAt' | 'hold' | 'phase' | 'runsFailed'>,
  failureBudget: number,
): CampaignObeying {
  const { hold } = status
  const answer = (outcome: CampaignObeying['outcome'], message: string, then = hold) => ({
    outcome,
    message,
    hold: then,
  })
  const said = { by, ...(reason === '' ? {} : { reason }) }
  const going = 'Runs under way go on to their end; each can be paused or aborted by itself.'
  if (status.endedAt !== null) return answer('Refused', `The campaign is over: ${status.phase}.`)
  switch (control) {
    case 'pause':
      if (hold !== null) return answer('Refused', `Nothing more is begun as it is: the campaign is ${hold.kind}.`)
      return answer('Accepted', `Nothing more is begun. ${going}`, { kind: 'paused', ...said })
    case 'unpause':
    case 'resume':
      if (hold === null) return answer('Accepted', 'Nothing holds it.')
      if (hold.kind === 'aborted') return answer('Refused', 'The campaign was aborted: nothing more is ever begun.')
      if (status.runsFailed > failureBudget) {
        const counts = `${status.runsFailed} of its runs are not done, and ${failureBudget} may fail`
        return answer('Refused', `${counts}. Resume those runs first; when they are done, resume the campaign.`)
      }
      return answer('Accepted', 'Its runs are begun in their order again.', null)
    case 'abort':
      if (hold?.kind === 'aborted') return answer('Accepted', 'It was aborted already.')
      return answer('Accepted', `Nothing more is begun, and runs that were not begun end. ${going}`, {
        kind: 'aborted',
        ...said,
      })
    default:
      return answer('Refused', `A campaign heeds pause, resume and abort. Ask ${control} of one of its runs.`)
  }
}
