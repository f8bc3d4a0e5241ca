import { type ReactNode, type RefObject, useMemo, useRef } from 'react'
import type { UpdatePhase } from '../../../shared/domain/update.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { PHASE_EXPLAINED, PHASE_WORDS } from '../../../shared/words/updates.ts'
import { type PlanAhead, stretchOf } from '../../geometry/plan-ahead.ts'
import { type TimelineScale, timelineScale } from '../../geometry/timeline-scale.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { MARK_KINDS, MarkedWord, markOfAction } from '../../ui/instance-mark.tsx'
import { listsOf, moveGroup, moveLanes } from '../../ui/plan/lane-order.ts'
import type { UpdateDraft } from '../../ui/plan/update-draft.ts'
import { useWidth } from '../../ui/timeline/use-width.ts'
import type { NodeFacts } from './plan-facts.ts'
import { headingOf, LANE_NAME_PX, LaneHeading, PlanLane } from './plan-lane.tsx'
import { type LaneMoves, useLaneMoves } from './use-lane-moves.ts'
import '../../ui/timeline/timeline.css'
import './plan-lanes.css'

const RIGHT_PX = 24
const LEAST_PLANE_PX = 240
/** After the last node come the end of the last phase, and its label. */
const BEYOND = 0.09
/** The width of a phase whose length is unknown. */
const STUB_PX = 14

interface Props {
  readonly draft: Pick<UpdateDraft, 'controlNodes' | 'groups'>
  /** Nodes in no group, with the reason if known. */
  readonly leftOut: readonly { readonly node: string; readonly why: string | null }[]
  readonly ahead: PlanAhead
  readonly nowMs: number
  /** When the open window ends; null if none is open. */
  readonly windowEndMs: number | null
  /** Whether the phases of the node maintenance API surround the nodes. */
  readonly hasPhases: boolean
  /** Keyed by node; null if this order was not checked yet. */
  readonly facts: ReadonlyMap<string, NodeFacts> | null
  readonly scroller: RefObject<HTMLElement | null>
  readonly onEdit: (change: Pick<UpdateDraft, 'controlNodes' | 'groups'>) => void
}

/** The order of an update on the time axis: every node in its turn; lanes are moved by pointer or keys. */
export function PlanLanes(props: Props): ReactNode {
  const { draft, ahead, nowMs, scroller, onEdit } = props
  const root = useRef<HTMLElement>(null)
  const width = useWidth(root)
  const scale = useLaneScale(ahead, nowMs, width)
  const moves = useLaneMoves(draft, root, scroller, onEdit)
  const { drag } = moves
  return (
    <section ref={root} className="lanes" aria-label="Order of the nodes" data-dragging={drag !== null}>
      <Axis plan={props} scale={scale} />
      <LaneRows plan={props} scale={scale} moves={moves} />
      <Legend facts={props.facts} />
      <div className="visually-hidden" aria-live="assertive">
        {moves.said}
      </div>
      {drag === null ? null : (
        <div ref={moves.ghost} className="drag-ghost" aria-hidden="true">
          <b className="mono">{drag.names.join(', ')}</b>
        </div>
      )}
    </section>
  )
}

/** The marks that occur, and how the order is changed. */
function Legend({ facts }: Pick<Props, 'facts'>): ReactNode {
  const kinds = useMemo(() => {
    const found = [...(facts?.values() ?? [])].flatMap(({ instances }) =>
      instances.flatMap(({ action }) => markOfAction(action) ?? []),
    )
    return MARK_KINDS.filter(kind => found.includes(kind))
  }, [facts])
  return (
    <p className="lanes-legend row wrap">
      {kinds.map(kind => (
        <MarkedWord key={kind} kind={kind} />
      ))}
      <span className="space" />
      <span className="quiet">Drag a node to change the order</span>
    </p>
  )
}

