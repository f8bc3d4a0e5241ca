import { type ReactNode, useId } from 'react'
import type { UpdateTimeline } from '../../shared/domain/update.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { durationWords } from '../../shared/grammar/durations.ts'
import { groupHeading, PHASE_WORDS } from '../../shared/words/updates.ts'
import { type FigurePart, figureParts, hasPhases, untilWindowEnd } from '../geometry/timeline-figure.ts'
import { phaseBoxes, type TimelineRow, timelineRows } from '../geometry/timeline-layout.ts'
import { type TimelineScale, timelineScale } from '../geometry/timeline-scale.ts'
import { FigureLane, LETTER_PX } from './timeline-figure-lane.tsx'
import { FigureLegend, phaseNumber } from './timeline-figure-legend.tsx'

const AXIS_PX = 22
const PHASES_PX = 26
/** A line of text below the lanes. */
const LABEL_PX = 16
/** Room at the right, so that no line touches the edge. */
const RIGHT_PX = 14
const LEAST_NAME_PX = 90
const MOST_NAME_PX = 240

interface Props {
  /** A description for screen readers. */
  readonly name: string
  readonly timeline: UpdateTimeline
  readonly nowMs: number
  /** The words at the line of the present, while it runs. */
  readonly nowWords: string
  /** The window's end, drawn as a line; null if there is no window. */
  readonly windowEndsAt: string | null
  /** A time of day on the axis; `seconds` where marks are closer than a minute. */
  readonly timeOf: (atMs: number, seconds: boolean) => string
  readonly width?: number
  /** More lanes go into another part below, so that a page break need not cut one. */
  readonly lanesPerPart?: number
}

/**
 * A timeline as a still picture: the same in the report and on screen (docs/style.md G34). It uses only SVG and the theme's
 * colours.
 */
export function TimelineFigure({ name, timeline, nowMs, windowEndsAt, width = 960, ...more }: Props): ReactNode {
  const hatch = `hatch${useId().replaceAll(/[^a-zA-Z0-9]/g, '')}`
  const { nowWords, timeOf, lanesPerPart = Number.POSITIVE_INFINITY } = more
  const longest = timeline.lanes.reduce((most, { node }) => Math.max(most, node.length), 0)
  const nameWidth = Math.min(MOST_NAME_PX, Math.max(LEAST_NAME_PX, Math.ceil(longest * LETTER_PX * 1.1) + 12))
  const scale = timelineScale(untilWindowEnd(timeline, windowEndsAt), width - nameWidth - RIGHT_PX, nowMs)
  const parts = figureParts(timelineRows(timeline), lanesPerPart)
  const drawn: readonly FigurePart[] = parts.length === 0 ? [{ rows: [], height: 0 }] : parts
  return (
    <div className="tlf">
      {drawn.map((part, index) => (
        <PartPicture
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name but their place.
          key={index}
          name={drawn.length === 1 ? name : `${name}, part ${index + 1} of ${drawn.length}`}
          hatch={index === 0 ? hatch : `${hatch}p${index}`}
          {...{ part, timeline, scale, nameWidth, width, nowMs, nowWords, windowEndsAt, timeOf }}
        />
      ))}
      <FigureLegend
        timeline={timeline}
        hatch={hatch}
        hasBreaks={scale.breaks.length > 0}
        numbered={(hasPhases(timeline) ? phaseBoxes(timeline.phases, scale, nowMs) : []).flatMap(
          ({ phase, width: wide }) => (fits(PHASE_WORDS[phase], wide) ? [] : [phase]),
        )}
      />
    </div>
  )
}

interface PartProps extends Required<Omit<Props, 'lanesPerPart'>> {
  readonly part: FigurePart
  readonly scale: TimelineScale
  readonly nameWidth: number
  readonly hatch: string
}

