import { memo, type ReactNode } from 'react'
import { Area, AreaChart, Tooltip, XAxis, YAxis } from 'recharts'
import type { CurvePoint } from '../../geometry/timeline-moves.ts'

interface Props {
  readonly points: readonly CurvePoint[]
  readonly width: number
  readonly height: number
  /** The figure and its moment at a place of the curve, in words. */
  readonly wordsAt: (x: number, value: number) => string
  /** Shows the moment at a place. */
  readonly onPick: (x: number) => void
}

/** One figure over time, on the axis of the timeline above it; a click shows its moment there. */
export const TimelineChart = memo(function TimelineChart({ points, width, height, wordsAt, onPick }: Props): ReactNode {
  const most = points.reduce((max, { value }) => Math.max(max, value ?? 0), 1)
  return (
    <AreaChart
      width={width}
      height={height}
      data={[...points]}
      margin={{ top: 3, right: 0, bottom: 1, left: 0 }}
      accessibilityLayer={false}
      onClick={({ activeLabel }) => {
        if (activeLabel !== undefined) onPick(Number(activeLabel))
      }}
    >
      <XAxis dataKey="x" type="number" domain={[0, width]} hide />
      <YAxis domain={[0, most]} hide />
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: 'var(--line-strong)' }}
        content={({ label, payload }) => {
          const value = payload?.[0]?.value
          return typeof value === 'number' ? (
            <span className="tl-curve-tip floats small">{wordsAt(Number(label), value)}</span>
          ) : null
        }}
      />
      <Area
        dataKey="value"
        type="stepAfter"
        stroke="var(--tone)"
        strokeWidth={1.6}
        fill="var(--tone)"
        fillOpacity={0.16}
        dot={false}
        activeDot={{ r: 3, strokeWidth: 0 }}
        isAnimationActive={false}
      />
    </AreaChart>
  )
})
