import type { ReactNode } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { zonedStamp } from '../../../shared/grammar/times.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { hashOf } from '../../stores/route.ts'
import { ClusterName } from '../clusters/cluster-name.tsx'
import { WindowLine } from './window-line.tsx'
import './window-card.css'

const DAY_MS = 86_400_000
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** A window with its day, its times and its one line, as Home and the Schedule show it. */
export function WindowCard({ listed }: { readonly listed: ListedWindow }): ReactNode {
  const { window } = listed
  const zone = useShownZone()
  const from = zonedStamp(window.startsAt, zone) ?? ''
  const to = zonedStamp(window.endsAt, zone) ?? ''
  const date = from.slice(0, 10)
  const isLong = Date.parse(window.endsAt) - Date.parse(window.startsAt) >= DAY_MS
  return (
    <a className="win-item" href={hashOf({ kind: 'window', id: window.id })}>
      <time className="date-block" dateTime={window.startsAt}>
        <span className="visually-hidden">{date}</span>
        <span aria-hidden="true">{WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]}</span>
        <b aria-hidden="true">{date.slice(8)}</b>
      </time>
      <span className="win-item-words">
        <b>{window.title}</b>
        <span className="small quiet">
          <ClusterName name={window.cluster} /> · {from.slice(11, 16)} to {isLong ? `${to.slice(5, 10)} ` : ''}
          {to.slice(11, 16)}
          {window.ticket === '' ? '' : ` · ${window.ticket}`}
        </span>
        <WindowLine listed={listed} />
      </span>
    </a>
  )
}

/** The zone in which the Schedule shows times: UTC, or this computer's. */
export function useShownZone(): string {
  return usePreferences(({ preferences: { clock } }) =>
    clock === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone,
  )
}
