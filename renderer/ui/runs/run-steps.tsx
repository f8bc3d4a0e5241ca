import { type ReactNode, useMemo } from 'react'
import type { RunEvent, RunView, StepView } from '../../../shared/domain/run.ts'
import { stepWait } from '../../../shared/domain/run-wait.ts'
import { updateNodeOf } from '../../../shared/domain/update-nodes.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { StepRow } from './step-row.tsx'
import { skipReasons } from './waits.ts'
import './run-steps.css'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  /** When the run was last left; null while it runs. */
  readonly leftAt: string | null
}

/** The steps of a run in order: acting steps and the last check; passed checks are one line. */
export function RunSteps({ view, events, leftAt }: Props): ReactNode {
  return (
    <section className="run-steps" aria-label="Steps">
      <StepList view={view} events={events} leftAt={leftAt} steps={view.steps} />
    </section>
  )
}

interface LaneStepsProps extends Props {
  /** Null means the whole cloud. */
  readonly node: string | null
}

/** The steps of one node of a run over many, or those of the whole cloud. */
export function LaneSteps({ node, view, ...run }: LaneStepsProps): ReactNode {
  const steps = useMemo(() => view.steps.filter(({ step }) => updateNodeOf(step) === node), [view, node])
  return (
    <div className="run-steps">
      <StepList view={view} steps={steps} {...run} />
    </div>
  )
}

interface StepListProps extends Props {
  readonly steps: readonly StepView[]
}

function StepList({ view, events, leftAt, steps }: StepListProps): ReactNode {
  const { checks, acting, held } = useMemo(() => sorted(steps), [steps])
  const skipped = useMemo(() => skipReasons(events), [events])
  const passing = useMemo(() => new Map(view.passingWaits.map(wait => [wait.stepId, wait])), [view])
  const isAnswered = held.length > 0 && checks.every(({ state }) => state !== 'pending')
  const overridden = checks.filter(({ state }) => state === 'overridden').length
  // A run that is finished or has no console checks nothing.
  const underWay = leftAt === null ? (['at-work', 'checking'] as const) : (['skipped', 'not all checked'] as const)
  const row = (step: StepView) => (
    <StepRow
      key={step.step.id}
      cluster={view.plan.cluster}
      step={step}
      leftAt={leftAt}
      skipped={skipped.get(step.step.id) ?? null}
      passing={passing.get(step.step.id) ?? null}
      wait={leftAt === null ? stepWait(view, step) : null}
    />
  )
  return (
    <>
      <ul>
        {checks
          .filter(step => !held.includes(step) && (step.state !== 'pending' || passing.has(step.step.id)))
          .map(row)}
      </ul>
      {checks.length === 0 ? null : (
        <details className="run-checks">
          <summary>
            <span
              className={`run-step-state run-mark-${isAnswered ? (overridden === 0 ? 'done' : 'waits') : underWay[0]}`}
            >
              {isAnswered ? 'checked' : underWay[1]}
            </span>
            <span>
              {held.length} of {counted(checks.length, 'check')} pass
              {overridden === 0 ? null : `, ${overridden} overridden`}
            </span>
          </summary>
          <ul>{checks.map(row)}</ul>
        </details>
      )}
      <ul>{acting.map(row)}</ul>
    </>
  )
}

function sorted(steps: readonly StepView[]): {
  readonly checks: readonly StepView[]
  readonly acting: readonly StepView[]
  readonly held: readonly StepView[]
} {
  // The last verification of a node is not a check: it comes after the work.
  const acts = ({ step }: StepView) => step.verbs.includes('apply') || !step.verbs.includes('check')
  const checks = steps.filter(step => !acts(step))
  const held = checks.filter(({ state }) => state === 'ready' || state === 'verified' || state === 'nothing-to-do')
  return { checks, held, acting: steps.filter(acts) }
}
