import { AnchorButton, Button, ButtonGroup, HTMLSelect, SegmentedControl, Spinner } from '@blueprintjs/core'
import { ArrowLeftIcon, ArrowRightIcon } from '@blueprintjs/icons'
import { type ReactNode, useMemo } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { listWindows } from '../../bridge/windows.ts'
import { monthOf, weekOf } from '../../geometry/week-calendar.ts'
import { useClusters } from '../../stores/clusters.ts'
import { isJournalOnlyRead, useJournal } from '../../stores/journal.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { statusAt, useWindows } from '../../stores/windows.ts'
import { lookAtWindows, useScheduleDisplay, WINDOW_VIEWS, type WindowView } from '../../stores/windows-look.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { useShownZone, WindowCard } from '../../ui/windows/window-card.tsx'
import { CalendarFile } from './calendar-file.tsx'
import { MonthCalendar } from './month-calendar.tsx'
import { WeekCalendar } from './week-calendar.tsx'
import './windows.css'

const VIEW_WORDS: Readonly<Record<WindowView, string>> = { week: 'Week', month: 'Month' }
const NONE: readonly ListedWindow[] = []

/** The Schedule: a calendar of all clouds, and the list of their windows. */
export function WindowsScreen(): ReactNode {
  const list = useWindows(store => store.list)
  const failure = useWindows(store => store.listFailure)
  const { view, shift, cluster } = useScheduleDisplay()
  const zone = useShownZone()
  const minute = useTicks(store => Math.floor(store.nowMs / 60_000) * 60_000)
  const windows = useMemo(
    () => (list ?? NONE).filter(({ window }) => cluster === null || window.cluster === cluster),
    [list, cluster],
  )
  return (
    <div className="win win-schedule column">
      <Head windows={windows} />
      {failure === null ? null : (
        <FailureCallout title="The windows cannot be listed" failure={failure} onRetry={() => void listWindows()} />
      )}
      {list === null && failure === null ? <Spinner size={24} aria-label="Reading the windows" /> : null}
      {list === null ? null : (
        <div className="win-both stack space">
          {view === 'week' ? (
            <WeekCalendar
              windows={windows}
              zone={zone}
              cluster={cluster}
              weeks={shift}
              onWeeks={weeks => lookAtWindows({ shift: weeks })}
            />
          ) : (
            <MonthCalendar windows={windows} days={monthOf(minute, shift, zone)} zone={zone} nowMs={minute} />
          )}
          <WindowLists windows={windows} />
        </div>
      )}
    </div>
  )
}

/** The time that is shown, and what is done with it. */
function Head({ windows }: { readonly windows: readonly ListedWindow[] }): ReactNode {
  const { view, shift, cluster } = useScheduleDisplay()
  const zone = useShownZone()
  const list = useClusters(store => store.list)
  const minute = useTicks(store => Math.floor(store.nowMs / 60_000) * 60_000)
  const names = list.kind === 'listed' ? [...list.byName.keys()] : []
  // Also a removed cloud that is still in the filter.
  const all = [
    ...new Set([...names, ...(cluster === null ? [] : [cluster]), ...windows.map(each => each.window.cluster)]),
  ]
  const hasAny = useWindows(store => (store.list ?? []).length > 0)
  return (
    <div className="win-head row wrap">
      <h1>Schedule</h1>
      <ButtonGroup>
        <Button icon={<ArrowLeftIcon />} aria-label={`One ${view} earlier`} onClick={() => setShift(shift - 1)} />
        <Button text="Today" onClick={() => setShift(0)} />
        <Button icon={<ArrowRightIcon />} aria-label={`One ${view} later`} onClick={() => setShift(shift + 1)} />
      </ButtonGroup>
      <b className="win-shown" aria-live="polite">
        {shownWords(view, minute, shift, zone)}
      </b>
      <span className="space" />
      {all.length < 2 ? null : (
        <HTMLSelect
          aria-label="Cloud"
          value={cluster ?? ''}
          options={[{ value: '', label: 'All clouds' }, ...all.map(name => ({ value: name, label: name }))]}
          onChange={({ currentTarget: { value } }) => lookAtWindows({ cluster: value === '' ? null : value })}
        />
      )}
      <SegmentedControl
        size="small"
        aria-label="How much is shown"
        options={WINDOW_VIEWS.map(value => ({ value, label: VIEW_WORDS[value] }))}
        value={view}
        onValueChange={value => lookAtWindows({ view: value === 'month' ? 'month' : 'week', shift: 0 })}
      />
      {hasAny ? <NewWindow cluster={cluster} /> : null}
    </div>
  )
}

