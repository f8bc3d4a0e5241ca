import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { type CalendarDay, endingAt, instantAt, keyedSpan, movedTo, type Span } from '../../geometry/week-calendar.ts'
import { followDrag } from './follow-drag.ts'
import { spanOf } from './window-span.ts'

/** Another time for a planned window, not confirmed yet. */
interface Proposal {
  readonly listed: ListedWindow
  readonly span: Span
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
export function useWindowMoves(
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
    const grabbedMs = at(event.clientX, event.clientY)
    followDrag(
      event,
      (x, y) => (part === 'end' ? endingAt(span, at(x, y)) : movedTo(span, span.fromMs + at(x, y) - grabbedMs)),
      moved => setProposal({ listed, span: moved }),
      (moved, dropped) => {
        if (moved === null) return
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

function isSame(a: Span, b: Span): boolean {
  return a.fromMs === b.fromMs && a.toMs === b.toMs
}