function PartPicture({ name, part, timeline, scale, nameWidth, width, nowMs, hatch, ...more }: PartProps): ReactNode {
  const { nowWords, windowEndsAt, timeOf } = more
  const phases = hasPhases(timeline) ? phaseBoxes(timeline.phases, scale, nowMs) : []
  const top = AXIS_PX + (phases.length > 0 ? PHASES_PX : 0)
  const bottom = top + part.height
  const endMs = windowEndsAt === null ? null : Date.parse(windowEndsAt)
  const continues = timeline.endedAt === null && timeline.startedAt !== null
  const hasEnd = endMs !== null && endMs >= scale.fromMs
  const labels = 6 + LABEL_PX * ((continues ? 1 : 0) + (hasEnd ? 1 : 0))
  return (
    <svg
      className="tlf-part"
      role="img"
      aria-label={name}
      viewBox={`0 0 ${width} ${bottom + labels}`}
      width="100%"
      style={{ display: 'block', fontFamily: 'inherit' }}
    >
      <Hatch id={hatch} />
      <g transform={`translate(${nameWidth} 0)`}>
        <Axis scale={scale} bottom={bottom} timeOf={timeOf} />
        {phases.map(box => (
          <g key={box.phase}>
            <title>{PHASE_WORDS[box.phase]}</title>
            <rect
              x={box.x + 0.5}
              y={AXIS_PX + 1.5}
              width={Math.max(2, box.width - 1)}
              height={PHASES_PX - 6}
              rx={3}
              style={{
                fill: box.state === 'running' ? 'var(--accent-ground)' : 'var(--sunken)',
                stroke: box.state === 'running' ? 'var(--accent)' : 'var(--line-strong)',
              }}
            />
            <text x={box.x + (box.width < 14 ? 2.5 : 5)} y={AXIS_PX + 15} fontSize={11} style={{ fill: 'var(--ink)' }}>
              {fits(PHASE_WORDS[box.phase], box.width) ? PHASE_WORDS[box.phase] : phaseNumber(box.phase)}
            </text>
          </g>
        ))}
      </g>
      {part.rows.map(({ row, y }) =>
        row.kind === 'heading' ? (
          <GroupHeading key={`${row.phase} ${row.group}`} row={row} y={top + y} width={nameWidth + scale.width} />
        ) : (
          <LaneOf key={row.lane} {...{ row, timeline, nameWidth, scale, nowMs, hatch }} y={top + y} />
        ),
      )}
      <g transform={`translate(${nameWidth} 0)`}>
        {continues ? (
          <Moment
            x={scale.x(nowMs)}
            bottom={bottom}
            line={0}
            width={scale.width}
            words={nowWords}
            colour="var(--accent)"
          />
        ) : null}
        {hasEnd ? (
          <WindowEnd endMs={endMs} scale={scale} bottom={bottom} line={continues ? 1 : 0} time={timeOf(endMs, false)} />
        ) : null}
      </g>
    </svg>
  )
}

/** The stripes of what waits. */
function Hatch({ id }: { readonly id: string }): ReactNode {
  return (
    <defs>
      <pattern id={id} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={6} height={6} style={{ fill: 'var(--card)' }} />
        <rect width={6} height={6} opacity={0.2} style={{ fill: 'var(--waits)' }} />
        <rect width={2.5} height={6} opacity={0.85} style={{ fill: 'var(--waits)' }} />
      </pattern>
    </defs>
  )
}

interface AxisProps extends Pick<PartProps, 'scale' | 'timeOf'> {
  readonly bottom: number
}

