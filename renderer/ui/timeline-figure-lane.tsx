import type { ReactNode } from 'react'
import { type NodeLane, type StageSpan, turnOf } from '../../shared/domain/update.ts'
import { counted } from '../../shared/grammar/counts.ts'
import { durationWords } from '../../shared/grammar/durations.ts'
import { STAGE_WORDS } from '../../shared/words/updates.ts'
import { cutInMiddle } from '../geometry/timeline-figure.ts'
import { laneBoxes, type SpanBox } from '../geometry/timeline-layout.ts'
import type { TimelineScale } from '../geometry/timeline-scale.ts'
import { STAGE_COLOURS, STAGE_LETTERS, stageColour } from './timeline-figure-colours.ts'
import { StageMark } from './timeline-mark.tsx'

/** The approximate width of a small letter. */
export const LETTER_PX = 6.4
const LETTER_ROOM_PX = 11
const BAR_TOP = 3
const BAR_PX = 18

interface LaneProps {
  readonly lane: NodeLane
  readonly y: number
  readonly height: number
  readonly nameWidth: number
  readonly scale: TimelineScale
  readonly nowMs: number
  /** The id of the hatching. */
  readonly hatch: string
}

/** A node's lane of a still picture: name, stages, waits and retries. */
export function FigureLane({ lane, y, height, nameWidth, scale, nowMs, hatch }: LaneProps): ReactNode {
  const boxes = laneBoxes(lane, scale, nowMs)
  return (
    <g transform={`translate(0 ${y})`}>
      <line x1={0} x2={nameWidth + scale.width} y1={height} y2={height} style={{ stroke: 'var(--line)' }} />
      <text x={4} y={16} fontSize={12} style={{ fill: 'var(--ink)' }}>
        {cutInMiddle(lane.node, Math.floor((nameWidth - 8) / (LETTER_PX * 1.1)))}
        <title>{lane.node}</title>
      </text>
      <g transform={`translate(${nameWidth} 0)`}>
        {boxes.length === 0 ? (
          <text x={4} y={16} fontSize={11} style={{ fill: 'var(--dim)' }}>
            {STAGE_WORDS[turnOf(lane.stage) === 'over' ? lane.stage : 'pending']}
          </text>
        ) : (
          boxes.map(box => {
            const span = lane.spans[box.index]
            if (span === undefined || span.stage === 'pending') return null
            return <FigureSpan key={box.index} node={lane.node} span={span} box={box} hatch={hatch} />
          })
        )}
      </g>
    </g>
  )
}

interface SpanProps {
  readonly node: string
  readonly span: StageSpan
  readonly box: SpanBox
  readonly hatch: string
}

function FigureSpan({ node, span, box, hatch }: SpanProps): ReactNode {
  if (span.stage === 'done' || span.stage === 'skipped') {
    return (
      <g>
        <title>{spanWords(node, span)}</title>
        <StageMark stage={span.stage} x={box.x + 7} y={12} />
      </g>
    )
  }
  const colour = STAGE_COLOURS[span.stage]
  const width = Math.max(2, box.width)
  const word = STAGE_WORDS[span.stage]
  const text = word.length * LETTER_PX + 8 <= width ? word : width >= LETTER_ROOM_PX ? STAGE_LETTERS[span.stage] : ''
  return (
    <g>
      <title>{spanWords(node, span)}</title>
      <rect x={box.x} y={BAR_TOP} width={width} height={BAR_PX} style={{ fill: stageColour(span.stage) }} />
      {box.waits.map((wait, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: waits of a span have no name, and follow each other.
          key={index}
          x={wait.x}
          y={BAR_TOP}
          width={Math.max(2, wait.width)}
          height={BAR_PX}
          fill={`url(#${hatch})`}
        />
      ))}
      <rect x={box.x} y={BAR_TOP + BAR_PX - 3} width={width} height={3} style={{ fill: colour }} />
      <rect x={box.x} y={BAR_TOP} width={1} height={BAR_PX} style={{ fill: colour }} />
      {box.retries.map((x, index) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: retries of a span have no name, and follow each other.
          key={index}
          d={`M${x} ${BAR_TOP + 5}V${BAR_TOP + BAR_PX}M${x - 4} ${BAR_TOP - 2}h8l-4 7z`}
          style={{ fill: 'var(--failed)', stroke: 'var(--failed)', strokeWidth: 1.5 }}
        />
      ))}
      {text === '' ? null : (
        <text
          x={box.x + 4}
          y={15}
          fontSize={11}
          style={{ fill: 'var(--ink)', stroke: stageColour(span.stage), strokeWidth: 3, paintOrder: 'stroke' }}
        >
          {text}
        </text>
      )}
    </g>
  )
}

function spanWords(node: string, span: StageSpan): string {
  const took = span.toAt === null ? 'still running' : durationWords(Date.parse(span.toAt) - Date.parse(span.fromAt))
  return [
    `${node}: ${STAGE_WORDS[span.stage]}, ${took}`,
    ...span.waits.map(({ what }) => `waited: ${what}`),
    ...(span.retries.length === 0 ? [] : [counted(span.retries.length, 'retry', 'retries')]),
    ...(span.note === '' ? [] : [span.note]),
  ].join('; ')
}
