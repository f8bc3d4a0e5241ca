import { InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import { isObjectName } from '../../../../shared/domain/object-name.ts'
import { noObjectName } from '../../../../shared/words/object-names.ts'
import { Said } from '../../../ui/said.tsx'
import { openCampaignsOf } from '../bridge/campaigns.ts'

interface Props {
  readonly cluster: string
  /** The text as typed; empty if there is none. */
  readonly campaign: string
  readonly onCampaign: (campaign: string) => void
}

/** The campaign that starts a run in the cluster; folded, because most runs start automatically. */
export function CampaignField({ cluster, campaign, onCampaign }: Props): ReactNode {
  const id = useId()
  const [known, setKnown] = useState<readonly string[]>([])
  const [why, setWhy] = useState<string | null>(null)
  const look = async () => {
    const answer = await openCampaignsOf(cluster)
    setKnown(answer.ok ? answer.value : [])
    setWhy(answer.ok ? null : answer.failure.message)
  }
  return (
    <details
      className="plan-campaign"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) void look()
      }}
    >
      <summary>{campaign.trim() === '' ? 'It starts automatically' : `Campaign ${campaign.trim()} starts it`}</summary>
      <div className="row wrap">
        <label htmlFor={id}>Campaign</label>
        <InputGroup
          id={id}
          className="mono"
          list={`${id}-known`}
          value={campaign}
          placeholder="none"
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${id}-words`}
          onValueChange={onCampaign}
        />
        <datalist id={`${id}-known`}>
          {known.map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <p className="quiet" id={`${id}-words`}>
          The name of a campaign of the runner; it may not exist yet. The run waits for it, at most a day; the name
          cannot be changed.
          {why === null ? null : (
            <>
              {' '}
              Existing campaigns cannot be read: <Said text={why} />
            </>
          )}
        </p>
      </div>
    </details>
  )
}

/** Why a campaign of this name is invalid; null if it is valid or empty. */
export function whyNoCampaign(campaign: string): string | null {
  const name = campaign.trim()
  return name === '' || isObjectName(name) ? null : noObjectName(name, 'a MaintenanceCampaign')
}