function useLaneScale(ahead: PlanAhead, nowMs: number, width: number | null): TimelineScale {
  return useMemo(() => {
    const last = [...ahead.ghosts.values()].reduce((most, { lateMs }) => Math.max(most, lateMs), ahead.end.lowMs)
    const plane = Math.max(LEAST_PLANE_PX, (width ?? 0) - LANE_NAME_PX - RIGHT_PX)
    return timelineScale(NOTHING_YET, plane, nowMs, last + (last - nowMs) * BEYOND)
  }, [ahead, nowMs, width])
}

interface PartProps {
  readonly plan: Props
  readonly scale: TimelineScale
}

/** The times above the lanes, from now to the end; without times there are none. */
function Axis({ plan: { ahead, nowMs }, scale }: PartProps): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  const time = (ms: number) => timeOfDay(new Date(ms).toISOString(), clock).slice(0, 5)
  if (ahead.times.from === 'order') return <div className="lanes-axis small quiet">In this order, times unknown</div>
  const doneX = scale.x(ahead.end.lowMs)
  return (
    <div className="lanes-axis small quiet" aria-hidden="true">
      <b style={{ left: LANE_NAME_PX }}>{time(nowMs)} now</b>
      {scale.ticks
        .filter(({ x }) => x > 90 && Math.abs(x - doneX) > 80)
        .map(({ x, atMs }) => (
          <span key={atMs} style={{ left: LANE_NAME_PX + x }}>
            {time(atMs)}
          </span>
        ))}
      <b className="good" style={{ left: LANE_NAME_PX + doneX }}>
        {time(ahead.end.lowMs)} done
      </b>
    </div>
  )
}

interface LaneRowsProps extends PartProps {
  readonly moves: LaneMoves
}

/** The phases, the groups with their lanes in order, and the nodes in no group. */
function LaneRows({ plan, scale, moves }: LaneRowsProps): ReactNode {
  const { draft, leftOut, ahead, hasPhases, onEdit } = plan
  const { drag } = moves
  const lists = listsOf(draft)
  const groupCount = lists.filter(({ group }) => group !== null).length
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the names within it.
    <div className="lanes-rows" onKeyDown={moves.onKeyDown}>
      <Lines plan={plan} scale={scale} />
      {hasPhases ? (
        <>
          <PhaseRow phase="prepare" stretch={ahead.prepare} scale={scale} />
          <PhaseRow phase="applications" stretch={ahead.applications} scale={scale} />
        </>
      ) : null}
      {lists.map((own, at) => {
        const stretch = stretchOf(own.nodes, ahead)
        return (
          <section key={own.list} aria-label={headingOf(own)}>
            <LaneHeading
              own={own}
              stretch={
                stretch === null
                  ? null
                  : { x: scale.x(stretch.fromMs), width: scale.x(stretch.toMs) - scale.x(stretch.fromMs) }
              }
              isOneOfMany={groupCount > 1}
              isTarget={drag?.over === `end ${own.list}`}
              isFirst={at === lists.length - groupCount}
              isLast={at === lists.length - 1}
              onMove={by => onEdit(orderOf(moveGroup(draft, own.list, by)))}
              onAtOnce={concurrentUpdates =>
                onEdit({
                  controlNodes: draft.controlNodes,
                  groups: draft.groups.map(group => (group.key === own.list ? { ...group, concurrentUpdates } : group)),
                })
              }
            />
            {own.nodes.map(node => (
              <Lane key={node} node={node} why={null} plan={plan} scale={scale} moves={moves} />
            ))}
          </section>
        )
      })}
      {hasPhases ? (
        <PhaseRow
          phase="finalize"
          stretch={null}
          fromMs={Math.max(ahead.end.lowMs, ...[...ahead.ghosts.values()].map(({ toMs }) => toMs))}
          scale={scale}
        />
      ) : null}
      {drag === null ? null : (
        <p className="lanes-place" data-lane-place="new" data-over={drag.over === 'new'}>
          Drop it here for a separate group
        </p>
      )}
      {drag === null && leftOut.length === 0 ? null : (
        <section aria-label="Left out" className="lanes-out" data-lane-place="out" data-over={drag?.over === 'out'}>
          <p className="lanes-heading small flush row">
            <b>Left out</b> {leftOut.length === 0 ? <span className="quiet">drop it here</span> : null}
          </p>
          {leftOut.map(({ node, why }) => (
            <Lane key={node} node={node} why={why} plan={plan} scale={scale} moves={moves} />
          ))}
        </section>
      )}
    </div>
  )
}

