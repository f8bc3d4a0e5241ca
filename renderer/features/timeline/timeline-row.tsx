// biome-ignore-all lint/a11y/useSemanticElements: rows in sight alone are drawn, each at its place, which no table allows.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names its span (aria-activedescendant).
import { memo, type ReactNode } from 'react'
import type { NodeLane, StageSpan } from '../../../shared/domain/update.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { groupHeading, STAGE_WORDS } from '../../../shared/words/updates.ts'
import { laneBoxes, type SpanBox, type TimelineRow } from '../../geometry/timeline-layout.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { NAME_PX, RIGHT_PX } from './timeline-metrics.ts'

/** A stage's name is written in a span that is wider than this. */
const WORD_PX = 62

interface HeadingProps {
  readonly row: Extract<TimelineRow, { kind: 'heading' }>
  readonly index: number
  readonly top: number
}

/** The heading of a group of nodes. */
export const HeadingRow = memo(function HeadingRow({ row, index, top }: HeadingProps): ReactNode {
  return (
    <div role="row" aria-rowindex={index} className="tl-heading" style={{ top, height: row.height }}>
      <div role="rowheader">
        {groupHeading(row.phase, row.group)}
        <span className="quiet">
          {row.done} of {counted(row.total, 'node')} done
        </span>
      </div>
    </div>
  )
})

interface LaneProps {
  /** Beginning of the ids of its spans. */
  readonly id: string
  readonly lane: NodeLane
  readonly index: number
  readonly top: number
  readonly scale: TimelineScale
  readonly nowMs: number
  readonly current: number | null
  readonly pinned: number | null
}

/** A node's lane: its stages, the stretches in which it waited, and where something was tried again. */
export const LaneRow = memo(function LaneRow(props: LaneProps): ReactNode {
  const { id, lane, index, top, scale, nowMs, current, pinned } = props
  return (
    <div role="row" aria-rowindex={index} className="tl-lane" style={{ top, width: NAME_PX + scale.width + RIGHT_PX }}>
      <div role="rowheader" className="tl-name cut" title={lane.node}>
        <span className={`tl-dot tl-stage-${lane.stage}`} />
        {lane.node}
      </div>
      {laneBoxes(lane, scale, nowMs).map(box => {
        const span = lane.spans[box.index]
        return span === undefined || span.stage === 'pending' ? null : (
          <Span
            key={box.index}
            id={`${id}-${box.index}`}
            node={lane.node}
            span={span}
            box={box}
            isCurrent={current === box.index}
            isPinned={pinned === box.index}
          />
        )
      })}
    </div>
  )
})

interface SpanProps {
  readonly id: string
  readonly node: string
  readonly span: StageSpan
  readonly box: SpanBox
  readonly isCurrent: boolean
  readonly isPinned: boolean
}

function Span({ id, node, span, box, isCurrent, isPinned }: SpanProps): ReactNode {
  const isEnd = span.stage === 'done' || span.stage === 'skipped'
  return (
    <div
      role="gridcell"
      id={id}
      aria-label={spokenSpan(node, span)}
      aria-selected={isPinned}
      className={`tl-span tl-stage-${span.stage}${box.isRunning && !isEnd ? ' tl-running' : ''}${isEnd ? ' tl-end' : ''}`}
      data-current={isCurrent}
      style={isEnd ? { left: NAME_PX + box.x } : { left: NAME_PX + box.x, width: Math.max(2, box.width) }}
    >
      {isEnd ? null : box.width > WORD_PX ? <span className="tl-word">{STAGE_WORDS[span.stage]}</span> : null}
      {isEnd
        ? null
        : box.waits.map((wait, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: waits of a span have no name, and follow each other.
            <span key={at} className="tl-wait" style={{ left: wait.x - box.x, width: Math.max(2, wait.width) }} />
          ))}
      {isEnd
        ? null
        : box.retries.map((x, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: retries of a span have no name, and follow each other.
            <span key={at} className="tl-retry" style={{ left: x - box.x }} />
          ))}
    </div>
  )
}

/** A span in words; no figure in it changes with the present, so that nothing is read out again every second. */
function spokenSpan(node: string, span: StageSpan): string {
  const took = span.toAt === null ? 'goes on' : durationWords(Date.parse(span.toAt) - Date.parse(span.fromAt))
  const waiting = span.toAt === null ? span.waits.filter(({ toAt }) => toAt === null) : []
  return [
    `${node}: ${STAGE_WORDS[span.stage]}, ${took}`,
    ...waiting.map(({ what }) => `waits: ${what}`),
    ...(span.retries.length === 0 ? [] : [counted(span.retries.length, 'retry', 'retries')]),
    ...(span.note === '' ? [] : [span.note]),
  ].join(', ')
}