/** The times across, and the breaks where nothing happened. */
function Axis({ scale, bottom, timeOf }: AxisProps): ReactNode {
  const seconds = scale.ticks.some(({ atMs }) => atMs % 60_000 !== 0)
  return (
    <>
      {scale.breaks.map(each => (
        <g key={each.fromMs}>
          <rect
            x={each.x}
            y={AXIS_PX}
            width={each.width}
            height={bottom - AXIS_PX}
            style={{ fill: 'var(--sunken)', stroke: 'var(--line-strong)', strokeDasharray: '3 3' }}
          />
          <text x={each.x + each.width / 2} y={14} fontSize={10} textAnchor="middle" style={{ fill: 'var(--dim)' }}>
            {breakWords(each.toMs - each.fromMs)}
          </text>
        </g>
      ))}
      {scale.ticks.map(tick => (
        <g key={tick.atMs}>
          <line x1={tick.x} x2={tick.x} y1={4} y2={bottom} style={{ stroke: 'var(--line)' }} />
          <text x={tick.x + 3} y={14} fontSize={11} style={{ fill: 'var(--dim)' }}>
            {timeOf(tick.atMs, seconds)}
          </text>
        </g>
      ))}
    </>
  )
}

interface LaneOfProps {
  readonly row: Extract<TimelineRow, { kind: 'lane' }>
  readonly timeline: UpdateTimeline
  readonly y: number
  readonly nameWidth: number
  readonly scale: TimelineScale
  readonly nowMs: number
  readonly hatch: string
}

function LaneOf({ row, timeline, ...more }: LaneOfProps): ReactNode {
  const lane = timeline.lanes[row.lane]
  return lane === undefined ? null : <FigureLane lane={lane} height={row.height} {...more} />
}

interface HeadingProps {
  readonly row: Extract<TimelineRow, { kind: 'heading' }>
  readonly y: number
  readonly width: number
}

function GroupHeading({ row, y, width }: HeadingProps): ReactNode {
  return (
    <g transform={`translate(0 ${y})`}>
      <rect width={width} height={row.height} style={{ fill: 'var(--sunken)' }} />
      <text x={4} y={17} fontSize={12} style={{ fill: 'var(--ink)' }}>
        <tspan fontWeight={600}>{groupHeading(row.phase, row.group)}</tspan>
        <tspan dx={8} style={{ fill: 'var(--dim)' }}>
          {/* A single lane says it. */}
          {row.total === 1 ? '' : `${row.done} of ${counted(row.total, 'node')} done`}
        </tspan>
      </text>
    </g>
  )
}

interface MomentProps {
  readonly x: number
  readonly bottom: number
  /** The line of its text below the lanes. */
  readonly line: number
  readonly width: number
  readonly words: string
  readonly colour: string
  readonly dashes?: string
}

/** A line through all lanes with its meaning below. */
function Moment({ x, bottom, line, width, words, colour, dashes = 'none' }: MomentProps): ReactNode {
  const half = (words.length * LETTER_PX) / 2
  const anchor = x < half ? 'start' : x > width - half ? 'end' : 'middle'
  return (
    <g>
      <line
        x1={x}
        x2={x}
        y1={AXIS_PX}
        y2={bottom + 4 + line * LABEL_PX}
        style={{ stroke: colour, strokeWidth: 2, strokeDasharray: dashes }}
      />
      <text
        x={x}
        y={bottom + 15 + line * LABEL_PX}
        fontSize={11}
        textAnchor={anchor}
        style={{ fill: colour, fontWeight: 600 }}
      >
        {words}
      </text>
    </g>
  )
}

interface WindowEndProps {
  readonly endMs: number
  readonly scale: TimelineScale
  readonly bottom: number
  readonly line: number
  readonly time: string
}

function WindowEnd({ endMs, scale, bottom, line, time }: WindowEndProps): ReactNode {
  const isInSight = endMs <= scale.toMs
  return (
    <Moment
      x={isInSight ? scale.x(endMs) : scale.width}
      bottom={bottom}
      line={line}
      width={scale.width}
      words={isInSight ? `window ends ${time}` : `window ends ${time} →`}
      colour="var(--failed)"
      dashes="6 4"
    />
  )
}

function fits(words: string, width: number): boolean {
  return words.length * LETTER_PX + 10 <= width
}

/** Only the largest unit: a break is narrow. */
function breakWords(ms: number): string {
  return durationWords(ms).split(' ').slice(0, 2).join(' ')
}
