import { type ReactNode, type RefObject, useMemo, useRef } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { rangeWords } from '../../../shared/words/windows.ts'
import { type NodeSpans, timelineForecast } from '../../geometry/timeline-forecast.ts'
import { type TimelineScale, timelineScale } from '../../geometry/timeline-scale.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { useTicks } from '../../stores/ticks.ts'
import { openWindowsOf, useWindows, windowOf } from '../../stores/windows.ts'
import type { PlaceDrag } from '../../ui/drag/use-place-drag.ts'
import { lanesAhead, listsOf, moveGroup } from '../../ui/plan/lane-order.ts'
import type { UpdateDraft } from '../../ui/plan/update-draft.ts'
import { useWidth } from '../../ui/timeline/use-width.ts'
import { headingOf, LANE_NAME_PX, type LaneFindings, LaneHeading, PlanLane } from './plan-lane.tsx'
import { type LaneMoves, useLaneMoves } from './use-lane-moves.ts'
import '../../ui/timeline/timeline.css'
import './plan-lanes.css'

const RIGHT_PX = 12
const LEAST_PLANE_PX = 240
/** The axis extends a little beyond the last end. */
const BEYOND = 0.06
/** The axis begins at the last step of this length, so that it does not move every second. */
const STEP_MS = 60_000
const UNKNOWN_MS = 60 * 60_000

interface Props {
  readonly cluster: string
  readonly draft: Pick<UpdateDraft, 'controlNodes' | 'groups'>
  /** Nodes in no group, with the reason if known. */
  readonly leftOut: readonly { readonly node: string; readonly why: string | null }[]
  /** How long each node takes, as measured; empty if not measured. */
  readonly spans: NodeSpans
  /** Why the estimate could not be read; null if there is no failure. */
  readonly spansFailure: Failure | null
  /** Keyed by node; null if this order was not checked yet. */
  readonly findings: ReadonlyMap<string, LaneFindings> | null
  readonly scroller: RefObject<HTMLElement | null>
  readonly onEdit: (change: Pick<UpdateDraft, 'controlNodes' | 'groups'>) => void
}

/** The order of an update: every node in its turn, as long as it takes; lanes are reordered by pointer or keys. */
export function PlanLanes(props: Props): ReactNode {
  const { cluster, draft, spans, spansFailure, scroller, onEdit } = props
  const root = useRef<HTMLElement>(null)
  const width = useWidth(root)
  const axis = useLaneAxis(cluster, draft, spans, width)
  const moves = useLaneMoves(draft, root, scroller, onEdit)
  const { drag } = moves
  return (
    <section ref={root} className="lanes" aria-label="Order of the nodes" data-dragging={drag !== null}>
      <header className="row wrap">
        <h3>The order</h3>
        <span className="quiet">
          {spansFailure === null
            ? endWords(axis.forecast.end, axis.nowMs, axis.windowEndMs, axis.time)
            : `The estimate could not be read: ${spansFailure.message}`}
        </span>
      </header>
      <div className="lanes-axis" aria-hidden="true">
        {axis.ticks.map(({ x, atMs }) => (
          <span key={atMs} style={{ left: LANE_NAME_PX + x }}>
            {axis.time(atMs)}
          </span>
        ))}
      </div>
      <LaneRows plan={props} axis={axis} moves={moves} />
      <p className="quiet small">
        Drag lanes by their names, or use keys: arrows move between lanes, Shift and arrows move a lane, <kbd>n</kbd>{' '}
        gives it a new group, <kbd>Delete</kbd> leaves it out.
      </p>
      <div className="visually-hidden" aria-live="assertive">
        {moves.said}
      </div>
      {drag === null ? null : (
        <div ref={moves.ghost} className="lanes-ghost" aria-hidden="true">
          <b className="mono">{drag.names.join(', ')}</b>
        </div>
      )}
    </section>
  )
}

/** The time axis of the lanes, and where their nodes are expected on it. */
interface LaneAxis {
  readonly nowMs: number
  readonly forecast: ReturnType<typeof timelineForecast>
  readonly scale: TimelineScale
  /** Without any expected end there are none. */
  readonly ticks: TimelineScale['ticks']
  /** Whether any end is expected. */
  readonly isKnown: boolean
  readonly windowEndMs: number | null
  /** The time of day, as the operator prefers it. */
  readonly time: (ms: number) => string
}

function useLaneAxis(cluster: string, draft: Props['draft'], spans: NodeSpans, width: number | null): LaneAxis {
  const clock = usePreferences(store => store.preferences.clock)
  const nowMs = useTicks(store => Math.floor(store.nowMs / STEP_MS) * STEP_MS)
  const ahead = useMemo(() => lanesAhead(draft), [draft])
  const forecast = useMemo(
    () => timelineForecast({ lanes: [...ahead.lanes], endedAt: null }, ahead.nodes, spans, nowMs),
    [ahead, spans, nowMs],
  )
  const windowEndMs = useWindowEnd(cluster)
  const scale = useMemo(() => {
    const lastMs = Math.max(
      nowMs,
      ...[...forecast.ghosts.values()].map(ghost => (ghost.kind === 'expected' ? ghost.lateMs : nowMs)),
    )
    const untilMs = lastMs === nowMs ? nowMs + UNKNOWN_MS : lastMs + (lastMs - nowMs) * BEYOND
    const plane = Math.max(LEAST_PLANE_PX, (width ?? 0) - LANE_NAME_PX - RIGHT_PX)
    return timelineScale({ ...NOTHING_YET, lanes: [...ahead.lanes] }, plane, nowMs, untilMs)
  }, [forecast, ahead, nowMs, width])
  const isKnown = [...forecast.ghosts.values()].some(({ kind }) => kind === 'expected')
  return {
    nowMs,
    forecast,
    scale,
    ticks: isKnown ? scale.ticks : [],
    isKnown,
    windowEndMs,
    time: ms => timeOfDay(new Date(ms).toISOString(), clock).slice(0, 5),
  }
}

