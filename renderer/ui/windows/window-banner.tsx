import type { ReactNode } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import type { TimeVerdict } from '../../../shared/domain/estimate.ts'
import { mayShowEnd } from '../../../shared/domain/run-condition.ts'
import { conditionTitle } from '../../../shared/words/runs.ts'
import { timeLeft, VERDICT_WORDS } from '../../../shared/words/windows.ts'
import { hashOf } from '../../stores/route.ts'
import { isFinished } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastRead } from '../../stores/updates.ts'
import { statusAt, useWindows } from '../../stores/windows.ts'
import { WhenMinute } from '../when.tsx'
import { useForecast } from './use-forecast.ts'
import './window-banner.css'

/** The open windows of a cluster: until when, and where the work is heading. */
export function WindowBanner({ cluster }: { readonly cluster: string }): ReactNode {
  const own = useWindows(useShallow(store => (store.list ?? []).filter(({ window }) => window.cluster === cluster)))
  const ids = useTicks(({ nowMs }) =>
    own
      .filter(each => ['open', 'overrunning'].includes(statusAt(each, nowMs)))
      .map(({ window }) => window.id)
      .join(' '),
  )
  if (ids === '') return null
  const open = new Set(ids.split(' '))
  return own.filter(({ window }) => open.has(window.id)).map(each => <Line key={each.window.id} listed={each} />)
}

function Line({ listed }: { readonly listed: ListedWindow }): ReactNode {
  const { window, runs } = listed
  const status = useTicks(store => statusAt(listed, store.nowMs))
  const left = useTicks(store => timeLeft(window, status, store.nowMs))
  const working = runs.filter(run => !isFinished(run))
  const still = working.find(({ condition }) => !mayShowEnd(condition))
  return (
    <div className="banner win-banner row wrap" data-tone={status === 'overrunning' ? 'failed' : 'verified'}>
      <span>
        Window <a href={hashOf({ kind: 'window', id: window.id })}>{window.title}</a> is open until{' '}
        <WhenMinute at={window.endsAt} />, <b>{left}</b>.
      </span>
      {still !== undefined ? (
        <span>
          <b className="caution">{conditionTitle(still.condition)}</b>: {still.summary}
        </span>
      ) : working.length > 0 ? (
        <Heading id={window.id} cluster={window.cluster} />
      ) : null}
    </div>
  )
}

/** The colour of an expected end. */
export const VERDICT_TONES: Readonly<Record<TimeVerdict, string>> = {
  'in-time': 'good',
  'may-overrun': 'caution',
  overruns: 'bad',
  'not-known': '',
}

function Heading({ id, cluster }: { readonly id: string; readonly cluster: string }): ReactNode {
  const forecast = lastRead(useForecast(id, cluster))
  if (forecast === null || forecast.eta === null) return null
  return (
    <span>
      Done by <WhenMinute at={forecast.eta.highAt} />:{' '}
      <b className={VERDICT_TONES[forecast.verdict]}>{VERDICT_WORDS[forecast.verdict]}</b>.
    </span>
  )
}
