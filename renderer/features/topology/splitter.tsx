import type { ReactNode } from 'react'
import { followPointer } from '../../ui/drag/follow-pointer.ts'

interface Props {
  readonly label: string
  readonly value: number
  readonly least: number
  readonly most: number
  readonly onChange: (value: number) => void
}

const KEY_STEP_PX = 16

/** A bar that resizes the pane below it, by pointer or arrow keys. */
export function Splitter({ label, value, least, most, onChange }: Props): ReactNode {
  const set = (next: number) => onChange(Math.round(Math.min(most, Math.max(least, next))))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a hr cannot be moved; this is the ARIA window splitter.
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuenow={value}
      aria-valuemin={least}
      aria-valuemax={most}
      className="topo-splitter"
      onPointerDown={event => {
        event.preventDefault()
        event.currentTarget.focus()
        const start = event.clientY
        followPointer(event.pointerId, {
          onMove: point => set(value + start - point.y),
          onEnd: () => {},
        })
      }}
      onKeyDown={event => {
        if (event.key === 'ArrowUp') set(value + KEY_STEP_PX)
        else if (event.key === 'ArrowDown') set(value - KEY_STEP_PX)
        else return
        event.preventDefault()
      }}
    />
  )
}
