import type { ReactNode } from 'react'
import type { PlannedStep } from '../../../shared/domain/plan.ts'
import type { ChangeEffect } from '../../../shared/domain/plan-effects.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'

interface Props {
  readonly steps: readonly PlannedStep[]
  readonly changes: readonly ChangeEffect[]
}

/** What will run, in order, why, and how each is undone. */
export function PlanSteps({ steps, changes }: Props): ReactNode {
  const acting = steps.filter(({ verbs }) => verbs.includes('apply'))
  return (
    <details className="plan-section" open>
      <summary>
        <h3>
          What will run <span className="quiet">in this order, after all checks hold once more</span>
        </h3>
      </summary>
      {acting.length === 0 ? <p className="quiet">Nothing: this plan only checks.</p> : null}
      <ol className="plan-steps">
        {acting.map(step => (
          <li key={step.id}>
            <b>{step.title}</b>{' '}
            <span className={step.risk === 'disruptive' ? 'small bad' : 'small quiet'}>{step.risk}</span>
            <div className="quiet">
              {step.why} At most {durationWords(step.withinMs)}.
            </div>
            <div className="quiet">Undo: {step.undo}</div>
          </li>
        ))}
      </ol>
      {changes.length === 0 ? null : (
        <ul className="plan-changes">
          {changes.map(({ target, from, to }) => (
            <li key={`${target} ${to}`}>
              <b>{target}</b>: {from} → {to}
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
