import type { ReactNode } from 'react'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { type InstanceEffect, instanceIn, warningsOf } from '../../../shared/domain/plan-effects.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { Said } from '../said.tsx'
import { mentions } from './plan-order.ts'

/** More than these are a list that opens: the plan below them stays in sight. */
const SHOWN_OPEN = 4

/** What holds, but is to be known before one agrees, each with the check that says it. What is about an instance stands in its own row. */
export function PlanWarnings({
  checked,
  instances,
  search,
}: {
  readonly checked: CheckedPlan
  readonly instances: readonly InstanceEffect[]
  readonly search: string
}): ReactNode {
  const shown = warningsOf(checked).filter(
    ({ words, title }) => instanceIn(words, instances) === null && mentions(search, [words, title]),
  )
  if (shown.length === 0) return null
  return (
    <details className="plan-section" open={shown.length <= SHOWN_OPEN || search !== ''}>
      <summary>
        <h3>
          To be known <span className="quiet">{counted(shown.length, 'warning')}</span>
        </h3>
      </summary>
      <ul className="plan-warnings plain-list" aria-label="Warnings">
        {shown.map(({ stepId, title, words }) => (
          <li key={`${stepId} ${words}`} className="plan-warning breaks">
            <p>
              <Said text={words} />
            </p>
            <p className="quiet small">
              Check: <Said text={title} />
            </p>
          </li>
        ))}
      </ul>
    </details>
  )
}
