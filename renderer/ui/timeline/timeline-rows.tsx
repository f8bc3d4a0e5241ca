// biome-ignore-all lint/a11y/useSemanticElements: only visible rows are drawn, each at its place, which a table cannot do.
import type { ReactNode } from 'react'
import { type NodeStage, type StageSpan, turnOf, type UpdateTimeline } from '../../../shared/domain/update.ts'
import { phaseBoxes } from '../../geometry/timeline-layout.ts'
import { CLOUD_ROW, type ScreenRow } from '../../geometry/timeline-rows.ts'
import { HEAD_PX, NAME_PX, RIGHT_PX } from './timeline-metrics.ts'
import { CloudRow, HeadingRow, LaneRow, StepsRow } from './timeline-row.tsx'
import { useLaneWords } from './use-lane-words.ts'
import { type TimelinePlane, type TimelineViewProps, windowEndOn } from './use-timeline-plane.ts'

export interface TimelineRowsProps {
  readonly view: TimelineViewProps
  readonly plane: TimelinePlane
}

/** The visible lanes, each at its place. */
export function TimelineRows({ view, plane }: TimelineRowsProps): ReactNode {
  const { timeline, outlook, nowMs, moment } = view
  const { shownMs } = moment
  const { planeWidth, scale, rows } = plane
  const words = useLaneWords(timeline, outlook)
  const windowEndMs = windowEndOn(outlook, scale)
  return (
    <div
      role="rowgroup"
      className="tl-rows"
      style={{ height: plane.virtual.getTotalSize(), width: NAME_PX + planeWidth + RIGHT_PX }}
    >
      {scale.ticks.map(({ x, atMs }) => (
        <span key={atMs} aria-hidden className="tl-gridline" style={{ left: NAME_PX + x }} />
      ))}
      {scale.breaks.map(each => (
        <span
          key={each.fromMs}
          aria-hidden
          className="tl-break-band"
          style={{ left: NAME_PX + each.x, width: each.width }}
        />
      ))}
      {windowEndMs === null ? null : (
        <span aria-hidden className="tl-window-end" style={{ left: NAME_PX + scale.x(windowEndMs) }} />
      )}
      {plane.virtual.getVirtualItems().map(({ index, start }) => {
        const row = rows[index]
        return row === undefined ? null : (
          <Row
            key={keyOf(row)}
            view={view}
            plane={plane}
            row={row}
            index={index + 2}
            top={start - HEAD_PX}
            words={words}
          />
        )
      })}
      <span aria-hidden className="tl-now" style={{ left: NAME_PX + scale.x(nowMs) }} />
      {shownMs === null ? null : (
        <span aria-hidden className="tl-veil" style={{ left: NAME_PX + scale.x(shownMs), right: 0 }} />
      )}
    </div>
  )
}

function keyOf(row: ScreenRow): string {
  switch (row.kind) {
    case 'heading':
      return `${row.phase} ${row.group}`
    case 'cloud':
      return 'cloud'
    case 'steps':
      return `steps of ${row.of}`
    case 'lane':
      return `lane ${row.lane}`
  }
}

interface RowProps extends TimelineRowsProps {
  readonly row: ScreenRow
  /** The number of the row in the grid, for screen readers. */
  readonly index: number
  readonly top: number
  readonly words: ReturnType<typeof useLaneWords>
}

function Row({ view, plane, row, index, top, words }: RowProps): ReactNode {
  const { timeline, outlook, nowMs, moment, pinned, stepsOf } = view
  const { shownMs, then } = moment
  const { planeWidth, scale, current, isFocused } = plane
  if (row.kind === 'heading') {
    return <HeadingRow row={row} index={index} top={top} />
  }
  const isOpen = (of: string) => (stepsOf === undefined ? null : plane.steps.open.has(of))
  if (row.kind === 'cloud') {
    return (
      <CloudRow
        phases={phaseBoxes(ofCloud(timeline), scale, nowMs)}
        stage={cloudStage(then ?? timeline)}
        width={planeWidth}
        index={index}
        top={top}
        isOpen={isOpen(CLOUD_ROW)}
        onToggle={() => plane.steps.toggle(CLOUD_ROW)}
      />
    )
  }
  if (row.kind === 'steps') {
    return (
      <StepsRow of={row.of} width={plane.seenWidth} index={index} top={top} onHeight={plane.steps.note}>
        {stepsOf?.(row.of === CLOUD_ROW ? null : row.of)}
      </StepsRow>
    )
  }
  const lane = timeline.lanes[row.lane]
  if (lane === undefined) return null
  const ghost = outlook.ghosts.get(lane.node) ?? null
  return (
    <LaneRow
      id={`${plane.name}-${row.lane}`}
      lane={lane}
      stage={then?.lanes[row.lane]?.stage ?? lane.stage}
      index={index}
      top={top}
      isOpen={isOpen(lane.node)}
      onSteps={plane.steps.toggle}
      scale={scale}
      // A lane without activity does not depend on the present, and is not drawn again for it.
      nowMs={lane.spans.some(isActive) || ghost !== null ? nowMs : scale.toMs}
      shownMs={shownMs}
      ghost={ghost}
      departures={outlook.departures.get(lane.node) ?? null}
      // The texts belong to the present.
      words={shownMs === null ? (words.get(lane.node) ?? null) : null}
      current={isFocused && current?.lane === row.lane ? current.span : null}
      pinned={pinned?.lane === row.lane ? pinned.span : null}
    />
  )
}

/** The phases without nodes. */
function ofCloud({ phases }: Pick<UpdateTimeline, 'phases'>): UpdateTimeline['phases'] {
  return phases.filter(({ phase }) => phase !== 'control-nodes' && phase !== 'worker-nodes')
}

/** The mark of the whole cloud: begun with its request, done when nothing is left. */
function cloudStage({ phases, endedAt }: Pick<UpdateTimeline, 'phases' | 'endedAt'>): NodeStage {
  const own = ofCloud({ phases })
  if (own.every(({ state }) => state === 'done')) return 'done'
  return own.some(({ fromAt }) => fromAt !== null) ? (endedAt === null ? 'requested' : 'unseen') : 'pending'
}

/** Whether a node is in this stage now, and works or waits there. */
export function isActive({ stage, toAt }: Pick<StageSpan, 'stage' | 'toAt'>): boolean {
  return toAt === null && turnOf(stage) === 'under-way'
}
