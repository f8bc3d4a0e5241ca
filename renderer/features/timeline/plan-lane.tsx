import { Button } from '@blueprintjs/core'
import { ArrowDownIcon, ArrowUpIcon } from '@blueprintjs/icons'
import { memo, type ReactNode } from 'react'
import { counted, listed } from '../../../shared/grammar/counts.ts'
import { groupHeading } from '../../../shared/words/updates.ts'
import type { Ghost } from '../../geometry/timeline-forecast.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { InstanceMark, markOfAction } from '../../ui/instance-mark.tsx'
import type { OrderedList } from '../../ui/plan/lane-order.ts'
import type { NodeFacts } from './plan-facts.ts'

/** Where the plane begins, after the names; as in plan-lanes.css. */
export const LANE_NAME_PX = 184
/** A node with more instances shows their number. */
const MOST_MARKS = 8

export function headingOf({ group }: OrderedList): string {
  return group === null ? groupHeading('control-nodes', null) : groupHeading('worker-nodes', group.name)
}

interface HeadingProps {
  readonly own: OrderedList
  /** Its part of the time axis; null if it has no node. */
  readonly stretch: { readonly x: number; readonly width: number } | null
  /** Whether there are other groups; the only one has its number below the page. */
  readonly isOneOfMany: boolean
  readonly isTarget: boolean
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: -1 | 1) => void
  readonly onAtOnce: (amount: number) => void
}

/** A group: its name, its nodes at a time, and its place among the groups. */
export function LaneHeading(props: HeadingProps): ReactNode {
  const { own, stretch, isOneOfMany, isTarget, isFirst, isLast, onMove, onAtOnce } = props
  const name = headingOf(own)
  return (
    <div className="lanes-heading small flush row" data-lane-place={`end ${own.list}`} data-over={isTarget}>
      <b className="cut">{name}</b>
      {isOneOfMany && own.group !== null ? (
        <span className="lanes-group row">
          <AtATime label={`${name}: at a time`} amount={own.atOnce} onChange={onAtOnce} />
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
        </span>
      ) : (
        <span className="quiet nowrap">{own.atOnce === 1 ? 'one at a time' : `${own.atOnce} at a time`}</span>
      )}
      {stretch === null ? null : (
        <span
          aria-hidden
          className="lanes-stretch"
          style={{ left: LANE_NAME_PX + stretch.x, width: Math.max(3, stretch.width) }}
        />
      )}
    </div>
  )
}

interface AtATimeProps {
  readonly label: string
  readonly amount: number
  readonly onChange: (amount: number) => void
}

/** How many nodes of a group are in work at the same time. */
export function AtATime({ label, amount, onChange }: AtATimeProps): ReactNode {
  return (
    <input
      type="number"
      className="bp6-input lanes-number"
      min={1}
      max={500}
      value={amount}
      aria-label={label}
      onChange={({ currentTarget }) => {
        const wanted = Math.round(Number(currentTarget.value))
        if (wanted >= 1 && wanted <= 500) onChange(wanted)
      }}
    />
  )
}

interface LaneRowProps {
  readonly node: string
  /** Why it is left out; null if it is not, or no reason is known. */
  readonly why: string | null
  readonly ghost: Extract<Ghost, { kind: 'expected' }> | null
  /** Its time is unknown, and it is drawn as long as others. */
  readonly isGuess: boolean
  readonly scale: TimelineScale
  readonly facts: NodeFacts | null
  readonly isDragged: boolean
  readonly isTarget: boolean
  readonly onPress: (event: PointerEvent, nodes: readonly string[]) => void
  /** Takes a node that is left out into the order; null if it is in it. */
  readonly onPutBack: (() => void) | null
}

