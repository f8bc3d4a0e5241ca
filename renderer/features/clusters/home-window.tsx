import { CalendarIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { timeLeft } from '../../../shared/words/windows.ts'
import { isJournalOnlyRead, useJournal } from '../../stores/journal.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { statusAt, useWindows } from '../../stores/windows.ts'
import { WhenMinute } from '../../ui/when.tsx'
import { WindowLine } from '../../ui/windows/window-line.tsx'
import { HomeSection, RowFacts } from './home-section.tsx'

/** The open windows, else the next one, else that none is planned. */
export function HomeWindow(): ReactNode {
  const list = useWindows(store => store.list)
  const failed = useWindows(store => store.listFailure !== null)
  const isOnlyRead = useJournal(isJournalOnlyRead)
  const ids = useTicks(({ nowMs }) => shownIds(list ?? [], nowMs))
  const shown = (list ?? []).filter(({ window }) => ids.split(' ').includes(window.id))
  const isOpen = useTicks(({ nowMs }) => shown.some(each => statusAt(each, nowMs) !== 'planned'))
  return (
    <HomeSection title={isOpen ? 'Open window' : 'Next window'}>
      <ul className="home-list plain-list">
        {shown.map(each => (
          <WindowRow key={each.window.id} listed={each} />
        ))}
        {shown.length > 0 ? null : (
          <li className="home-quiet row">
            <CalendarIcon />
            <span className="grow">
              {list === null
                ? failed
                  ? 'The windows could not be read'
                  : 'Reading the windows…'
                : isOnlyRead
                  ? 'Unknown: the journal is only partly readable'
                  : 'No window planned'}
            </span>
            {list === null || isOnlyRead ? null : <a href={hashOf({ kind: 'new-window', cluster: null })}>Plan one</a>}
          </li>
        )}
      </ul>
    </HomeSection>
  )
}

function shownIds(list: readonly ListedWindow[], nowMs: number): string {
  const of = (...statuses: readonly string[]) => list.filter(each => statuses.includes(statusAt(each, nowMs)))
  const open = of('open', 'overrunning')
  const next = of('planned').toSorted((a, b) => a.window.startsAt.localeCompare(b.window.startsAt))
  return (open.length > 0 ? open : next.slice(0, 1)).map(({ window }) => window.id).join(' ')
}

function WindowRow({ listed }: { readonly listed: ListedWindow }): ReactNode {
  const { window } = listed
  const { id, title, cluster, startsAt, endsAt, ticket } = window
  const status = useTicks(({ nowMs }) => statusAt(listed, nowMs))
  const left = useTicks(({ nowMs }) => timeLeft(window, status, nowMs))
  const clock = usePreferences(store => store.preferences.clock)
  const [weekday, day] = ['weekday', 'day'].map(part =>
    new Intl.DateTimeFormat('en-GB', {
      [part]: part === 'day' ? 'numeric' : 'short',
      ...(clock === 'utc' ? { timeZone: 'UTC' } : {}),
    }).format(new Date(startsAt)),
  )
  return (
    <li className="home-window row">
      <span className="date-block" aria-hidden="true">
        {weekday}
        <b>{day}</b>
      </span>
      <div className="grow">
        <a className="strong" href={hashOf({ kind: 'window', id })}>
          {title}
        </a>
        <RowFacts cluster={cluster}>
          <span>
            <WhenMinute at={startsAt} /> to <WhenMinute at={endsAt} />
          </span>
          {ticket === '' ? null : <span>{ticket}</span>}
        </RowFacts>
        <small className={status === 'overrunning' ? 'caution' : 'quiet'}>{left}</small> <WindowLine listed={listed} />
      </div>
    </li>
  )
}
