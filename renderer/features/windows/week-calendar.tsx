import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { zonedRange, zonedWall } from '../../../shared/grammar/times.ts'
import { STATUS_WORDS } from '../../../shared/words/windows.ts'
import {
  blocksOn,
  type CalendarDay,
  type DayBlock,
  endingAt,
  instantAt,
  keyedSpan,
  movedTo,
  type Span,
  weekOf,
} from '../../geometry/week-calendar.ts'
import { useClusterColour } from '../../stores/clusters.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { statusAt } from '../../stores/windows.ts'
import { MoveWindowDialog } from './move-window-dialog.tsx'
import './week-calendar.css'

interface Props {
  readonly windows: readonly ListedWindow[]
  readonly zone: string
  /** Weeks from this one. */
  readonly weeks: number
  readonly onWeeks: (weeks: number) => void
}

/** Another time for a planned window, not confirmed yet. */
interface Proposal {
  readonly listed: ListedWindow
  readonly span: Span
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const HOURS = [3, 6, 9, 12, 15, 18, 21]
/** A shorter move is a click. */
const DRAG_PX = 4

/** A week of the windows of all clusters; planned ones are moved and resized by pointer or keys. */
export function WeekCalendar({ windows, zone, weeks, onWeeks }: Props): ReactNode {
  const minute = useTicks(store => Math.floor(store.nowMs / 60_000) * 60_000)
  const days = useMemo(() => weekOf(minute, weeks, zone), [minute, weeks, zone])
  const grid = useRef<HTMLDivElement>(null)
  const moves = useWindowMoves(days, grid, weeks, onWeeks)
  const { proposal, isAsked } = moves
  const hint = useId()
  const spans = useMemo(
    () =>
      windows.map(listed => ({
        id: listed.window.id,
        ...(proposal?.listed.window.id === listed.window.id ? proposal.span : spanOf(listed)),
      })),
    [windows, proposal],
  )
  return (
    <section className="cal card" aria-label="Windows of all clouds in a week">
      <p className="cal-note quiet small">
        Times in {zone}.{' '}
        <span id={hint}>
          Drag planned windows, or move them with Alt and the arrows; with Shift, their end. Enter confirms.
        </span>
      </p>
      <Axes days={days} minute={minute} />
      <div className="cal-days" ref={grid}>
        {days.map(day => (
          <Day key={day.date} day={day} nowMs={minute}>
            {blocksOn(day, spans).map(block => {
              const listed = windows.find(({ window: { id } }) => id === block.id)
              return listed === undefined ? null : (
                <Block
                  key={block.id}
                  block={block}
                  listed={listed}
                  zone={zone}
                  hint={hint}
                  proposed={proposal?.listed.window.id === block.id ? proposal.span : null}
                  onDrag={(event, part) => moves.drag(event, listed, part)}
                  onPress={event => moves.press(event, listed)}
                />
              )
            })}
          </Day>
        ))}
      </div>
      <p className="cal-said small" aria-live="polite">
        {proposal === null ? '' : `${proposal.listed.window.title}: ${rangeWords(proposal.span, zone)}`}
      </p>
      {proposal !== null && isAsked ? (
        <MoveWindowDialog listed={proposal.listed} span={proposal.span} windows={windows} onClose={moves.forget} />
      ) : null}
    </section>
  )
}

interface WindowMoves {
  /** Null if no window was moved. */
  readonly proposal: Proposal | null
  /** Whether the operator is asked to confirm it. */
  readonly isAsked: boolean
  readonly drag: (event: PointerEvent, listed: ListedWindow, part: 'whole' | 'end') => void
  readonly press: (event: KeyboardEvent, listed: ListedWindow) => void
  readonly forget: () => void
}

/** Moves and resizes planned windows by pointer and by keys, until the operator confirms. */
function useWindowMoves(
  days: readonly CalendarDay[],
  grid: RefObject<HTMLElement | null>,
  weeks: number,
  onWeeks: (weeks: number) => void,
): WindowMoves {
  const [proposal, setProposal] = useState<Proposal | null>(null)
  const [isAsked, setAsked] = useState(false)
  const keyed = useRef<string | null>(null)
  /** The week that was shown when a window was first moved by keys. */
  const keyedFrom = useRef<number | null>(null)
  // A block that moves to another day or back is drawn again: it keeps the keyboard.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another week is drawn again too.
  useEffect(() => {
    if (keyed.current === null) return
    const block = grid.current?.querySelector<HTMLElement>(`[data-window="${CSS.escape(keyed.current)}"]`)
    block?.focus()
    if (proposal === null && block != null) keyed.current = null
  }, [proposal, weeks])
  const forget = () => {
    keyed.current = null
    keyedFrom.current = null
    setProposal(null)
    setAsked(false)
  }
  /** Undoes the move, also of the calendar. */
  const putBack = () => {
    if (keyedFrom.current !== null) onWeeks(keyedFrom.current)
    keyedFrom.current = null
    setProposal(null)
    setAsked(false)
  }

  const drag = (event: PointerEvent, listed: ListedWindow, part: 'whole' | 'end') => {
    const place = grid.current?.getBoundingClientRect()
    if (event.button !== 0 || place === undefined) return
    const at = (x: number, y: number) =>
      instantAt(days, (x - place.left) / place.width, (y - place.top) / place.height) ?? 0
    const span = spanOf(listed)
    keyed.current = null
    keyedFrom.current = null
    followDrag(
      event,
      span,
      part,
      at,
      moved => setProposal({ listed, span: moved }),
      (moved, dropped) => {
        if (dropped && !isSame(moved, span)) setAsked(true)
        else forget()
      },
    )
  }

  const press = (event: KeyboardEvent, listed: ListedWindow) => {
    const own = proposal?.listed.window.id === listed.window.id ? proposal : null
    if (own !== null && event.key === 'Enter' && !isSame(own.span, spanOf(listed))) {
      event.preventDefault()
      setAsked(true)
    } else if (own !== null && event.key === 'Escape') {
      event.preventDefault()
      putBack()
    } else if (event.altKey) {
      const span = keyedSpan(own?.span ?? spanOf(listed), event.key, event.shiftKey)
      if (span === null) return
      event.preventDefault()
      keyed.current = listed.window.id
      keyedFrom.current ??= weeks
      setProposal({ listed: own?.listed ?? listed, span })
      if (span.fromMs >= (days.at(-1)?.toMs ?? 0)) onWeeks(weeks + 1)
      else if (span.toMs <= (days[0]?.fromMs ?? 0)) onWeeks(weeks - 1)
    }
  }
  return { proposal, isAsked, drag, press, forget }
}

/** Follows the pointer from its press on a block to the end of the drag. */
function followDrag(
  event: PointerEvent,
  span: Span,
  part: 'whole' | 'end',
  at: (x: number, y: number) => number,
  onMove: (moved: Span) => void,
  onEnd: (moved: Span, dropped: boolean) => void,
): void {
  const grabbedMs = at(event.clientX, event.clientY)
  const { clientX, clientY } = event
  const stops = new AbortController()
  const { signal } = stops
  let moved: Span | null = null
  window.addEventListener(
    'pointermove',
    ({ clientX: x, clientY: y }) => {
      if (moved === null && Math.hypot(x - clientX, y - clientY) < DRAG_PX) return
      moved = part === 'end' ? endingAt(span, at(x, y)) : movedTo(span, span.fromMs + at(x, y) - grabbedMs)
      onMove(moved)
    },
    { signal },
  )
  const end = (dropped: boolean) => {
    stops.abort()
    if (moved === null) return
    // The click that follows would open the window.
    window.addEventListener('click', click => click.preventDefault(), { capture: true, once: true })
    onEnd(moved, dropped)
  }
  window.addEventListener('pointerup', () => end(true), { signal })
  window.addEventListener('pointercancel', () => end(false), { signal })
  window.addEventListener('keydown', ({ key }) => key === 'Escape' && end(false), { signal })
}

/** The names of the days above the grid, and the hours beside it. */
function Axes({ days, minute }: { readonly days: readonly CalendarDay[]; readonly minute: number }): ReactNode {
  return (
    <>
      <div className="cal-heads" aria-hidden="true">
        {days.map(({ date, fromMs, toMs }, at) => (
          <span key={date} data-today={minute >= fromMs && minute < toMs}>
            {WEEKDAYS[at]} <b>{date.slice(5)}</b>
          </span>
        ))}
      </div>
      <div className="cal-hours" aria-hidden="true">
        {HOURS.map(hour => (
          <span key={hour} style={{ top: `${(hour / 24) * 100}%` }}>
            {String(hour).padStart(2, '0')}:00
          </span>
        ))}
      </div>
    </>
  )
}

interface DayProps {
  readonly day: CalendarDay
  readonly nowMs: number
  readonly children: ReactNode
}

function Day({ day: { fromMs, toMs }, nowMs, children }: DayProps): ReactNode {
  const isToday = nowMs >= fromMs && nowMs < toMs
  return (
    <div className="cal-day" data-today={isToday}>
      {children}
      {isToday ? <span className="cal-now" style={{ top: `${((nowMs - fromMs) / (toMs - fromMs)) * 100}%` }} /> : null}
    </div>
  )
}

interface BlockProps {
  readonly block: DayBlock
  readonly listed: ListedWindow
  readonly zone: string
  readonly hint: string
  readonly proposed: Span | null
  readonly onDrag: (event: PointerEvent, part: 'whole' | 'end') => void
  readonly onPress: (event: KeyboardEvent) => void
}

function Block({ block, listed, zone, hint, proposed, onDrag, onPress }: BlockProps): ReactNode {
  const { window } = listed
  const colour = useClusterColour(window.cluster)
  const status = useTicks(store => statusAt(listed, store.nowMs))
  const isPlanned = status === 'planned'
  const words = `on ${window.cluster}, ${rangeWords(proposed ?? spanOf(listed), zone)}`
  return (
    <a
      className={`cal-block status-${status}`}
      data-window={window.id}
      data-proposed={proposed !== null}
      draggable={false}
      style={{
        top: `${block.topPercent}%`,
        height: `${block.heightPercent}%`,
        left: `${(block.column / block.columns) * 100}%`,
        width: `${100 / block.columns}%`,
        borderColor: colour,
        background: `color-mix(in srgb, ${colour} ${isPlanned || status === 'open' ? 22 : 8}%, var(--card))`,
      }}
      href={hashOf({ kind: 'window', id: window.id })}
      title={`${window.title}, ${STATUS_WORDS[status]} ${words}`}
      aria-describedby={isPlanned ? hint : undefined}
      onPointerDown={isPlanned ? event => onDrag(event, 'whole') : undefined}
      onKeyDown={isPlanned ? onPress : undefined}
    >
      <b>{window.title}</b> <span>{STATUS_WORDS[status]}</span> <span className="visually-hidden">{words}</span>
      {isPlanned && block.hasEnd ? (
        <span
          className="cal-edge"
          aria-hidden="true"
          onPointerDown={event => {
            event.stopPropagation()
            onDrag(event, 'end')
          }}
        />
      ) : null}
    </a>
  )
}

function spanOf({ window }: ListedWindow): Span {
  return { fromMs: Date.parse(window.startsAt), toMs: Date.parse(window.endsAt) }
}

function isSame(a: Span, b: Span): boolean {
  return a.fromMs === b.fromMs && a.toMs === b.toMs
}

function rangeWords({ fromMs, toMs }: Span, zone: string): string {
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()]
  return toMs - fromMs < 86_400_000 ? zonedRange(from, to, zone) : `${zonedWall(from, zone)} to ${zonedWall(to, zone)}`
}
