import { type ReactNode, useId } from 'react'
import type { BatchOptions } from '../../../shared/domain/batches.ts'
import { NodeRole } from '../../../shared/domain/roles.ts'

interface Props {
  readonly atOnce: BatchOptions['atOnce']
  readonly onChange: (atOnce: BatchOptions['atOnce']) => void
}

const MOST = 500

/** How many nodes of a role a batch may hold; empty: as the cluster's settings have it. */
export function AtOnce({ atOnce, onChange }: Props): ReactNode {
  const id = useId()
  const set = (role: NodeRole, text: string) => {
    const { [role]: _old, ...others } = atOnce
    const amount = Math.round(Number(text))
    if (text.trim() === '') onChange(others)
    else if (amount >= 1 && amount <= MOST) onChange({ ...others, [role]: amount })
  }
  return (
    <fieldset className="win-at-once">
      <legend>
        At once, by role <span className="quiet">empty: the cluster's setting</span>
      </legend>
      {NodeRole.options.map(role => (
        <label key={role} htmlFor={`${id}-${role}`}>
          <span>{role}</span>
          <input
            id={`${id}-${role}`}
            className="bp6-input"
            type="number"
            min={1}
            max={MOST}
            value={atOnce[role] ?? ''}
            onChange={({ currentTarget }) => set(role, currentTarget.value)}
          />
        </label>
      ))}
    </fieldset>
  )
}
