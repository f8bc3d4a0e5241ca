import { lazy, memo, type ReactNode, Suspense, useCallback, useMemo } from 'react'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { curvePoints, type FigurePoint, figureAt, GIB, perMinute } from '../../geometry/timeline-moves.ts'
import { migrationRates } from '../../geometry/timeline-rates.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { CURVE_PX, NAME_PX, RIGHT_PX } from './timeline-metrics.ts'
import './timeline-curves.css'

/** A reading from outside is valid for at least this long. */
const HOLDS_MS = 60_000

interface Props {
  readonly remaining: readonly FigurePoint[]
  /** Whether a run reported them, event by event: then each is valid until the next. */
  readonly isReported: boolean
  readonly copied: readonly FigurePoint[]
  readonly samples: UpdateTimeline['samples']
  readonly scale: TimelineScale
  readonly nowMs: number
  /** The shown moment; null means now. */
  readonly shownMs: number | null
  readonly onShow: (atMs: number) => void
  /** Finished, and no node is in work: nothing is left to move. */
  readonly isThrough: boolean
}

/** The curves below the lanes, on the same axis: instances still to move, and how fast they move. */
export const TimelineCurves = memo(function TimelineCurves(props: Props): ReactNode {
  const { remaining, isReported, copied, samples, scale, nowMs, shownMs, onShow, isThrough } = props
  const left = useMemo(() => endingAt(remaining, isThrough, nowMs), [remaining, isThrough, nowMs])
  const pace = useMemo(() => {
    const measured = paceOf(copied, samples, nowMs)
    return { ...measured, points: endingAt(measured.points, isThrough, nowMs) }
  }, [copied, samples, isThrough, nowMs])
  return (
    <section
      className="tl-curves"
      aria-label="Figures over time"
      style={{ width: NAME_PX + scale.width + RIGHT_PX }}
      data-scrubbed={shownMs !== null}
    >
      <Curve
        title="Instances still to move"
        points={left}
        holdsMs={isReported ? Number.POSITIVE_INFINITY : holdsMs(remaining)}
        tone="moving"
        unknown="no data yet"
        {...{ scale, nowMs, shownMs, onShow }}
      />
      <Curve
        {...pace}
        holdsMs={copied.length > 0 ? Number.POSITIVE_INFINITY : holdsMs(pace.points)}
        tone="maintenance"
        {...{ scale, nowMs, shownMs, onShow }}
      />
      <span aria-hidden className="tl-now" style={{ left: NAME_PX + scale.x(nowMs) }} />
      {shownMs === null ? null : (
        <span aria-hidden className="tl-veil" style={{ left: NAME_PX + scale.x(shownMs), right: 0 }} />
      )}
    </section>
  )
})

/** How long a reading is valid: a little longer than the usual distance of readings. */
function holdsMs(points: readonly FigurePoint[]): number {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return HOLDS_MS
  return Math.max(HOLDS_MS, (3 * (last.atMs - first.atMs)) / points.length)
}

/** A figure that ends at zero when everything is done. */
function endingAt(points: readonly FigurePoint[], isThrough: boolean, endMs: number): readonly FigurePoint[] {
  return isThrough && points.some(({ value }) => value !== null) ? [...points, { atMs: endMs, value: 0 }] : points
}

/** Memory per minute if reported, else migrations per minute. */
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
    return { title: 'GiB per minute', points, unknown: 'nothing moved yet' }
  }
  const points = migrationRates(samples).map(({ atMs, perMinute: value }) => ({ atMs, value }))
  return { title: 'Moves per minute', points, unknown: 'no data yet' }
}

interface CurveProps {
  readonly title: string
  readonly points: readonly FigurePoint[]
  /** How long a reading is valid. */
  readonly holdsMs: number
  readonly tone: 'moving' | 'maintenance'
  /** The text for an unknown figure. */
  readonly unknown: string
  readonly scale: TimelineScale
  readonly nowMs: number
  readonly shownMs: number | null
  readonly onShow: (atMs: number) => void
}

function Curve({ title, points, holdsMs, tone, unknown, scale, nowMs, shownMs, onShow }: CurveProps): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const drawn = useMemo(() => curvePoints(points, scale.x, nowMs, holdsMs), [points, scale, nowMs, holdsMs])
  const value = figureAt(points, shownMs ?? nowMs, holdsMs)
  const figure = value === null ? '?' : amount(value)
  const wordsAt = useCallback(
    (x: number, shown: number) => `${timeOfDay(new Date(scale.at(x)).toISOString(), clock)} · ${amount(shown)}`,
    [scale, clock],
  )
  const onPick = useCallback((x: number) => onShow(scale.at(x)), [scale, onShow])
  return (
    <div className="tl-curve" data-tone={tone}>
      <div className="tl-curve-name column rigid small quiet">
        {title}
        <b>{figure}</b>
      </div>
      {drawn.length === 0 ? (
        <span
          className="tl-curve-unknown small quiet"
          style={{ marginLeft: Math.min(scale.x(nowMs) + 10, scale.width * 0.75) }}
        >
          {unknown}
        </span>
      ) : (
        <div role="img" aria-label={`${title}: ${figure}`} className="tl-curve-plane" style={{ width: scale.width }}>
          <Suspense fallback={null}>
            <TimelineChart points={drawn} width={scale.width} height={CURVE_PX} wordsAt={wordsAt} onPick={onPick} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

// Loaded with the first curve that is shown.
const TimelineChart = lazy(async () => ({ default: (await import('./timeline-chart.tsx')).TimelineChart }))

function amount(value: number): string {
  return Number.isInteger(value) || value >= 10 ? String(Math.round(value)) : value.toFixed(1)
}
