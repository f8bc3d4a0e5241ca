import type { ReactNode } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { zonedStamp } from '../../../shared/grammar/times.ts'
import type { CalendarDay } from '../../geometry/week-calendar.ts'
import { useClusterColour } from '../../stores/clusters.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { statusAt } from '../../stores/windows.ts'
import { WEEKDAYS } from './week-days.ts'
import './week-calendar.css'

interface Props {
  readonly windows: readonly ListedWindow[]
  readonly days: readonly (CalendarDay & { readonly isOther: boolean })[]
  readonly zone: string
  readonly nowMs: number
}

/** The windows of a month, by day. */
export function MonthCalendar({ windows, days, zone, nowMs }: Props): ReactNode {
  return (
    <section className="cal-month card" aria-label="Windows of all clouds in a month">
      {WEEKDAYS.map(day => (
        <span key={day} className="cal-weekday" aria-hidden="true">
          {day}
        </span>
      ))}
      {days.map(day => (
        <div
          key={day.date}
          className="cal-cell"
          data-other={day.isOther}
          data-today={nowMs >= day.fromMs && nowMs < day.toMs}
        >
          <b>{Number(day.date.slice(8))}</b>
          {windows
            .filter(({ window }) => Date.parse(window.startsAt) < day.toMs && Date.parse(window.endsAt) > day.fromMs)
            .toSorted((a, b) => Date.parse(a.window.startsAt) - Date.parse(b.window.startsAt))
            .map(listed => (
              <Entry key={listed.window.id} listed={listed} day={day} zone={zone} />
            ))}
        </div>
      ))}
    </section>
  )
}

function Entry({
  listed,
  day,
  zone,
}: {
  readonly listed: ListedWindow
  readonly day: CalendarDay
  readonly zone: string
}): ReactNode {
  const { window } = listed
  const colour = useClusterColour(window.cluster)
  const status = useTicks(store => statusAt(listed, store.nowMs))
  const startsHere = Date.parse(window.startsAt) >= day.fromMs
  return (
    <a
      className={`cal-entry cut status-${status}`}
      style={{ borderColor: colour }}
      href={hashOf({ kind: 'window', id: window.id })}
      title={`${window.title} on ${window.cluster}`}
    >
      {startsHere ? `${(zonedStamp(window.startsAt, zone) ?? '').slice(11, 16)} ` : '… '}
      {window.title}
    </a>
  )
}
