import { memo, type ReactNode, useMemo } from 'react'
import { Area, AreaChart, ReferenceLine, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { migrationRates } from '../../geometry/timeline-rates.ts'
import { usePreferences } from '../../stores/preferences.ts'

interface Props {
  readonly samples: UpdateTimeline['samples']
  /** The moment that is shown; null: as it stands. */
  readonly atMs: number | null
}

interface FigurePoint {
  readonly atMs: number
  readonly value: number | null
}

/** Figures beside the timeline: instances still to leave, how fast they do, locks that are inactive. */
export const TimelineFigures = memo(function TimelineFigures({ samples, atMs }: Props): ReactNode {
  const figures = useMemo(() => {
    const of = (read: (sample: (typeof samples)[number]) => number | null) =>
      samples.map(sample => ({ atMs: Date.parse(sample.at), value: read(sample) }))
    return {
      remaining: of(({ instancesRemaining }) => instancesRemaining),
      rate: migrationRates(samples).map(point => ({ atMs: point.atMs, value: point.perMinute })),
      locks: of(({ locksInactive }) => locksInactive),
    }
  }, [samples])
  return (
    <>
      <Figure title="Instances still to leave" points={figures.remaining} atMs={atMs} tone="live_migrate" />
      <Figure title="Migrations done per minute" points={figures.rate} atMs={atMs} tone="ignore" />
      <Figure title="Locks inactive" points={figures.locks} atMs={atMs} tone="notify" />
    </>
  )
})

interface FigureProps {
  readonly title: string
  readonly points: readonly FigurePoint[]
  readonly atMs: number | null
  readonly tone: 'live_migrate' | 'ignore' | 'notify'
}

function Figure({ title, points, atMs, tone }: FigureProps): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const time = (ms: number) => timeOfDay(new Date(ms).toISOString(), clock)
  const known = points.filter(({ value }) => value !== null)
  const shown = (atMs === null ? known : known.filter(point => point.atMs <= atMs)).at(-1)?.value ?? null
  const colour = `var(--act-${tone})`
  return (
    <figure className="upd-figure card">
      <figcaption>
        {title}
        <b>{shown === null ? '?' : amount(shown)}</b>
      </figcaption>
      {known.length === 0 ? (
        <p className="quiet">Not known: nothing was counted yet.</p>
      ) : (
        <div className="upd-chart" role="img" aria-label={`${title}: ${shown === null ? 'not known' : amount(shown)}`}>
          <ResponsiveContainer width="100%" height="100%">
            <AreaChart data={[...points]} margin={{ top: 4, right: 4, bottom: 0, left: 0 }} accessibilityLayer={false}>
              <XAxis
                dataKey="atMs"
                type="number"
                domain={['dataMin', 'dataMax']}
                tickFormatter={ms => time(Number(ms)).slice(0, 5)}
                tick={{ fill: 'var(--ink-quiet)', fontSize: 10 }}
                stroke="var(--edge-strong)"
                minTickGap={24}
                height={18}
              />
              <YAxis
                allowDecimals={false}
                tick={{ fill: 'var(--ink-quiet)', fontSize: 10 }}
                stroke="var(--edge-strong)"
                width={28}
              />
              <Tooltip
                isAnimationActive={false}
                labelFormatter={ms => time(Number(ms))}
                formatter={value => [amount(Number(value)), title]}
                contentStyle={{ background: 'var(--sheet-raised)', borderColor: 'var(--edge-strong)', fontSize: 12 }}
                itemStyle={{ color: 'var(--ink)' }}
              />
              <Area
                dataKey="value"
                type="stepAfter"
                isAnimationActive={false}
                stroke={colour}
                fill={colour}
                fillOpacity={0.18}
                dot={points.length === 1}
              />
              {atMs === null ? null : <ReferenceLine x={atMs} stroke="var(--water)" />}
            </AreaChart>
          </ResponsiveContainer>
        </div>
      )}
    </figure>
  )
}

function amount(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1)
}
