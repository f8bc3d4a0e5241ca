import { InputGroup } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import { isObjectName } from '../../../shared/domain/object-name.ts'
import { noObjectName } from '../../../shared/words/object-names.ts'
import { openCampaignsOf } from '../../bridge/campaigns.ts'
import { Said } from '../said.tsx'

interface Props {
  readonly cluster: string
  /** As it is typed; empty: none. */
  readonly campaign: string
  readonly onCampaign: (campaign: string) => void
}

/** Which campaign says when a run in the cluster begins; folded, for most begin by themselves. */
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
      <summary>
        {campaign.trim() === '' ? 'It begins by itself' : `It begins when campaign ${campaign.trim()} says so`}
      </summary>
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
          The name of a campaign of the runner, made before or afterwards. The run waits until that says so, at most a
          day; the name cannot be changed.
          {why === null ? null : (
            <>
              {' '}
              Which campaigns there are cannot be read: <Said text={why} />
            </>
          )}
        </p>
      </div>
    </details>
  )
}

/** Why a typed campaign cannot be named; null: it can, or none is. */
export function whyNoCampaign(campaign: string): string | null {
  const name = campaign.trim()
  return name === '' || isObjectName(name) ? null : noObjectName(name, 'a MaintenanceCampaign')
}
