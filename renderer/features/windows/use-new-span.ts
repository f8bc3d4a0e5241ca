import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from 'react'
import {
  type CalendarDay,
  chosenSpan,
  drawnSpan,
  instantAt,
  keepInWeek,
  type Span,
} from '../../geometry/week-calendar.ts'
import { goTo } from '../../stores/route.ts'
import { followDrag } from './follow-drag.ts'

const HOUR_MS = 3_600_000

interface NewSpan {
  /** The time that is drawn or chosen; null if there is none. */
  readonly span: Span | null
  readonly drag: (event: PointerEvent) => void
  readonly press: (event: KeyboardEvent) => void
  readonly forget: () => void
}

/** The time of a new window, drawn with the pointer or chosen with keys. */
export function useNewSpan(
  days: readonly CalendarDay[],
  grid: RefObject<HTMLElement | null>,
  nowMs: number,
  cluster: string | null,
): NewSpan {
  const [span, setSpan] = useState<Span | null>(null)
  const open = (chosen: Span) => goTo(newWindowRoute(chosen, cluster))

  const drag = (event: PointerEvent) => {
    const place = grid.current?.getBoundingClientRect()
    if (event.button !== 0 || place === undefined || event.target !== event.currentTarget) return
    const at = (x: number, y: number) =>
      instantAt(days, (x - place.left) / place.width, (y - place.top) / place.height) ?? 0
    const from = at(event.clientX, event.clientY)
    followDrag(
      event,
      (x, y) => drawnSpan(from, at(x, y)),
      setSpan,
      (drawn, dropped) => {
        // A click chooses the hour, to be moved by keys.
        if (drawn === null) setSpan(dropped ? hourAt(from) : null)
        else if (dropped) open(drawn)
        else setSpan(null)
      },
    )
  }

  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'Escape' && span !== null) setSpan(null)
    else if (event.key === 'Enter' && span !== null) open(span)
    else {
      const moved = span === null ? null : chosenSpan(span, event.key, event.shiftKey)
      const next = moved ?? (span === null && event.key.startsWith('Arrow') ? firstSpan(days, nowMs) : null)
      if (next === null) return
      setSpan(keepInWeek(next, days))
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return { span, drag, press, forget: () => setSpan(null) }
}

export function newWindowRoute({ fromMs, toMs }: Span, cluster: string | null) {
  const times = { startsAt: new Date(fromMs).toISOString(), endsAt: new Date(toMs).toISOString() }
  return { kind: 'new-window' as const, cluster, times }
}

function hourAt(ms: number): Span {
  const fromMs = Math.floor(ms / HOUR_MS) * HOUR_MS
  return { fromMs, toMs: fromMs + HOUR_MS }
}

/** The next hour if the week is this one, else the morning of its first day. */
function firstSpan(days: readonly CalendarDay[], nowMs: number): Span {
  const first = days[0]?.fromMs ?? 0
  const isThisWeek = nowMs >= first && nowMs < (days.at(-1)?.toMs ?? 0)
  return hourAt(isThisWeek ? nowMs + HOUR_MS : first + 9 * HOUR_MS)
}
