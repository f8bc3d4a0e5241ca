import { type ReactNode, useMemo } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { dateAndTime } from '../../../shared/grammar/times.ts'
import { STATUS_WORDS } from '../../../shared/words/windows.ts'
import { axisTicks, barOn, linesOf, pointOn, type TimeAxis } from '../../geometry/window-axis.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { statusAt } from '../../stores/windows.ts'
import { ClusterName } from '../../ui/clusters/cluster-name.tsx'

interface Props {
  readonly axis: TimeAxis
  readonly clusters: readonly string[]
  readonly windows: readonly ListedWindow[]
}

const LINE_PX = 26
/** The share of the axis that a title beside its bar takes. */
const LABEL_SHARE = 0.24

function isNarrow(axis: TimeAxis, { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): boolean {
  return (toMs - fromMs) / (axis.toMs - axis.fromMs) < 0.15
}

/** The windows of all clusters on one axis of time, with a line at the present. */
export function WindowChart({ axis, clusters, windows }: Props): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const offset = clock === 'utc' ? 0 : -new Date(axis.fromMs).getTimezoneOffset()
  const ticks = axisTicks(axis, offset)
  const whole = axis.toMs - axis.fromMs
  // Rounded, so that the chart is not drawn every second: a pixel is minutes.
  const now = useTicks(store => pointOn(axis, Math.floor(store.nowMs / 10_000) * 10_000))
  return (
    <section className="win-chart card" aria-label="Windows of all clouds over time">
      <div className="win-axis" aria-hidden="true">
        <span />
        <div className="win-track">
          {ticks.map(at => (
            <span key={at} className="win-tick" style={{ left: `${((at - axis.fromMs) / whole) * 100}%` }}>
              {tickWords(at, clock, whole)}
            </span>
          ))}
        </div>
      </div>
      {clusters.map(cluster => (
        <Row
          key={cluster}
          axis={axis}
          cluster={cluster}
          windows={windows.filter(({ window }) => window.cluster === cluster)}
          ticks={ticks}
          nowPercent={now}
        />
      ))}
    </section>
  )
}

interface RowProps {
  readonly axis: TimeAxis
  readonly cluster: string
  readonly windows: readonly ListedWindow[]
  readonly ticks: readonly number[]
  readonly nowPercent: number | null
}

function Row({ axis, cluster, windows, ticks, nowPercent }: RowProps): ReactNode {
  const shown = useMemo(
    () =>
      windows.map(listed => ({
        listed,
        id: listed.window.id,
        fromMs: Date.parse(listed.window.startsAt),
        toMs: Date.parse(listed.window.endsAt),
      })),
    [windows],
  )
  const visible = shown.filter(each => barOn(axis, each) !== null)
  const whole = axis.toMs - axis.fromMs
  // A short window has its title beside it, where nothing else may lie.
  const lines = linesOf(
    visible.map(each => (isNarrow(axis, each) ? { ...each, toMs: each.fromMs + whole * LABEL_SHARE } : each)),
  )
  const height = Math.max(1, ...[...lines.values()].map(line => line + 1)) * LINE_PX + 8
  return (
    <div className="win-row">
      <div className="win-row-name">
        <ClusterName name={cluster} />
      </div>
      <div className="win-track" style={{ height }}>
        {ticks.map(at => (
          <span key={at} className="win-grid" style={{ left: `${((at - axis.fromMs) / whole) * 100}%` }} />
        ))}
        {nowPercent === null ? null : <span className="win-now" style={{ left: `${nowPercent}%` }} />}
        {visible.map(({ listed, id, fromMs, toMs }) => (
          <Bar key={id} axis={axis} listed={listed} fromMs={fromMs} toMs={toMs} line={lines.get(id) ?? 0} />
        ))}
      </div>
    </div>
  )
}

interface BarProps {
  readonly axis: TimeAxis
  readonly listed: ListedWindow
  readonly fromMs: number
  readonly toMs: number
  readonly line: number
}

function Bar({ axis, listed, fromMs, toMs, line }: BarProps): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const status = useTicks(store => statusAt(listed, store.nowMs))
  // A late window continues until now.
  const endMs = useTicks(store =>
    status === 'overrunning' ? Math.max(toMs, Math.floor(store.nowMs / 10_000) * 10_000) : toMs,
  )
  const bar = barOn(axis, { fromMs, toMs: endMs })
  if (bar === null) return null
  const { window } = listed
  const times = `${dateAndTime(window.startsAt, clock)} to ${dateAndTime(window.endsAt, clock)}`
  return (
    <a
      className={`win-bar status-${status}${isNarrow(axis, { fromMs, toMs: endMs }) ? ' win-bar-narrow' : ''}`}
      style={{ left: `${bar.leftPercent}%`, width: `${bar.widthPercent}%`, top: 4 + line * LINE_PX }}
      href={hashOf({ kind: 'window', id: window.id })}
      title={`${window.title}: ${STATUS_WORDS[status]}, ${times}`}
      aria-label={`${window.title} on ${window.cluster}, ${STATUS_WORDS[status]}, ${times}`}
    >
      <span>{window.title}</span>
    </a>
  )
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

/** A day by its date, an hour by its time. */
function tickWords(atMs: number, clock: 'local' | 'utc', wholeMs: number): string {
  const at = new Date(atMs)
  const text = dateAndTime(at.toISOString(), clock)
  if (wholeMs <= 3 * 86_400_000 && !text.endsWith(' 00:00:00')) return text.slice(11, 16)
  return `${WEEKDAYS[clock === 'utc' ? at.getUTCDay() : at.getDay()]} ${text.slice(5, 10)}`
}
