import { InputGroup } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { isDay } from '../../shared/grammar/times.ts'

interface Props {
  readonly id: string
  /** `2026-11-23`; empty if there is no day. */
  readonly day: string
  readonly onDay: (day: string) => void
  readonly disabled?: boolean
}

/** A day in the notation of this console; a browser's own field would use its language. */
export function DayField({ id, day, onDay, disabled = false }: Props): ReactNode {
  const [typed, setTyped] = useState(day)
  const [from, setFrom] = useState(day)
  const [left, setLeft] = useState(false)
  // Another control, such as Clear, changed the day.
  if (day !== from) {
    setFrom(day)
    setTyped(day)
  }
  const isOdd = typed !== '' && !isDay(typed)
  return (
    <InputGroup
      id={id}
      className="day-field"
      value={typed}
      placeholder="YYYY-MM-DD"
      maxLength={10}
      spellCheck={false}
      autoComplete="off"
      disabled={disabled}
      // No error before the operator has typed.
      intent={isOdd && left ? 'danger' : 'none'}
      aria-invalid={isOdd && left}
      onBlur={() => setLeft(true)}
      onValueChange={text => {
        setTyped(text)
        const next = isDay(text) ? text : text === '' ? '' : null
        if (next === null || next === day) return
        setFrom(next)
        onDay(next)
      }}
    />
  )
}
