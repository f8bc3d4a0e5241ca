import { type ReactNode, useMemo } from 'react'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import type { RunEvent, RunView, StepView } from '../../../shared/domain/run.ts'
import { nodesOf } from '../../../shared/domain/run-advance.ts'
import { stepWait } from '../../../shared/domain/run-wait.ts'
import { updateNodeOf } from '../../../shared/domain/update-nodes.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { NODE_STATE_WORDS } from '../../../shared/words/runs.ts'
import { StepRow } from './step-row.tsx'
import { skipReasons } from './waits.ts'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  /** When the run was last left; null while it runs. */
  readonly leftAt: string | null
}

/** The steps of a run in order: acting steps and the last check; passed checks are one line. */
export function RunSteps({ view, events, leftAt }: Props): ReactNode {
  const { checks, acting, held } = useMemo(() => sorted(view), [view])
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
  const nodes = isNodeRun(view.plan.kind) ? [] : nodesOf(view)
  const rest = nodes.length === 0 ? acting : acting.filter(({ step }) => updateNodeOf(step) === null)
  return (
    <section className="run-steps" aria-label="Steps">
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
      {nodes.map(({ node, state }) => (
        <details key={node} className="run-checks" open={state === 'waits' || state === 'failed'}>
          <summary>
            <span className={`run-step-state run-mark-${state}`}>{NODE_STATE_WORDS[state]}</span>
            <span className="mono">{node}</span>
          </summary>
          <ul>{acting.filter(({ step }) => updateNodeOf(step) === node).map(row)}</ul>
        </details>
      ))}
      <ul>{rest.map(row)}</ul>
    </section>
  )
}

function sorted(view: RunView): {
  readonly checks: readonly StepView[]
  readonly acting: readonly StepView[]
  readonly held: readonly StepView[]
} {
  // The last verification of a node is not a check: it comes after the work.
  const acts = ({ step }: StepView) => step.verbs.includes('apply') || !step.verbs.includes('check')
  const checks = view.steps.filter(step => !acts(step))
  const held = checks.filter(({ state }) => state === 'ready' || state === 'verified' || state === 'nothing-to-do')
  return { checks, held, acting: view.steps.filter(acts) }
}