interface LaneRowsProps {
  readonly plan: Props
  readonly axis: LaneAxis
  readonly moves: LaneMoves
}

/** The groups with their lanes in order, and the nodes in no group. */
function LaneRows({ plan, axis, moves }: LaneRowsProps): ReactNode {
  const { draft, leftOut, findings, onEdit } = plan
  const { drag } = moves
  const lists = listsOf(draft)
  const groupCount = lists.filter(({ group }) => group !== null).length
  const view: LaneView = { axis, findings, drag, press: moves.press }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the names within it.
    <div className="lanes-rows" onKeyDown={moves.onKeyDown}>
      {axis.ticks.map(({ x, atMs }) => (
        <span key={atMs} aria-hidden className="lanes-line" style={{ left: LANE_NAME_PX + x }} />
      ))}
      <WindowEndLine axis={axis} />
      {lists.map((own, at) => (
        <section key={own.list} aria-label={headingOf(own)}>
          <LaneHeading
            own={own}
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
            <Lane key={node} node={node} why={null} view={view} />
          ))}
          <div className="lanes-end" data-lane-place={`end ${own.list}`} />
        </section>
      ))}
      <p className="lanes-place" data-lane-place="new" data-over={drag?.over === 'new'}>
        New group: drop a node here
      </p>
      <section aria-label="Left out" className="lanes-out" data-lane-place="out" data-over={drag?.over === 'out'}>
        <p className="lanes-heading">
          Left out <span className="quiet">{leftOut.length === 0 ? 'none: drop a node here' : leftOut.length}</span>
        </p>
        {leftOut.map(({ node, why }) => (
          <Lane key={node} node={node} why={why} view={view} />
        ))}
      </section>
    </div>
  )
}

/** Where the window ends, if the axis goes that far. */
function WindowEndLine({ axis: { isKnown, windowEndMs, nowMs, scale, time } }: { readonly axis: LaneAxis }): ReactNode {
  return isKnown && windowEndMs !== null && windowEndMs > nowMs && windowEndMs <= scale.toMs ? (
    <span
      aria-hidden
      className="lanes-line lanes-window-end"
      style={{ left: LANE_NAME_PX + scale.x(windowEndMs) }}
      title={`The window ends at ${time(windowEndMs)}`}
    />
  ) : null
}

interface LaneView {
  readonly axis: LaneAxis
  readonly findings: Props['findings']
  readonly drag: PlaceDrag['drag']
  readonly press: PlaceDrag['press']
}

interface LaneProps {
  readonly node: string
  /** Why the node is in no group; null if it is in one, or the reason is unknown. */
  readonly why: string | null
  readonly view: LaneView
}

function Lane({ node, why, view: { axis, findings, drag, press } }: LaneProps): ReactNode {
  return (
    <PlanLane
      node={node}
      why={why}
      ghost={axis.forecast.ghosts.get(node) ?? null}
      turn={axis.forecast.turns.get(node) ?? null}
      scale={axis.scale}
      findings={findings?.get(node) ?? null}
      isDragged={drag?.names.includes(node) ?? false}
      isTarget={drag !== null && drag.over === `before ${node}`}
      onPress={press}
    />
  )
}

const NOTHING_YET = {
  source: { kind: 'observed' as const, since: '' },
  phase: null,
  phases: [],
  samples: [],
  eta: null,
  startedAt: null,
  endedAt: null,
}

function orderOf({ controlNodes, groups }: Props['draft']): Props['draft'] {
  return { controlNodes, groups }
}

/** When the open window of the cluster ends; null if none is open. */
function useWindowEnd(cluster: string): number | null {
  const list = useWindows(store => store.list)
  const id = useTicks(({ nowMs }) => openWindowsOf(list, cluster, nowMs)[0]?.window.id ?? null)
  const listedWindow = id === null ? null : windowOf(list, id)
  return listedWindow === null ? null : Date.parse(listedWindow.window.endsAt)
}

/** When all nodes would be done if the work began now, and whether the window lasts that long. */
function endWords(
  end: { readonly lowMs: number; readonly highMs: number } | null,
  nowMs: number,
  windowEndMs: number | null,
  time: (ms: number) => string,
): string {
  if (end === null) return 'Duration unknown: some of these nodes were never measured on this cloud.'
  const span = `${rangeWords({ lowMs: end.lowMs - nowMs, highMs: end.highMs - nowMs })}; if it starts now, done between ${time(end.lowMs)} and ${time(end.highMs)}`
  if (windowEndMs === null) return `${span}.`
  return `${span}; the window ends at ${time(windowEndMs)}${end.highMs <= windowEndMs ? ', in time' : end.lowMs <= windowEndMs ? ': it may end too late' : ': it ends too late'}.`
}
