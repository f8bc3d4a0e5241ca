import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { listed } from '../../../shared/grammar/counts.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { rangeWords } from '../../../shared/words/windows.ts'
import { type NodeSpans, timelineForecast } from '../../geometry/timeline-forecast.ts'
import { timelineScale } from '../../geometry/timeline-scale.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { useTicks } from '../../stores/ticks.ts'
import { openWindowsOf, useWindows, windowOf } from '../../stores/windows.ts'
import { usePlaceDrag } from '../../ui/drag/use-place-drag.ts'
import {
  type LanePlace,
  lanesAhead,
  laneWords,
  listsOf,
  moveGroup,
  moveLanes,
  placeBeside,
} from '../../ui/plan/lane-order.ts'
import type { UpdateDraft } from '../../ui/plan/update-draft.ts'
import { headingOf, LANE_NAME_PX, type LaneFindings, LaneHeading, PlanLane } from './plan-lane.tsx'
import { useWidth } from './use-width.ts'
import './timeline.css'
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
export function PlanLanes({
  cluster,
  draft,
  leftOut,
  spans,
  spansFailure,
  findings,
  scroller,
  onEdit,
}: Props): ReactNode {
  const root = useRef<HTMLElement>(null)
  const width = useWidth(root)
  const clock = usePreferences(store => store.preferences.clock)
  const nowMs = useTicks(store => Math.floor(store.nowMs / STEP_MS) * STEP_MS)
  const [said, setSaid] = useState('')
  const refocus = useRef<string | null>(null)
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

  const put = useCallback(
    (nodes: readonly string[], place: LanePlace) => {
      const next = moveLanes(draft, nodes, place)
      if (next === draft) {
        setSaid(`${listed(nodes)} ${nodes.length === 1 ? 'stays' : 'stay'} there.`)
        return
      }
      setSaid(nodes.map(node => laneWords(next, node)).join(' '))
      onEdit({ controlNodes: next.controlNodes, groups: next.groups })
    },
    [draft, onEdit],
  )
  const drop = useCallback(
    (nodes: readonly string[], written: string) => {
      const place = placeOf(written)
      if (place !== null) put(nodes, place)
    },
    [put],
  )
  const { drag, ghost, press } = usePlaceDrag('data-lane-place', scroller, drop)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a lane moves only when the order changes.
  useLayoutEffect(() => {
    if (refocus.current === null) return
    root.current?.querySelector<HTMLElement>(`[data-lane="${CSS.escape(refocus.current)}"]`)?.focus()
    refocus.current = null
  }, [draft])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const node = event.target instanceof HTMLElement ? event.target.dataset.lane : undefined
    if (node === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null
    const go = (place: LanePlace | null) => {
      event.preventDefault()
      refocus.current = node
      if (place === null) setSaid(`${node} is already at the end.`)
      else put([node], place)
    }
    if (by !== null && event.shiftKey) go(placeBeside(draft, node, by))
    else if (by !== null) {
      event.preventDefault()
      focusBeside(root.current, node, by)
    } else if (event.key === 'n') go({ kind: 'new' })
    else if (event.key === 'Delete' || event.key === 'Backspace') go({ kind: 'out' })
  }

  const lists = listsOf(draft)
  const time = (ms: number) => timeOfDay(new Date(ms).toISOString(), clock).slice(0, 5)
  const groupCount = lists.filter(({ group }) => group !== null).length
  const isKnown = [...forecast.ghosts.values()].some(({ kind }) => kind === 'expected')
  const ticks = isKnown ? scale.ticks : []
  const row = (node: string, why: string | null) => (
    <PlanLane
      key={node}
      node={node}
      why={why}
      ghost={forecast.ghosts.get(node) ?? null}
      turn={forecast.turns.get(node) ?? null}
      scale={scale}
      findings={findings?.get(node) ?? null}
      isDragged={drag?.names.includes(node) ?? false}
      isTarget={drag !== null && drag.over === `before ${node}`}
      onPress={press}
    />
  )
  return (
    <section ref={root} className="lanes" aria-label="Order of the nodes" data-dragging={drag !== null}>
      <header className="row wrap">
        <h3>The order</h3>
        <span className="quiet">
          {spansFailure === null
            ? endWords(forecast.end, nowMs, windowEndMs, time)
            : `The estimate could not be read: ${spansFailure.message}`}
        </span>
      </header>
      <div className="lanes-axis" aria-hidden="true">
        {ticks.map(({ x, atMs }) => (
          <span key={atMs} style={{ left: LANE_NAME_PX + x }}>
            {time(atMs)}
          </span>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the names within it. */}
      <div className="lanes-rows" onKeyDown={onKeyDown}>
        {ticks.map(({ x, atMs }) => (
          <span key={atMs} aria-hidden className="lanes-line" style={{ left: LANE_NAME_PX + x }} />
        ))}
        {isKnown && windowEndMs !== null && windowEndMs > nowMs && windowEndMs <= scale.toMs ? (
          <span
            aria-hidden
            className="lanes-line lanes-window-end"
            style={{ left: LANE_NAME_PX + scale.x(windowEndMs) }}
            title={`The window ends at ${time(windowEndMs)}`}
          />
        ) : null}
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
            {own.nodes.map(node => row(node, null))}
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
          {leftOut.map(({ node, why }) => row(node, why))}
        </section>
      </div>
      <p className="quiet small">
        Drag lanes by their names, or use keys: arrows move between lanes, Shift and arrows move a lane, <kbd>n</kbd>{' '}
        gives it a new group, <kbd>Delete</kbd> leaves it out.
      </p>
      <div className="visually-hidden" aria-live="assertive">
        {said}
      </div>
      {drag === null ? null : (
        <div ref={ghost} className="lanes-ghost" aria-hidden="true">
          <b className="mono">{drag.names.join(', ')}</b>
        </div>
      )}
    </section>
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

/** A place, as its element names it. */
function placeOf(written: string): LanePlace | null {
  const [kind, name = ''] = written.split(' ')
  switch (kind) {
    case 'before':
      return { kind, node: name }
    case 'end':
      return { kind, list: name }
    case 'new':
    case 'out':
      return { kind }
    default:
      return null
  }
}

function focusBeside(root: HTMLElement | null, node: string, by: -1 | 1): void {
  const all = [...(root?.querySelectorAll<HTMLElement>('[data-lane]') ?? [])]
  all[all.findIndex(({ dataset }) => dataset.lane === node) + by]?.focus()
}
