import { useMemo } from 'react'
import type { CampaignSummary } from '../../../../shared/contract/index.ts'
import { hashOf } from '../../../stores/route.ts'
import { useRuns } from '../../../stores/runs.ts'
import type { Need } from '../../../ui/needs/needs.ts'
import { placeKeyOf, type Reading, useCampaigns } from '../stores/campaigns.ts'

/** Campaigns that need you. `unread`: the runners that did not answer; null if not asked yet. */
export function useNeeds(): { readonly needs: readonly Need[]; readonly unread: readonly string[] | null } {
  const { campaigns, unread } = useNeedyCampaigns()
  return useMemo(() => ({ needs: campaigns.map(needOfCampaign), unread }), [campaigns, unread])
}

/** Whether a runner is known, or one of the listed runs was a runner's. */
export function useKnowsRunner(): boolean {
  const isKnown = useCampaigns(
    ({ runners }) => runners !== null && runners.kind !== 'failed' && runners.value.length > 0,
  )
  const hadOne = useRuns(({ list }) => list?.some(({ runner }) => runner !== undefined) ?? false)
  return isKnown || hadOne
}

function needOfCampaign({ name, by, namespace, message, hold }: CampaignSummary): Need {
  return {
    key: `campaign ${by}/${namespace}/${name}`,
    tone: 'waits',
    title: ['Campaign', name, 'needs you'],
    cluster: by,
    detail: message,
    since: hold?.since ?? null,
    href: hashOf({ kind: 'campaign', by, namespace, name }),
    about: { kind: 'elsewhere' },
  }
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
