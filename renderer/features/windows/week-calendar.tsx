import { type ReactNode, useEffect, useId, useMemo, useRef } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { zonedStamp } from '../../../shared/grammar/times.ts'
import { blocksOn, type CalendarDay, type DayBlock, type Span, weekOf } from '../../geometry/week-calendar.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { CalendarBlock, placeOf } from './calendar-block.tsx'
import { MoveWindowDialog } from './move-window-dialog.tsx'
import { newWindowRoute, useNewSpan } from './use-new-span.ts'
import { useWindowMoves } from './use-window-moves.ts'
import { WEEKDAYS } from './week-days.ts'
import { hoursOf, spanOf, spanText } from './window-span.ts'
import './week-calendar.css'

interface Props {
  readonly windows: readonly ListedWindow[]
  readonly zone: string
  /** The cloud of a new window; null if all are shown. */
  readonly cluster: string | null
  /** Weeks from this one. */
  readonly weeks: number
  readonly onWeeks: (weeks: number) => void
}

const HOURS = Array.from({ length: 12 }, (_, at) => at * 2)
const NEW = 'new'

/** A week of the windows of all clouds; a new one is drawn into it, planned ones are moved and resized, by pointer or keys. */
export function WeekCalendar({ windows, zone, cluster, weeks, onWeeks }: Props): ReactNode {
  const minute = useTicks(store => Math.floor(store.nowMs / 60_000) * 60_000)
  const days = useMemo(() => weekOf(minute, weeks, zone), [minute, weeks, zone])
  const grid = useRef<HTMLDivElement>(null)
  const moves = useWindowMoves(days, grid, weeks, onWeeks)
  const drawn = useNewSpan(days, grid, minute, cluster)
  const { proposal, isAsked } = moves
  const hint = useId()
  const scroller = useScrolled(days, windows, minute)
  const spans = useMemo(
    () => [
      ...windows.map(listed => ({
        id: listed.window.id,
        ...(proposal?.listed.window.id === listed.window.id ? proposal.span : spanOf(listed)),
      })),
      ...(drawn.span === null ? [] : [{ id: NEW, ...drawn.span }]),
    ],
    [windows, proposal, drawn.span],
  )
  return (
    <section className="cal column card" aria-label="Windows of all clouds in a week">
      <DayNames days={days} minute={minute} />
      <div className="cal-scroll" ref={scroller}>
        <Hours />
        {/* biome-ignore lint/a11y/useSemanticElements: a grid of hours, drawn into with the pointer and with keys. */}
        <div
          className="cal-days"
          ref={grid}
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys choose the time of a new window.
          tabIndex={0}
          aria-label="Hours of the week"
          aria-describedby={hint}
          onKeyDown={drawn.press}
        >
          {days.map(day => (
            <Day key={day.date} day={day} nowMs={minute} onPointerDown={drawn.drag}>
              {blocksOn(day, spans).map(block => {
                if (block.id === NEW && drawn.span !== null) {
                  return <NewBlock key={NEW} block={block} span={drawn.span} zone={zone} cluster={cluster} />
                }
                const listed = windows.find(({ window: { id } }) => id === block.id)
                return listed === undefined ? null : (
                  <CalendarBlock
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
      </div>
      <CalendarFoot zone={zone} hint={hint} proposal={proposal} drawn={drawn.span} />
      {proposal !== null && isAsked ? (
        <MoveWindowDialog listed={proposal.listed} span={proposal.span} windows={windows} onClose={moves.forget} />
      ) : null}
    </section>
  )
}

/** Scrolls a shown week to now, or to its first window. */
function useScrolled(days: readonly CalendarDay[], windows: readonly ListedWindow[], nowMs: number) {
  const scroller = useRef<HTMLDivElement>(null)
  const week = days[0]?.date
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another week scrolls.
  useEffect(() => {
    const box = scroller.current
    if (box === null) return
    const [from, to] = [days[0]?.fromMs ?? 0, days.at(-1)?.toMs ?? 0]
    const starts = windows.map(each => spanOf(each).fromMs).filter(ms => ms >= from && ms < to)
    const first = nowMs >= from && nowMs < to ? nowMs : starts.length === 0 ? from + 8 * 3_600_000 : Math.min(...starts)
    const day = days.find(each => first >= each.fromMs && first < each.toMs)
    if (day === undefined) return
    const share = (first - day.fromMs) / (day.toMs - day.fromMs)
    box.scrollTop = share * box.scrollHeight - box.clientHeight / 3
  }, [week])
  return scroller
}

/** The names of the days above the grid. */
function DayNames({ days, minute }: { readonly days: readonly CalendarDay[]; readonly minute: number }): ReactNode {
  return (
    <div className="cal-heads" aria-hidden="true">
      {days.map(({ date, fromMs, toMs }, at) => (
        <span key={date} data-today={minute >= fromMs && minute < toMs}>
          {WEEKDAYS[at]} <b>{Number(date.slice(8))}</b>
        </span>
      ))}
    </div>
  )
}

function Hours(): ReactNode {
  return (
    <div className="cal-hours small quiet" aria-hidden="true">
      {HOURS.map(hour => (
        <span key={hour} style={{ top: `${(hour / 24) * 100}%` }}>
          {String(hour).padStart(2, '0')}:00
        </span>
      ))}
    </div>
  )
}

interface DayProps {
  readonly day: CalendarDay
  readonly nowMs: number
  readonly onPointerDown: (event: React.PointerEvent) => void
  readonly children: ReactNode
}

function Day({ day: { fromMs, toMs }, nowMs, onPointerDown, children }: DayProps): ReactNode {
  const isToday = nowMs >= fromMs && nowMs < toMs
  return (
    <div className="cal-day" data-today={isToday} onPointerDown={onPointerDown}>
      {children}
      {isToday ? <span className="cal-now" style={{ top: `${((nowMs - fromMs) / (toMs - fromMs)) * 100}%` }} /> : null}
    </div>
  )
}

interface NewBlockProps {
  readonly block: DayBlock
  readonly span: Span
  readonly zone: string
  readonly cluster: string | null
}

/** The time of a new window. */
function NewBlock({ block, span, zone, cluster }: NewBlockProps): ReactNode {
  return (
    <a className="cal-block cal-new" style={placeOf(block)} href={hashOf(newWindowRoute(span, cluster))}>
      <b>New window</b> <span>{hoursOf(span, zone)}</span>
      <span className="visually-hidden"> on {(zonedStamp(span.fromMs, zone) ?? '').slice(0, 10)}</span>
    </a>
  )
}

interface FootProps {
  readonly zone: string
  readonly hint: string
  readonly proposal: ReturnType<typeof useWindowMoves>['proposal']
  readonly drawn: Span | null
}

/** How the calendar is used, and what the pointer or the keys do now. */
function CalendarFoot({ zone, hint, proposal, drawn }: FootProps): ReactNode {
  return (
    <p className="cal-foot wrap flush small quiet">
      <span>
        Times in {zone}
        <span className="visually-hidden" id={hint}>
          . Arrows choose the time of a new window, with Shift its end; Enter opens it. A planned window moves with Alt
          and the arrows, with Shift its end.
        </span>
      </span>
      <span className="cal-said" aria-live="polite">
        {proposal !== null
          ? `${proposal.listed.window.title}: ${spanText(proposal.span, zone)}. Enter confirms.`
          : drawn !== null
            ? `New window: ${spanText(drawn, zone)}`
            : ''}
      </span>
      {proposal === null && drawn === null ? <span>Drag to plan, move or resize</span> : null}
    </p>
  )
}
