import { AnchorButton, Button, HTMLSelect, NonIdealState, SegmentedControl, Spinner } from '@blueprintjs/core'
import { type ReactNode, useMemo } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { planWords, timeLeft } from '../../../shared/words/windows.ts'
import { listWindows } from '../../bridge/windows.ts'
import type { TimeAxis } from '../../geometry/window-axis.ts'
import { useClusters } from '../../stores/clusters.ts'
import { isJournalOnlyRead, useJournal } from '../../stores/journal.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { hashOf } from '../../stores/route.ts'
import { isFinished } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'
import { statusAt, useWindows } from '../../stores/windows.ts'
import {
  lookAtWindows,
  type ScheduleDisplay,
  useScheduleDisplay,
  WINDOW_VIEWS,
  type WindowView,
} from '../../stores/windows-look.ts'
import { ClusterName } from '../../ui/clusters/cluster-name.tsx'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { CalendarFile } from './calendar-file.tsx'
import { WeekCalendar } from './week-calendar.tsx'
import { WindowChart } from './window-chart.tsx'
import { WindowStatusTag } from './window-status-tag.tsx'
import { WindowTimes } from './window-times.tsx'
import './windows.css'

const OF_NOW = new Set(['planned', 'open', 'overrunning', 'over'])

const HOUR_MS = 3_600_000
const SPANS: Readonly<Record<WindowView, { readonly label: string; readonly hours: number }>> = {
  calendar: { label: 'Calendar', hours: 168 },
  day: { label: 'Day', hours: 24 },
  week: { label: 'Week', hours: 168 },
  month: { label: 'Month', hours: 720 },
}

/** The windows of all clusters, side by side. */
export function WindowsScreen(): ReactNode {
  const list = useWindows(store => store.list)
  const failure = useWindows(store => store.listFailure)
  const isOnlyRead = useJournal(isJournalOnlyRead)
  return (
    <div className="win">
      <div className="win-head row">
        <h1>Schedule</h1>
        {list?.length === 0 && !isOnlyRead ? null : <NewWindow />}
      </div>
      {failure === null ? null : (
        <FailureCallout title="The windows cannot be listed" failure={failure} onRetry={() => void listWindows()} />
      )}
      {list === null ? (
        failure === null ? (
          <Spinner size={24} aria-label="Reading the windows" />
        ) : null
      ) : list.length === 0 && isOnlyRead ? (
        <NonIdealState
          title="The journal has no window now"
          description="There may have been some: the note above says what is wrong with the journal."
        />
      ) : list.length === 0 ? (
        <NonIdealState
          title="No window is planned yet"
          description="A window says when work is done on a cloud, for which ticket, and on which nodes. Runs that start while it is open belong to it, and its report shows what happened. Work outside any window needs a reason."
          action={<NewWindow />}
        />
      ) : (
        <Windows />
      )}
    </div>
  )
}

function NewWindow(): ReactNode {
  return <AnchorButton intent="primary" text="New window" href={hashOf({ kind: 'new-window', cluster: null })} />
}

function Windows(): ReactNode {
  const list = useWindows(store => store.list)
  const clusters = useClusters(store => store.list)
  const minute = useTicks(store => Math.floor(store.nowMs / 60_000) * 60_000)
  const filter = useScheduleDisplay()
  const { view, shift } = filter
  const isCalendar = view === 'calendar'
  const { hours } = SPANS[view]
  const zone = usePreferences(({ preferences: { clock } }) =>
    clock === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone,
  )
  const all = useMemo(
    () => [
      ...new Set([
        ...(clusters.kind === 'listed' ? clusters.byName.keys() : []),
        // Also a removed cluster that is still in the filter.
        ...(filter.cluster === null ? [] : [filter.cluster]),
        ...(list ?? []).map(({ window }) => window.cluster),
      ]),
    ],
    [clusters, list, filter.cluster],
  )
  const shown = useMemo(() => filteredWindows(list ?? [], filter, minute), [list, filter, minute])
  const ofCluster = useMemo(
    () => (list ?? []).filter(({ window }) => filter.cluster === null || window.cluster === filter.cluster),
    [list, filter.cluster],
  )
  const rows = filter.cluster === null ? all : [filter.cluster]
  const axis: TimeAxis = useMemo(() => {
    // A part of the past stays in sight, more of it when the past is shown.
    const before = filter.when === 'now' ? 0.15 : 0.9
    const fromMs = minute + (shift - before) * hours * HOUR_MS
    return { fromMs, toMs: fromMs + hours * HOUR_MS }
  }, [minute, hours, shift, filter.when])
  return (
    <>
      <Tools all={all} windows={ofCluster} />
      <div className={isCalendar ? 'win-both' : undefined}>
        {isCalendar ? (
          <WeekCalendar windows={ofCluster} zone={zone} weeks={shift} onWeeks={setShift} />
        ) : (
          <WindowChart axis={axis} clusters={rows} windows={shown} />
        )}
        {shown.length === 0 ? (
          <p className="win-none quiet">
            {filter.when === 'now' ? 'No window is open or planned' : 'No window is past'}
            {filter.cluster === null ? '.' : ` on ${filter.cluster}.`}
          </p>
        ) : (
          <WindowTable windows={shown} />
        )}
      </div>
    </>
  )
}

