import { memo, type ReactNode, useMemo } from 'react'
import {
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
  ZAxis,
} from 'recharts'
import type { ClusterDurations, DurationPart, DurationPoint } from '../../../shared/domain/duration-figures.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { dateAndTime } from '../../../shared/grammar/times.ts'
import { DURATION_PART_WORDS } from '../../../shared/words/history.ts'
import { durationTicks } from '../../geometry/duration-ticks.ts'
import { usePreferences } from '../../stores/preferences.ts'

interface Props {
  readonly durations: ClusterDurations
  /** The highlighted node; null if there is none. */
  readonly node: string | null
  readonly part: DurationPart
  readonly colour: string
}

const TICK = { fill: 'var(--dim)', fontSize: 12 }
const DAY_MS = 86_400_000
const TEN_MINUTES_MS = 600_000

/** Each measured duration as a point in time, with the median (usual) and the 90th percentile (slow); the table beside has the figures. */
export const DurationChart = memo(function DurationChart({ durations, node, part, colour }: Props): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const { points, all, cluster, nodes } = durations
  const shown = nodes.find(each => each.node === node)?.figures ?? all
  const [others, own] = useMemo(
    () => [points.filter(point => point.node !== node), points.filter(point => point.node === node)],
    [points, node],
  )
  const spanMs = (points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0)
  const ticks = useMemo(() => durationTicks(Math.max(...points.map(({ ms }) => ms), 0)), [points])
  const moment = (ms: number) => {
    const words = dateAndTime(new Date(ms).toISOString(), clock)
    if (spanMs > DAY_MS) return words.slice(0, 10)
    return spanMs < TEN_MINUTES_MS ? words.slice(11) : words.slice(11, 16)
  }
  return (
    <div
      className="hist-chart"
      role="img"
      aria-label={`${DURATION_PART_WORDS[part]} of ${node ?? `nodes of ${cluster}`} over time: ${counted(shown.count, 'time')}, usual ${durationWords(shown.medianMs)}, slow ${durationWords(shown.p90Ms)}`}
    >
      <ResponsiveContainer width="100%" height="100%">
        <ScatterChart margin={{ top: 14, right: 16, bottom: 0, left: 4 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis
            dataKey="atMs"
            type="number"
            domain={
              spanMs === 0 ? [(from: number) => from - 60_000, (to: number) => to + 60_000] : ['dataMin', 'dataMax']
            }
            padding={{ left: 12, right: 12 }}
            tickFormatter={ms => moment(Number(ms))}
            tick={TICK}
            stroke="var(--line-strong)"
            minTickGap={48}
            height={24}
          />
          <YAxis
            dataKey="ms"
            type="number"
            domain={[0, ticks.at(-1) ?? 'auto']}
            ticks={[...ticks]}
            interval={0}
            tickFormatter={ms => (Number(ms) === 0 ? '0' : durationWords(Number(ms)))}
            tick={TICK}
            stroke="var(--line-strong)"
            width={72}
          />
          <ZAxis range={[40, 40]} />
          <Tooltip
            isAnimationActive={false}
            cursor={false}
            content={({ payload }) => <PointWords points={points} payload={payload?.[0]?.payload} />}
          />
          <Scatter data={others} fill={colour} fillOpacity={node === null ? 0.75 : 0.25} isAnimationActive={false} />
          <Scatter data={own} fill="var(--ink)" isAnimationActive={false} />
          <ReferenceLine
            y={shown.medianMs}
            stroke="var(--ink)"
            label={lineLabel(`usual ${durationWords(shown.medianMs)}`, false)}
          />
          {shown.p90Ms === shown.medianMs ? null : (
            <ReferenceLine
              y={shown.p90Ms}
              stroke="var(--waits)"
              strokeDasharray="5 4"
              label={lineLabel(`slow ${durationWords(shown.p90Ms)}`, true)}
            />
          )}
        </ScatterChart>
      </ResponsiveContainer>
    </div>
  )
})

function PointWords({
  points,
  payload,
}: {
  readonly points: readonly DurationPoint[]
  readonly payload: unknown
}): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const point = points.find(each => each === payload)
  if (point === undefined) return null
  return (
    <div className="hist-point floats">
      <b>{point.node}</b>: {durationWords(point.ms)}
      <div className="quiet">{dateAndTime(new Date(point.atMs).toISOString(), clock)}</div>
    </div>
  )
}

function lineLabel(value: string, isCaution: boolean) {
  return {
    value,
    position: 'insideBottomRight',
    fill: isCaution ? 'var(--waits)' : 'var(--ink)',
    fontSize: 12,
    className: 'hist-line-label',
  } as const
}