interface PhaseRowProps {
  readonly phase: UpdatePhase
  /** Null if its length is unknown. */
  readonly stretch: PlanAhead['prepare']
  /** Where it begins if its length is unknown; absent means now. */
  readonly fromMs?: number
  readonly scale: TimelineScale
}

/** A phase without nodes: what it does, in one line. */
function PhaseRow({ phase, stretch, fromMs, scale }: PhaseRowProps): ReactNode {
  const x = stretch !== null ? scale.x(stretch.fromMs) : fromMs === undefined ? 0 : scale.x(fromMs)
  const width = stretch === null ? STUB_PX : Math.max(STUB_PX, scale.x(stretch.toMs) - x)
  const isLate = x + width > scale.width * 0.6
  return (
    <div className="lanes-heading small flush row">
      <b>{PHASE_WORDS[phase]}</b>
      <span aria-hidden className="lanes-phase" style={{ left: LANE_NAME_PX + x, width }} />
      <span
        className="lanes-words nowrap small quiet cut"
        style={
          isLate
            ? { right: scale.width - x + RIGHT_PX + 8, maxWidth: x - 8 }
            : { left: LANE_NAME_PX + x + width + 8, right: 8 }
        }
      >
        {PHASE_EXPLAINED[phase]}
      </span>
    </div>
  )
}

/** The lines of the hours, of the end, and of the window's end if the axis goes that far. */
function Lines({ plan: { ahead, nowMs, windowEndMs }, scale }: PartProps): ReactNode {
  if (ahead.times.from === 'order') return null
  const lines = scale.ticks.map(({ x, atMs }) => ({ key: String(atMs), x, name: 'lanes-line' }))
  return (
    <>
      {lines.map(({ key, x, name }) => (
        <span key={key} aria-hidden className={name} style={{ left: LANE_NAME_PX + x }} />
      ))}
      <span aria-hidden className="lanes-line lanes-done" style={{ left: LANE_NAME_PX + scale.x(ahead.end.lowMs) }} />
      {windowEndMs !== null && windowEndMs > nowMs && windowEndMs <= scale.toMs ? (
        <span
          className="lanes-line lanes-window-end"
          style={{ left: LANE_NAME_PX + scale.x(windowEndMs) }}
          title="The window ends here"
        />
      ) : null}
    </>
  )
}

interface LaneProps extends LaneRowsProps {
  readonly node: string
  /** Why the node is in no group; null if it is in one, or the reason is unknown. */
  readonly why: string | null
}

function Lane({
  node,
  why,
  plan: { draft, ahead, facts, onEdit },
  scale,
  moves: { drag, press },
}: LaneProps): ReactNode {
  const ghost = ahead.ghosts.get(node) ?? null
  const last = listsOf(draft).at(-1)
  return (
    <PlanLane
      node={node}
      why={why}
      ghost={ghost}
      isGuess={ahead.times.from === 'order' || ahead.times.missing.includes(node)}
      scale={scale}
      facts={facts?.get(node) ?? null}
      isDragged={drag?.names.includes(node) ?? false}
      isTarget={drag !== null && drag.over === `before ${node}`}
      onPress={press}
      onPutBack={
        ghost !== null
          ? null
          : () =>
              onEdit(
                orderOf(
                  moveLanes(draft, [node], last === undefined ? { kind: 'new' } : { kind: 'end', list: last.list }),
                ),
              )
      }
    />
  )
}

const NOTHING_YET: Parameters<typeof timelineScale>[0] = {
  source: { kind: 'observed', since: '' },
  phase: null,
  phases: [],
  lanes: [],
  samples: [],
  eta: null,
  startedAt: null,
  endedAt: null,
}

function orderOf({ controlNodes, groups }: Props['draft']): Props['draft'] {
  return { controlNodes, groups }
}
