import { Button, PopoverNext } from '@blueprintjs/core'
import { NotificationsIcon } from '@blueprintjs/icons'
import { type ReactNode, useMemo, useState } from 'react'
import type { ListedWindow, RunSummary } from '../../shared/contract/index.ts'
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
import { useNeedsOfWings } from './wings.tsx'

/** What needs you on any cloud: how many things, which ones, since when, and links to them. */
export function Bell(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const areRunsRead = useRuns(store => store.list !== null)
  const windowList = useWindows(store => store.list)
  const minute = useTicks(({ nowMs }) => Math.floor(nowMs / 60_000))
  const runs = useLiveRuns().filter(({ condition }) => needsSomebody(condition) || condition.kind === 'over')
  const windows = useMemo(
    () => (windowList ?? []).filter(each => whyWindowNeedsYou(each, statusAt(each, minute * 60_000)) !== null),
    [windowList, minute],
  )
  const { amount: others, unread, lines } = useNeedsOfWings()
  const isRead = areRunsRead && windowList !== null && unread !== null
  const amount = runs.length + windows.length + others
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
      content={<Needs {...{ runs, windows, others, lines, unread, isRead }} onLeave={() => setOpen(false)} />}
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

/** Why a window needs you: it is past its end, or it did not start automatically. Null if it does not. */
function whyWindowNeedsYou({ window, runs }: ListedWindow, status: WindowStatus): NeededWindow | null {
  if (status === 'overrunning' || status === 'over') return { words: PAST_END, since: window.endsAt }
  const state = window.start?.state
  if (status === 'closed' || status === 'cancelled' || state?.kind !== 'missed' || runs.length > 0) return null
  return { words: `Did not start automatically. ${state.why}`, since: state.at }
}

const PAST_END = 'It is past its end and still open.'

interface NeededWindow {
  readonly words: string
  readonly since: string
}

interface NeedsProps {
  readonly runs: readonly RunSummary[]
  readonly windows: readonly ListedWindow[]
  /** How much else needs you, and a line for each. */
  readonly others: number
  readonly lines: (onLeave: () => void) => ReactNode
  /** The clusters whose campaigns could not be read; null if not asked yet. */
  readonly unread: readonly string[] | null
  /** Whether runs, windows and campaigns were read. Until then the bell claims nothing. */
  readonly isRead: boolean
  readonly onLeave: () => void
}

function Needs({ runs, windows, others, lines, unread, isRead, onLeave }: NeedsProps): ReactNode {
  return (
    <div className="said">
      <section aria-label="Needs you">
        <h3>Needs you</h3>
        {runs.length + windows.length + others > 0 ? null : (
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
          {lines(onLeave)}
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

function NeedLine({ run, onLeave }: { readonly run: RunSummary; readonly onLeave: () => void }): ReactNode {
  const since = sinceOf(run)
  return (
    <li className={`bell-need run-tone-${toneOf(run.condition)}`}>
      <a href={hashOf(clusterRoute(run.cluster, 'history', { runId: run.id }))} onClick={onLeave}>
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
