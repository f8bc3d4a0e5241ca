import { memo, type ReactNode, useMemo } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { type FigurePoint, figureAt, GIB, perMinute, stepPath } from '../../geometry/timeline-moves.ts'
import { migrationRates } from '../../geometry/timeline-rates.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { CURVE_PX, NAME_PX, RIGHT_PX } from './timeline-metrics.ts'

interface Props {
  readonly remaining: readonly FigurePoint[]
  readonly copied: readonly FigurePoint[]
  readonly samples: UpdateTimeline['samples']
  readonly scale: TimelineScale
  readonly nowMs: number
  /** The moment that is looked at; null: as it stands. */
  readonly shownMs: number | null
}

/** The curves below the lanes, on the same axis: instances still to leave, and how fast they move. */
export const TimelineCurves = memo(function TimelineCurves(props: Props): ReactNode {
  const { remaining, copied, samples, scale, nowMs, shownMs } = props
  const pace = useMemo(() => paceOf(copied, samples, nowMs), [copied, samples, nowMs])
  return (
    <section
      className="tl-curves"
      aria-label="Figures over time"
      style={{ width: NAME_PX + scale.width + RIGHT_PX }}
      data-scrubbed={shownMs !== null}
    >
      <Curve
        title="Instances still to leave"
        points={remaining}
        tone="moving"
        unknown="not counted yet"
        {...{ scale, nowMs, shownMs }}
      />
      <Curve {...pace} tone="maintenance" {...{ scale, nowMs, shownMs }} />
      <span aria-hidden className="tl-now" style={{ left: NAME_PX + scale.x(nowMs) }} />
      {shownMs === null ? null : (
        <span aria-hidden className="tl-veil" style={{ left: NAME_PX + scale.x(shownMs), right: 0 }} />
      )}
    </section>
  )
})

/** Memory a minute where somebody tells it; else how many migrations. */
function paceOf(
  copied: readonly FigurePoint[],
  samples: UpdateTimeline['samples'],
  nowMs: number,
): Pick<CurveProps, 'title' | 'points' | 'unknown'> {
  if (copied.length > 0) {
    const points = perMinute(copied, nowMs).map(({ atMs, value }) => ({
      atMs,
      value: value === null ? null : value / GIB,
    }))
    return { title: 'GiB moved a minute', points, unknown: 'nothing moved yet' }
  }
  const points = migrationRates(samples).map(({ atMs, perMinute: value }) => ({ atMs, value }))
  return { title: 'Migrations a minute', points, unknown: 'nobody tells it yet' }
}

interface CurveProps {
  readonly title: string
  readonly points: readonly FigurePoint[]
  readonly tone: 'moving' | 'maintenance'
  /** What is said where nothing is known. */
  readonly unknown: string
  readonly scale: TimelineScale
  readonly nowMs: number
  readonly shownMs: number | null
}

function Curve({ title, points, tone, unknown, scale, nowMs, shownMs }: CurveProps): ReactNode {
  const { line, area } = useMemo(() => stepPath(points, scale.x, CURVE_PX, nowMs), [points, scale, nowMs])
  const value = figureAt(points, shownMs ?? nowMs)
  const figure = value === null ? '?' : amount(value)
  return (
    <div className="tl-curve" data-tone={tone}>
      <div className="tl-curve-name">
        {title}
        <b>{figure}</b>
      </div>
      {line === '' ? (
        <span className="tl-curve-unknown" style={{ marginLeft: Math.min(scale.x(nowMs) + 10, scale.width * 0.75) }}>
          {unknown}
        </span>
      ) : (
        <svg role="img" aria-label={`${title}: ${figure}`} width={scale.width} height={CURVE_PX}>
          <path className="tl-curve-area" d={area} />
          <path className="tl-curve-line" d={line} />
        </svg>
      )}
    </div>
  )
}

function amount(value: number): string {
  return Number.isInteger(value) || value >= 10 ? String(Math.round(value)) : value.toFixed(1)
}
