import { type ReactNode, useMemo } from 'react'
import { Area, CartesianGrid, ComposedChart, ReferenceLine, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import type { InstanceAttempt } from '../../../shared/domain/instance-attempts.ts'
import { bytes } from '../../../shared/grammar/bytes.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'

interface Props {
  readonly copies: InstanceAttempt['copies']
  readonly startedAt: string
  /** The time since the start. */
  readonly nowMs: number
  /** Null without earlier moves. */
  readonly usualMs: number | null
}

const TICK = { fill: 'var(--dim)', fontSize: 12 }
const GIB = 1024 ** 3
/** As many points as there are pixels to draw them. */
const MOST_POINTS = 240

/** The memory left to copy over time: one that does not get done falls to a floor and stays there. */
export function MemoryChart({ copies, startedAt, nowMs, usualMs }: Props): ReactNode {
  const points = useMemo(() => pointsOf(copies, startedAt), [copies, startedAt])
  const least = useMemo(() => leastOf(copies), [copies])
  const most = Math.max(...points.map(({ left }) => left), 0)
  const heldMs = least === null ? 0 : nowMs - (Date.parse(least.at) - Date.parse(startedAt))
  const words =
    least === null || heldMs < 30_000 ? '' : `never below ${bytes(least.remaining)} for ${durationWords(heldMs)}`
  return (
    <figure className="memory-chart" aria-label={`Memory left to copy: ${words === '' ? 'falling' : words}`}>
      {words === '' ? null : <figcaption>{words}</figcaption>}
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart data={points} margin={{ top: 4, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid stroke="var(--line)" vertical={false} />
          <XAxis
            dataKey="ms"
            type="number"
            domain={[0, Math.max(nowMs, 1000)]}
            tickFormatter={ms => (Number(ms) === 0 ? '0' : durationWords(Number(ms)))}
            tick={TICK}
            stroke="var(--line-strong)"
            minTickGap={40}
            height={22}
          />
          <YAxis
            domain={[0, most]}
            tickCount={3}
            tickFormatter={value => String(Math.round(Number(value) * 10) / 10)}
            tick={TICK}
            stroke="var(--line-strong)"
            width={32}
          />
          <Area
            dataKey="left"
            type="linear"
            stroke="var(--waits)"
            strokeWidth={2}
            fill="var(--waits-ground)"
            dot={false}
            isAnimationActive={false}
          />
          {usualMs === null ? null : (
            <ReferenceLine
              segment={[
                { x: 0, y: most },
                { x: Math.min(usualMs, nowMs), y: 0 },
              ]}
              stroke="var(--moving)"
              strokeDasharray="4 3"
              strokeWidth={2}
              label={{ value: 'usual', position: 'insideTopRight', fill: 'var(--moving)', fontSize: 12 }}
            />
          )}
        </ComposedChart>
      </ResponsiveContainer>
    </figure>
  )
}

function pointsOf(
  copies: Props['copies'],
  startedAt: string,
): readonly { readonly ms: number; readonly left: number }[] {
  const every = Math.ceil(copies.length / MOST_POINTS)
  const fromMs = Date.parse(startedAt)
  const first = copies[0]
  return [
    ...(first === undefined ? [] : [{ ms: 0, left: first.total / GIB }]),
    ...copies
      .filter((_, at) => at % every === 0 || at === copies.length - 1)
      .map(({ at, remaining }) => ({ ms: Date.parse(at) - fromMs, left: remaining / GIB })),
  ]
}

function leastOf(copies: Props['copies']): Props['copies'][number] | null {
  return copies.reduce<Props['copies'][number] | null>(
    (least, copy) => (least === null || copy.remaining < least.remaining ? copy : least),
    null,
  )
}
