import { Button } from '@blueprintjs/core'
import { ArrowDownIcon, ArrowUpIcon } from '@blueprintjs/icons'
import { memo, type ReactNode } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { groupHeading } from '../../../shared/words/updates.ts'
import type { Ghost } from '../../geometry/timeline-forecast.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import type { OrderedList } from '../../ui/plan/lane-order.ts'

/** Where the plane begins, after the names; as in plan-lanes.css. */
export const LANE_NAME_PX = 176

/** The findings of the checks on a node. */
export interface LaneFindings {
  readonly blockers: number
  readonly warnings: number
}

export function headingOf({ group }: OrderedList): string {
  return group === null ? groupHeading('control-nodes', null) : groupHeading('worker-nodes', group.name)
}

interface HeadingProps {
  readonly own: OrderedList
  readonly isTarget: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: -1 | 1) => void
  readonly onAtOnce: (amount: number) => void
}

/** A group: its name, its nodes at a time, and its place among the groups. */
export function LaneHeading({ own, isTarget, isFirst, isLast, onMove, onAtOnce }: HeadingProps): ReactNode {
  const name = headingOf(own)
  return (
    <div className="lanes-heading row" data-lane-place={`end ${own.list}`} data-over={isTarget}>
      <span>{name}</span>
      {own.group === null ? (
        <span className="quiet">one by one</span>
      ) : (
        <>
          <label className="quiet row">
            <input
              type="number"
              className="bp6-input"
              min={1}
              max={500}
              value={own.atOnce}
              aria-label={`${name}: at a time`}
              onChange={({ currentTarget }) => {
                const amount = Math.round(Number(currentTarget.value))
                if (amount >= 1 && amount <= 500) onAtOnce(amount)
              }}
            />
            of {own.nodes.length} at a time
          </label>
          <span className="space" />
          <Button
            size="small"
            variant="minimal"
            icon={<ArrowUpIcon size={12} />}
            aria-label={`${name} earlier`}
            disabled={isFirst}
            onClick={() => onMove(-1)}
          />
          <Button
            size="small"
            variant="minimal"
            icon={<ArrowDownIcon size={12} />}
            aria-label={`${name} later`}
            disabled={isLast}
            onClick={() => onMove(1)}
          />
        </>
      )}
    </div>
  )
}

interface LaneRowProps {
  readonly node: string
  /** Why it is left out; null if it is not, or no reason is known. */
  readonly why: string | null
  readonly ghost: Ghost | null
  /** Its turn, from 1. */
  readonly turn: number | null
  readonly scale: TimelineScale
  readonly findings: LaneFindings | null
  readonly isDragged: boolean
  readonly isTarget: boolean
  readonly onPress: (event: PointerEvent, nodes: readonly string[]) => void
}

/** A node in its turn: drag it by its name; its bar shows its duration. */
export const PlanLane = memo(function PlanLane(props: LaneRowProps): ReactNode {
  const { node, why, ghost, turn, scale, findings, isDragged, isTarget, onPress } = props
  const bar = ghost?.kind === 'expected' ? ghost : null
  const from = bar === null ? 0 : scale.x(bar.fromMs)
  const to = bar === null ? 0 : Math.max(from + 3, scale.x(bar.toMs))
  return (
    <div
      className="lanes-lane"
      data-lane-place={ghost === null ? undefined : `before ${node}`}
      data-over={isTarget}
      data-dragged={isDragged}
    >
      <button
        type="button"
        className="lanes-name"
        data-lane={node}
        title={`${node}: drag it, or press Shift and an arrow`}
        onPointerDown={event => {
          if (event.button === 0) onPress(event.nativeEvent, [node])
        }}
      >
        <Grip />
        <span className="cut">{node}</span>
      </button>
      {bar === null ? null : (
        <span aria-hidden className="tl-ghost" style={{ left: LANE_NAME_PX + from, width: to - from }}>
          <span className="tl-ghost-late" style={{ width: Math.max(0, scale.x(bar.lateMs) - to) }} />
        </span>
      )}
      {ghost?.kind === 'unknown' && turn !== null ? <span className="lanes-why quiet">turn {turn}</span> : null}
      {why === null ? null : <span className="lanes-why quiet cut">{why}</span>}
      {findings === null ? null : (
        <span className="lanes-findings">
          {findings.blockers > 0 ? <b className="bad">{findings.blockers} blocked</b> : null}
          {findings.warnings > 0 ? <span className="caution">{counted(findings.warnings, 'note')}</span> : null}
        </span>
      )}
    </div>
  )
})

/** Dots that say: this can be dragged. */
function Grip(): ReactNode {
  return (
    <svg aria-hidden="true" width={8} height={12} viewBox="0 0 8 12" fill="currentColor">
      {[2, 6, 10].flatMap(y => [2, 6].map(x => <circle key={`${x} ${y}`} cx={x} cy={y} r={1} />))}
    </svg>
  )
}
