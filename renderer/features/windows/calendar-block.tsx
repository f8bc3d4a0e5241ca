import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
import type { ListedWindow } from '../../../shared/contract/index.ts'
import { STATUS_WORDS } from '../../../shared/words/windows.ts'
import type { DayBlock, Span } from '../../geometry/week-calendar.ts'
import { useClusterColour, useClusters } from '../../stores/clusters.ts'
import { hashOf } from '../../stores/route.ts'
import { useTicks } from '../../stores/ticks.ts'
import { statusAt } from '../../stores/windows.ts'
import { hoursOf, spanOf, spanText } from './window-span.ts'

interface BlockProps {
  readonly block: DayBlock
  readonly listed: ListedWindow
  readonly zone: string
  readonly hint: string
  readonly proposed: Span | null
  readonly onDrag: (event: PointerEvent, part: 'whole' | 'end') => void
  readonly onPress: (event: KeyboardEvent) => void
}

/** Where a block lies on its day, beside those of the same hours. */
export function placeOf({ topPercent, heightPercent, column, columns }: DayBlock): CSSProperties {
  return {
    top: `${topPercent}%`,
    height: `${heightPercent}%`,
    left: `${(column / columns) * 100}%`,
    width: `${100 / columns}%`,
  }
}

/** A window, or its part, on one day of the calendar. */
export function CalendarBlock({ block, listed, zone, hint, proposed, onDrag, onPress }: BlockProps): ReactNode {
  const { window } = listed
  const colour = useClusterColour(window.cluster)
  const status = useTicks(store => statusAt(listed, store.nowMs))
  const isProduction = useClusters(
    ({ list }) => list.kind === 'listed' && list.byName.get(window.cluster)?.production === true,
  )
  const isPlanned = status === 'planned'
  const span = proposed ?? spanOf(listed)
  const words = `${STATUS_WORDS[status]} on ${window.cluster}, ${spanText(span, zone)}`
  return (
    <a
      className={`cal-block status-${status}`}
      data-window={window.id}
      data-proposed={proposed !== null}
      draggable={false}
      style={{
        ...placeOf(block),
        borderColor: colour,
        background: `color-mix(in srgb, ${colour} ${isPlanned || status === 'open' ? 20 : 8}%, var(--card))`,
      }}
      href={hashOf({ kind: 'window', id: window.id })}
      title={`${window.title}: ${words}`}
      aria-describedby={isPlanned ? hint : undefined}
      onPointerDown={isPlanned ? event => onDrag(event, 'whole') : undefined}
      onKeyDown={isPlanned ? onPress : undefined}
    >
      <b>{window.title}</b>{' '}
      <span aria-hidden="true">
        {hoursOf(span, zone)} · {window.cluster}
      </span>
      {isProduction ? <span className="cal-production"> Production </span> : null}
      {isPlanned ? null : <span aria-hidden="true">{STATUS_WORDS[status]}</span>}
      <span className="visually-hidden">{words}</span>
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
