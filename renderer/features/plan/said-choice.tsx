import { type ReactNode, useId, useState } from 'react'

interface Props {
  readonly label: string
  /** An explanation; absent if the label is enough. */
  readonly hint?: string
  readonly value: string
  readonly onSay: (words: string) => void
}

/** A text field that counts when it is left or on Enter: not every letter makes a plan. */
export function SaidChoice({ label, hint, value, onSay }: Props): ReactNode {
  const [typed, setTyped] = useState<string | null>(null)
  const id = useId()
  const settle = () => {
    if (typed !== null && typed.trim() !== value) onSay(typed.trim())
    setTyped(null)
  }
  return (
    <div className="plan-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="bp6-input"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={typed ?? value}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={settle}
        onKeyDown={({ key }) => {
          if (key === 'Enter') settle()
        }}
      />
      {hint === undefined ? null : (
        <span id={`${id}-hint`} className="quiet small">
          {hint}
        </span>
      )}
    </div>
  )
}
