import type { ReactNode } from 'react'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { useTicks } from '../../stores/ticks.ts'

interface Props {
  readonly from: string
  /** Null if it still runs, and ticks. */
  readonly to: string | null
}

/** How long something took, or has taken so far. */
export function Elapsed({ from, to }: Props): ReactNode {
  const text = useTicks(({ nowMs }) => durationWords((to === null ? nowMs : Date.parse(to)) - Date.parse(from)))
  return <span className="number">{text}</span>
}
