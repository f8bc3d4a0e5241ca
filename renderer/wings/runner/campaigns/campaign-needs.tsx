import { type ReactNode, useEffect, useMemo } from 'react'
import type { CampaignSummary } from '../../../../shared/contract/index.ts'
import { hashOf } from '../../../stores/route.ts'
import { Age } from '../../../ui/when.tsx'
import { followCampaignsFromAfar } from '../bridge/campaigns.ts'
import { campaignKeyOf, placeKeyOf, type Reading, useCampaigns } from '../stores/campaigns.ts'

/** Campaigns that need you, with a line for each. `unread`: the runners that did not answer; null if not asked yet. */
export function useNeeds(): {
  readonly amount: number
  readonly unread: readonly string[] | null
  readonly lines: (onLeave: () => void) => ReactNode
} {
  useEffect(followCampaignsFromAfar, [])
  const { campaigns, unread } = useNeedyCampaigns()
  const lines = (onLeave: () => void) =>
    campaigns.map(each => <CampaignLine key={campaignKeyOf(each, each.name)} campaign={each} onLeave={onLeave} />)
  return { amount: campaigns.length, unread, lines }
}

/** Stopped and paused campaigns of the known runners. `unread`: the runners that did not answer; null if not asked yet. */
function useNeedyCampaigns(): {
  readonly campaigns: readonly CampaignSummary[]
  readonly unread: readonly string[] | null
} {
  const runners = useCampaigns(store => store.runners)
  const lists = useCampaigns(store => store.lists)
  return useMemo(() => {
    if (runners === null) return { campaigns: [], unread: null }
    const runnersUnread = runners.kind === 'read' ? [] : ['the runners of this console']
    if (runners.kind === 'failed') return { campaigns: [], unread: runnersUnread }
    const places = [...new Set(runners.value.map(placeKeyOf))]
    const known = places.map(place => ({ place, list: lists.get(place) }))
    return {
      campaigns: known.flatMap(({ list }) => (list === undefined ? [] : campaignsThatNeedYou(list))),
      unread: known.some(({ list }) => list === undefined)
        ? null
        : [
            ...runnersUnread,
            ...known.flatMap(({ place, list }) => (list !== undefined && isUnread(list) ? [place] : [])),
          ],
    }
  }, [runners, lists])
}

/** A cluster without campaigns answers `not-found`, which does not count as unread. */
function isUnread(list: Reading<readonly CampaignSummary[]>): boolean {
  return list.kind === 'old' || (list.kind === 'failed' && list.failure.code !== 'not-found')
}

function campaignsThatNeedYou(list: Reading<readonly CampaignSummary[]>): readonly CampaignSummary[] {
  if (list.kind === 'failed') return []
  return list.value.filter(({ phase, endedAt }) => endedAt === null && (phase === 'Stopped' || phase === 'Paused'))
}

function CampaignLine({
  campaign: { name, by, namespace, message, hold },
  onLeave,
}: {
  readonly campaign: CampaignSummary
  readonly onLeave: () => void
}): ReactNode {
  return (
    <li className="bell-need run-tone-waits">
      <a href={hashOf({ kind: 'campaign', by, namespace, name })} onClick={onLeave}>
        Campaign {name}
      </a>{' '}
      <span className="quiet mono">{by}</span>
      <br />
      {message}
      {hold?.since == null ? null : (
        <span className="quiet nowrap">
          {' '}
          <Age at={hold.since} />
        </span>
      )}
    </li>
  )
}
