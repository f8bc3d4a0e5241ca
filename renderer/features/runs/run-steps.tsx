import { type ReactNode, useMemo } from 'react'
import type { RunEvent, RunView, StepView } from '../../../shared/domain/run.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { skipReasons } from '../../ui/runs/waits.ts'
import { StepRow } from './step-row.tsx'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly interrupted: boolean
}

/** The steps of a run: what acts in order; checks are one line once they hold. */
export function RunSteps({ view, events, interrupted }: Props): ReactNode {
  const { checks, acting, held } = useMemo(() => sorted(view), [view])
  const leftAt = interrupted || view.state.kind === 'finished' || view.state.kind === 'paused' ? view.lastEventAt : null
  const skipped = useMemo(() => skipReasons(events), [events])
  const passing = useMemo(() => new Map(view.passingWaits.map(wait => [wait.stepId, wait])), [view])
  const isAnswered = held.length > 0 && checks.every(({ state }) => state !== 'pending')
  return (
    <section className="run-steps" aria-label="Steps">
      <h3>Steps</h3>
      <ul>
        {checks
          .filter(step => !held.includes(step) && (step.state !== 'pending' || passing.has(step.step.id)))
          .map(step => (
            <StepRow
              key={step.step.id}
              cluster={view.plan.cluster}
              step={step}
              leftAt={leftAt}
              skipped={skipped.get(step.step.id) ?? null}
              passing={passing.get(step.step.id) ?? null}
            />
          ))}
      </ul>
      {checks.length === 0 ? null : (
        <details className="run-checks">
          <summary>
            <span className={`run-step-state ${isAnswered ? 'run-step-verified' : 'run-step-applying'}`}>
              {isAnswered ? 'checked' : 'checking'}
            </span>
            {held.length} of {counted(checks.length, 'check')} hold
          </summary>
          <ul>
            {checks.map(step => (
              <StepRow
                key={step.step.id}
                cluster={view.plan.cluster}
                step={step}
                leftAt={leftAt}
                skipped={skipped.get(step.step.id) ?? null}
                passing={passing.get(step.step.id) ?? null}
              />
            ))}
          </ul>
        </details>
      )}
      <ul>
        {acting.map(step => (
          <StepRow
            key={step.step.id}
            cluster={view.plan.cluster}
            step={step}
            leftAt={leftAt}
            skipped={skipped.get(step.step.id) ?? null}
            passing={passing.get(step.step.id) ?? null}
          />
        ))}
      </ul>
    </section>
  )
}

function sorted(view: RunView): {
  readonly checks: readonly StepView[]
  readonly acting: readonly StepView[]
  readonly held: readonly StepView[]
} {
  const acts = ({ step }: StepView) => step.verbs.includes('apply')
  const checks = view.steps.filter(step => !acts(step))
  const held = checks.filter(({ state }) => state === 'ready' || state === 'verified' || state === 'nothing-to-do')
  return { checks, held, acting: view.steps.filter(acts) }
}