interface ToolsProps {
  /** The names of all clusters. */
  readonly all: readonly string[]
  readonly windows: readonly ListedWindow[]
}

/** Which windows are shown, and of which time. */
function Tools({ all, windows }: ToolsProps): ReactNode {
  const filter = useScheduleDisplay()
  const { view, shift } = filter
  const step = view === 'calendar' ? 1 : 0.5
  return (
    <div className="win-tools row wrap">
      <SegmentedControl
        size="small"
        aria-label="Which windows"
        options={[
          { label: 'Open and planned', value: 'now' },
          { label: 'Past', value: 'past' },
        ]}
        value={filter.when}
        onValueChange={value => lookAtWindows({ when: value === 'past' ? 'past' : 'now' })}
      />
      <HTMLSelect
        aria-label="Cloud"
        value={filter.cluster ?? ''}
        options={[{ value: '', label: 'All clouds' }, ...all.map(name => ({ value: name, label: name }))]}
        onChange={({ currentTarget: { value } }) => lookAtWindows({ cluster: value === '' ? null : value })}
      />
      <span className="space" />
      <Button size="small" text="Earlier" onClick={() => setShift(shift - step)} />
      <Button size="small" text="Now" disabled={shift === 0} onClick={() => setShift(0)} />
      <Button size="small" text="Later" onClick={() => setShift(shift + step)} />
      <SegmentedControl
        size="small"
        aria-label="How much time is shown"
        options={WINDOW_VIEWS.map(value => ({ value, label: SPANS[value].label }))}
        value={view}
        onValueChange={value => {
          lookAtWindows({ view: WINDOW_VIEWS.find(each => each === value) ?? 'calendar' })
          setShift(0)
        }}
      />
      <CalendarFile name="windows" windows={windows} />
    </div>
  )
}

function setShift(shift: number): void {
  lookAtWindows({ shift })
}

/** The windows that pass: future ones by their beginning, past ones latest first. */
export function filteredWindows(
  list: readonly ListedWindow[],
  { cluster, when }: Pick<ScheduleDisplay, 'cluster' | 'when'>,
  nowMs: number,
): readonly ListedWindow[] {
  const passing = list.filter(
    each =>
      (cluster === null || each.window.cluster === cluster) && OF_NOW.has(statusAt(each, nowMs)) === (when === 'now'),
  )
  const direction = when === 'now' ? 1 : -1
  return passing.toSorted((a, b) => direction * (Date.parse(a.window.startsAt) - Date.parse(b.window.startsAt)))
}

/** Windows, one per line, each with a link to its page. */
function WindowTable({ windows }: { readonly windows: readonly ListedWindow[] }): ReactNode {
  return (
    <table className="table card win-table">
      <thead>
        <tr>
          <th scope="col">Window</th>
          <th scope="col">Cloud</th>
          <th scope="col">When</th>
          <th scope="col">Status</th>
          <th scope="col">Plan</th>
          <th scope="col">Runs</th>
        </tr>
      </thead>
      <tbody>
        {windows.map(listed => (
          <Line key={listed.window.id} listed={listed} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ listed }: { readonly listed: ListedWindow }): ReactNode {
  const { window, runs } = listed
  const status = useTicks(store => statusAt(listed, store.nowMs))
  const left = useTicks(store => timeLeft(window, status, store.nowMs))
  const working = runs.filter(run => !isFinished(run)).length
  return (
    <tr>
      <th scope="row">
        <a href={hashOf({ kind: 'window', id: window.id })}>{window.title}</a>
        {window.ticket === '' ? null : <div className="quiet">{window.ticket}</div>}
      </th>
      <td>
        <ClusterName name={window.cluster} />
      </td>
      <td>
        <WindowTimes window={window} />
      </td>
      <td>
        <WindowStatusTag status={status} />
        {left === '' ? null : <div className={status === 'overrunning' ? 'bad' : 'quiet'}>{left}</div>}
        {status === 'planned' && window.start?.state.kind === 'waits' ? (
          <div className="quiet">starts automatically</div>
        ) : null}
      </td>
      <td>{planWords(window.plan)}</td>
      <td>
        {runs.length === 0 ? <span className="quiet">none</span> : counted(runs.length, 'run')}
        {working === 0 ? null : <div className="win-working">{working} running</div>}
      </td>
    </tr>
  )
}