/** A node in its turn: drag it by its name; its bar shows its duration, its marks what happens to its instances. */
export const PlanLane = memo(function PlanLane(props: LaneRowProps): ReactNode {
  const { node, why, ghost, isGuess, scale, facts, isDragged, isTarget, onPress, onPutBack } = props
  const from = ghost === null ? 0 : scale.x(ghost.fromMs)
  const to = ghost === null ? 0 : Math.max(from + 3, scale.x(ghost.toMs))
  const late = ghost === null ? 0 : Math.max(to, scale.x(ghost.lateMs))
  const blocked = facts?.blocked ?? null
  return (
    <div
      className="lanes-lane"
      data-lane-place={ghost === null ? undefined : `before ${node}`}
      data-over={isTarget}
      data-dragged={isDragged}
      data-blocked={blocked !== null}
    >
      <button
        type="button"
        className="lanes-name bare row small strong"
        data-lane={node}
        title={`${node}: drag it to change the order`}
        onPointerDown={event => {
          if (event.button === 0) onPress(event.nativeEvent, [node])
        }}
      >
        <Grip />
        <span className="cut">{node}</span>
      </button>
      {ghost === null ? null : (
        <>
          <span
            aria-hidden
            className="tl-ghost"
            data-guess={isGuess}
            style={{ left: LANE_NAME_PX + from, width: to - from }}
          >
            <span className="tl-ghost-late" style={{ width: late - to }} />
          </span>
          <span className="lanes-words nowrap small row" style={wordsPlace(late, scale.width, facts)}>
            {blocked === null ? null : <b className="bad">{blocked}</b>}
            {facts === null || facts.waits.length === 0 ? null : (
              <b className="caution">{`owner of ${listed(facts.waits)}`}</b>
            )}
            <Fates facts={facts} />
          </span>
        </>
      )}
      {ghost !== null ? null : (
        <span className="lanes-words nowrap small row" style={{ left: LANE_NAME_PX }}>
          <span className="quiet cut">{why}</span>
          {onPutBack === null ? null : <Button size="small" text="Put back" onClick={onPutBack} />}
        </span>
      )}
    </div>
  )
})

/** Beside the bar; before the right edge where there is no room after it. */
function wordsPlace(
  late: number,
  width: number,
  facts: NodeFacts | null,
): { readonly left: number } | { readonly right: number } {
  const letters = (facts?.blocked?.length ?? 0) + (facts?.waits.length ? 10 + facts.waits.join(', ').length : 0)
  const room = letters * 6.8 + Math.min(facts?.instances.length ?? 0, MOST_MARKS) * 13
  return late + room > width ? { right: 8 } : { left: LANE_NAME_PX + late + 8 }
}

/** What happens to the instances of a node, as marks; their number where there are many. */
function Fates({ facts }: { readonly facts: NodeFacts | null }): ReactNode {
  const marked = (facts?.instances ?? []).flatMap(({ id, name, action }) => {
    const kind = markOfAction(action)
    return kind === null ? [] : [{ id, name, kind }]
  })
  if (marked.length === 0) return null
  const title = `${counted(marked.length, 'instance')}: ${marked.map(({ name }) => name).join(', ')}`
  const kinds = [...Map.groupBy(marked, ({ kind }) => kind)]
  return (
    <span className="lanes-fates row" title={title}>
      <span className="visually-hidden">{title}</span>
      {marked.length > MOST_MARKS
        ? kinds.map(([kind, those]) => (
            <span key={kind} className={`row mark-${kind}`}>
              <InstanceMark kind={kind} /> {those.length}
            </span>
          ))
        : marked.map(({ id, kind }) => (
            <span key={id} className={`mark-${kind}`}>
              <InstanceMark kind={kind} />
            </span>
          ))}
    </span>
  )
}

/** Dots that say: this can be dragged. */
function Grip(): ReactNode {
  return (
    <svg aria-hidden="true" width={8} height={12} viewBox="0 0 8 12" fill="currentColor">
      {[2, 6, 10].flatMap(y => [2, 6].map(x => <circle key={`${x} ${y}`} cx={x} cy={y} r={1} />))}
    </svg>
  )
}
