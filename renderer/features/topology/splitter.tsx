import type { ReactNode } from 'react'
import { followPointer } from '../../ui/drag/follow-pointer.ts'

interface Props {
  readonly label: string
  /** How the bar lies: a horizontal one sizes what is below it, a vertical one what is right of it. */
  readonly orientation: 'horizontal' | 'vertical'
  readonly value: number
  readonly least: number
  readonly most: number
  readonly onChange: (value: number) => void
}

const KEY_STEP_PX = 16

/** A bar that sizes a pane, by pointer or by arrow keys. */
export function Splitter({ label, orientation, value, least, most, onChange }: Props): ReactNode {
  const set = (next: number) => onChange(Math.round(Math.min(most, Math.max(least, next))))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a hr cannot be moved; this is the ARIA window splitter.
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={value}
      aria-valuemin={least}
      aria-valuemax={most}
      className={`topo-splitter topo-splitter-${orientation}`}
      onPointerDown={event => {
        event.preventDefault()
        event.currentTarget.focus()
        const start = orientation === 'horizontal' ? event.clientY : event.clientX
        followPointer(event.pointerId, {
          onMove: point => set(value + start - (orientation === 'horizontal' ? point.y : point.x)),
          onEnd: () => {},
        })
      }}
      onKeyDown={event => {
        const larger = orientation === 'horizontal' ? 'ArrowUp' : 'ArrowLeft'
        const smaller = orientation === 'horizontal' ? 'ArrowDown' : 'ArrowRight'
        if (event.key === larger) set(value + KEY_STEP_PX)
        else if (event.key === smaller) set(value - KEY_STEP_PX)
        else return
        event.preventDefault()
      }}
    />
  )
}
