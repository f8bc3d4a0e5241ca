import { InputGroup } from '@blueprintjs/core'
import { SearchIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

interface Props {
  readonly placeholder: string
  /** The accessible name: what it finds. */
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** The search of a plan. */
export function PlanSearch({ placeholder, label, value, onChange }: Props): ReactNode {
  return (
    <InputGroup
      className="plan-search"
      size="small"
      type="search"
      leftElement={<SearchIcon />}
      placeholder={placeholder}
      aria-label={label}
      value={value}
      onValueChange={onChange}
    />
  )
}
