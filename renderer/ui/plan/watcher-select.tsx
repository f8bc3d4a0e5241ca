import type { ReactNode } from 'react'
import { ModeSelect } from '../instances/mode-select.tsx'

/** Which instances are left out of Watcher's plan, and how to change that. */
export interface Exclusion {
  readonly excluded: readonly string[]
  readonly onExclude: (excluded: readonly string[]) => void
}

interface Props {
  readonly id: string
  readonly called: string
  readonly exclusion: Exclusion
}

/** In a plan of Watcher no tag decides: an instance moves as Watcher plans, or is left out. */
export function WatcherSelect({ id, called, exclusion: { excluded, onExclude } }: Props): ReactNode {
  return (
    <ModeSelect
      label={`Mode of ${called}`}
      value={excluded.includes(id) ? 'out' : 'watcher'}
      options={[
        { value: 'watcher', label: 'As Watcher plans' },
        { value: 'out', label: 'Leave it out · yours' },
      ]}
      onChoose={value => onExclude(value === 'out' ? [...excluded, id] : excluded.filter(other => other !== id))}
    />
  )
}