function NewWindow({ cluster }: { readonly cluster: string | null }): ReactNode {
  return <AnchorButton intent="primary" text="New window" href={hashOf({ kind: 'new-window', cluster })} />
}

function setShift(shift: number): void {
  lookAtWindows({ shift })
}

/** `23–29 November 2026`, or `November 2026`. */
function shownWords(view: WindowView, atMs: number, shift: number, zone: string): string {
  const month = (date: string) =>
    new Intl.DateTimeFormat('en-GB', { month: 'long', timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`))
  if (view === 'month') {
    const day = monthOf(atMs, shift, zone).find(({ isOther }) => !isOther)?.date ?? ''
    return `${month(day)} ${day.slice(0, 4)}`
  }
  const days = weekOf(atMs, shift, zone)
  const [first, last] = [days[0]?.date ?? '', days.at(-1)?.date ?? '']
  const from = first.slice(0, 7) === last.slice(0, 7) ? '' : ` ${month(first)}`
  return `${Number(first.slice(8))}${from}–${Number(last.slice(8))} ${month(last)} ${last.slice(0, 4)}`
}

/** What comes, and folded, what was. */
function WindowLists({ windows }: { readonly windows: readonly ListedWindow[] }): ReactNode {
  const minute = useTicks(store => Math.floor(store.nowMs / 60_000) * 60_000)
  const isOnlyRead = useJournal(isJournalOnlyRead)
  const cluster = useScheduleDisplay(store => store.cluster)
  const hasAny = useWindows(store => (store.list ?? []).length > 0)
  const { coming, past } = useMemo(() => comingAndPast(windows, minute), [windows, minute])
  return (
    <div className="win-lists">
      <section aria-labelledby="win-coming">
        <h2 id="win-coming">Upcoming</h2>
        {coming.length > 0 ? (
          <Cards windows={coming} />
        ) : (
          <div className="panel">
            {isOnlyRead && windows.length === 0 ? (
              <p>The journal has no window now. The note above says what is wrong with it.</p>
            ) : (
              <>
                <p className="quiet">
                  No window is planned{cluster === null ? '' : ` on ${cluster}`}. Drag in the calendar to plan one.
                </p>
                {hasAny ? null : <NewWindow cluster={cluster} />}
              </>
            )}
          </div>
        )}
      </section>
      {past.length === 0 ? null : (
        <details className="win-past">
          <summary>
            <h2>Past</h2> <span className="quiet">{counted(past.length, 'window')}</span>
          </summary>
          <Cards windows={past} />
        </details>
      )}
      {windows.length === 0 ? null : <CalendarFile name="windows" windows={windows} />}
    </div>
  )
}

function Cards({ windows }: { readonly windows: readonly ListedWindow[] }): ReactNode {
  return (
    <ul className="card plain-list win-list-card">
      {windows.map(listed => (
        <li key={listed.window.id}>
          <WindowCard listed={listed} />
        </li>
      ))}
    </ul>
  )
}

/** Future windows by their beginning, past ones latest first. */
export function comingAndPast(
  windows: readonly ListedWindow[],
  nowMs: number,
): { readonly coming: readonly ListedWindow[]; readonly past: readonly ListedWindow[] } {
  const isPast = (each: ListedWindow) => ['closed', 'cancelled'].includes(statusAt(each, nowMs))
  const byStart = windows.toSorted((a, b) => Date.parse(a.window.startsAt) - Date.parse(b.window.startsAt))
  return { coming: byStart.filter(each => !isPast(each)), past: byStart.filter(isPast).reverse() }
}
