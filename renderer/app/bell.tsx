import { Button, PopoverNext } from '@blueprintjs/core'
import { NotificationsIcon } from '@blueprintjs/icons'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { CampaignSummary, ListedWindow, RunSummary } from '../../shared/contract/index.ts'
import { needsSomebody } from '../../shared/domain/run-condition.ts'
import type { WindowStatus } from '../../shared/domain/window.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { runTitle } from '../../shared/words/runs.ts'
import { windowLabel } from '../../shared/words/windows.ts'
import { clusterRoute, hashOf } from '../stores/route.ts'
import { useRuns } from '../stores/runs.ts'
import { useTicks } from '../stores/ticks.ts'
import { useToasts } from '../stores/toasts.ts'
import { statusAt, useWindows } from '../stores/windows.ts'
import { sinceOf, toneOf } from '../ui/runs/live-runs.ts'
import { Named } from '../ui/runs/named.tsx'
import { useLiveRuns } from '../ui/runs/use-live-runs.ts'
import { Age, When } from '../ui/when.tsx'
import { followCampaignsFromAfar } from '../wings/runner/bridge/campaigns.ts'
import { campaignKeyOf, placeKeyOf, type Reading, useCampaigns } from '../wings/runner/stores/campaigns.ts'

/** What needs you on any cloud: how many things, which ones, since when, and links to them. */
export function Bell(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  useEffect(followCampaignsFromAfar, [])
  const areRunsRead = useRuns(store => store.list !== null)
  const windowList = useWindows(store => store.list)
  const minute = useTicks(({ nowMs }) => Math.floor(nowMs / 60_000))
  const runs = useLiveRuns().filter(({ condition }) => needsSomebody(condition) || condition.kind === 'over')
  const windows = useMemo(
    () => (windowList ?? []).filter(each => whyWindowNeedsYou(each, statusAt(each, minute * 60_000)) !== null),
    [windowList, minute],
  )
  const { campaigns, unread } = useNeedyCampaigns()
  const isRead = areRunsRead && windowList !== null && unread !== null
  const amount = runs.length + windows.length + campaigns.length
  const title =
    amount > 0
      ? `${counted(amount, 'thing needs', 'things need')} you`
      : !isRead
        ? 'Lockkeeper has not read yet what needs you'
        : unread.length > 0
          ? 'Nothing needs you. Some sources did not answer.'
          : 'Nothing needs you'
  return (
    <PopoverNext
      content={<Needs {...{ runs, windows, campaigns, unread, isRead }} onLeave={() => setOpen(false)} />}
      placement="bottom-end"
      isOpen={isOpen}
      onInteraction={setOpen}
    >
      <Button variant="minimal" className="bell" icon={<NotificationsIcon />} aria-label={title} title={title}>
        {amount === 0 ? null : (
          <span className="bell-count" aria-hidden>
            {amount}
          </span>
        )}
      </Button>
    </PopoverNext>
  )
}

/** Why a window needs you: it is past its end, or it did not start automatically. Null: it does not. */
function whyWindowNeedsYou({ window, runs }: ListedWindow, status: WindowStatus): NeededWindow | null {
  if (status === 'overrunning' || status === 'over') return { words: PAST_END, since: window.endsAt }
  const state = window.start?.state
  if (status === 'closed' || status === 'cancelled' || state?.kind !== 'missed' || runs.length > 0) return null
  return { words: `Did not start automatically. ${state.why}`, since: state.at }
}

/** Stopped and paused campaigns of the known runners. `unread`: the runners that did not answer; null: not asked yet. */
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

const PAST_END = 'It is past its end and still open.'

interface NeededWindow {
  readonly words: string
  readonly since: string
}

interface NeedsProps {
  readonly runs: readonly RunSummary[]
  readonly windows: readonly ListedWindow[]
  readonly campaigns: readonly CampaignSummary[]
  /** Where campaigns could not be read; null: not asked yet. */
  readonly unread: readonly string[] | null
  /** Whether runs, windows and campaigns were read. Until then the bell claims nothing. */
  readonly isRead: boolean
  readonly onLeave: () => void
}

function Needs({ runs, windows, campaigns, unread, isRead, onLeave }: NeedsProps): ReactNode {
  return (
    <div className="said">
      <section aria-label="Needs you">
        <h3>Needs you</h3>
        {runs.length + windows.length + campaigns.length > 0 ? null : (
          <p className="quiet">
            {!isRead
              ? 'Not read yet.'
              : unread?.length === 0
                ? 'No run, window or campaign needs you.'
                : 'No run or window needs you.'}
          </p>
        )}
        <ul>
          {runs.map(run => (
            <NeedLine key={run.id} run={run} onLeave={onLeave} />
          ))}
          {windows.map(each => (
            <WindowLine key={each.window.id} listed={each} onLeave={onLeave} />
          ))}
          {campaigns.map(each => (
            <CampaignLine key={campaignKeyOf(each, each.name)} campaign={each} onLeave={onLeave} />
          ))}
        </ul>
        {unread === null || unread.length === 0 ? null : (
          <p className="caution small">Campaigns could not be read: {unread.join(', ')}.</p>
        )}
      </section>
      <Said />
    </div>
  )
}

function WindowLine({ listed, onLeave }: { readonly listed: ListedWindow; readonly onLeave: () => void }): ReactNode {
  const { window } = listed
  const status = useTicks(store => statusAt(listed, store.nowMs))
  const needs = whyWindowNeedsYou(listed, status)
  return needs === null ? null : (
    <li className="bell-need run-tone-waits">
      <a href={hashOf({ kind: 'window', id: window.id })} onClick={onLeave}>
        Window {windowLabel(window)}
      </a>{' '}
      <span className="quiet mono">{window.cluster}</span>
      <br />
      {needs.words}{' '}
      <span className="quiet nowrap">
        <Age at={needs.since} />
      </span>
    </li>
  )
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

function NeedLine({ run, onLeave }: { readonly run: RunSummary; readonly onLeave: () => void }): ReactNode {
  const since = sinceOf(run)
  return (
    <li className={`bell-need run-tone-${toneOf(run.condition)}`}>
      <a href={hashOf(clusterRoute(run.cluster, 'runs', { runId: run.id }))} onClick={onLeave}>
        <Named title={runTitle(run)} />
      </a>{' '}
      <span className="quiet mono">{run.cluster}</span>
      <br />
      {run.summary}
      {since === null ? null : (
        <span className="quiet nowrap">
          {' '}
          <Age at={since} />
        </span>
      )}
    </li>
  )
}

/** Messages since the page was opened, newest first. */
function Said(): ReactNode {
  const said = useToasts(store => store.said)
  if (said.length === 0) return null
  return (
    <details>
      <summary>Messages since this page was opened ({said.length})</summary>
      <ol>
        {said.toReversed().map(({ id, at, text }) => (
          <li key={id}>
            <span className="quiet">
              <When at={at} short />
            </span>{' '}
            {text}
          </li>
        ))}
      </ol>
    </details>
  )
}
