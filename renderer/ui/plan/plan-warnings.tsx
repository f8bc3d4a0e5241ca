import type { ReactNode } from 'react'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { type InstanceEffect, instanceIn, warningsOf } from '../../../shared/domain/plan-effects.ts'
import { Said } from '../said.tsx'
import { mentions } from './plan-order.ts'

/** More than this fold into a list, so that the plan below stays in sight. */
const SHOWN_OPEN = 4

/** Notes of passed checks, each with its check. A note about an instance is in its row. */
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
          Notes <span className="quiet">{shown.length}</span>
        </h3>
      </summary>
      <ul className="plan-warnings plain-list" aria-label="Notes">
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
