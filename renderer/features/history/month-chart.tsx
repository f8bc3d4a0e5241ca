import { memo, type ReactNode, useMemo } from 'react'
import { Bar, BarChart, CartesianGrid, Legend, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { MeasuredNode } from '../../../shared/domain/history.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { dateAndTime } from '../../../shared/grammar/times.ts'
import { lastDays } from '../../geometry/last-days.ts'
import { usePreferences } from '../../stores/preferences.ts'

interface Props {
  readonly measured: readonly MeasuredNode[]
  readonly nowMs: number
}

const SERIES = [
  { key: 'out', name: 'Taken out', fill: 'var(--maintenance)' },
  { key: 'back', name: 'Brought back', fill: 'var(--verified)' },
  { key: 'both', name: 'Out and back in one run', fill: 'var(--moving)' },
] as const

/** How many nodes went out and came back on each of the last 30 days. */
export const MonthChart = memo(function MonthChart({ measured, nowMs }: Props): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const days = useMemo(
    () => lastDays(measured, nowMs, ms => dateAndTime(new Date(ms).toISOString(), clock).slice(0, 10)),
    [measured, nowMs, clock],
  )
  const total = (key: 'out' | 'back' | 'both') => days.reduce((sum, day) => sum + day[key], 0)
  const tick = { fill: 'var(--dim)', fontSize: 12 }
  return (
    <div
      className="hist-chart"
      role="img"
      aria-label={`The last 30 days: ${counted(total('out'), 'node')} taken out, ${total('back')} brought back, ${total('both')} out and back in one run`}
    >
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={[...days]} margin={{ top: 14, right: 16, bottom: 0, left: 4 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis
            dataKey="day"
            tickFormatter={(day: string) => day.slice(5)}
            tick={tick}
            stroke="var(--line-strong)"
            minTickGap={28}
            height={24}
          />
          <YAxis allowDecimals={false} tick={tick} stroke="var(--line-strong)" width={36} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--sunken)' }}
            contentStyle={{
              background: 'var(--card-raised)',
              border: 0,
              borderRadius: 8,
              boxShadow: 'var(--shadow-2)',
            }}
          />
          <Legend verticalAlign="top" align="left" height={28} iconSize={12} itemSorter={null} />
          {SERIES.map(({ key, name, fill }) => (
            <Bar key={key} dataKey={key} name={name} fill={fill} stackId="nodes" isAnimationActive={false} />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
})
