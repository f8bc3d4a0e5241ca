import type { ReactNode } from 'react'
import type { HeadReading } from './head-draft.ts'
import type { PlanReading } from './plan-draft.ts'

/** What is missing before something can be saved. */
export function Problems({ readings }: { readonly readings: readonly (HeadReading | PlanReading)[] }): ReactNode {
  const problems = readings.flatMap(reading => (reading.kind === 'unfinished' ? reading.problems : []))
  return (
    <ul className="plain-list quiet" aria-label="Still missing" aria-live="polite">
      {problems.map(problem => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  )
}
