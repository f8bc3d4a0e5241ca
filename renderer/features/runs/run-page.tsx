import { NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect } from 'react'
import { planSubject } from '../../../shared/domain/plan.ts'
import { conditionOf } from '../../../shared/domain/run-condition.ts'
import { showRun } from '../../bridge/runs.ts'
import { useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { RunControls } from '../../ui/runs/run-controls.tsx'
import { RunQuestion } from '../../ui/runs/run-question.tsx'
import { RunWaits } from '../../ui/runs/run-waits.tsx'
import { RunEnd } from './run-end.tsx'
import { RunHead } from './run-head.tsx'
import { RunLog } from './run-log.tsx'
import { RunSteps } from './run-steps.tsx'

interface Props {
  readonly runId: string
}

/** One run: where it stands, what it waits for, its steps with what was found, and everything that happened. */
export function RunPage({ runId }: Props): ReactNode {
  useEffect(() => showRun(runId), [runId])
  const reading = useRuns(store => store.readings.get(runId) ?? null)
  const summary = useRuns(store => store.list?.find(({ id }) => id === runId) ?? null)
  if (reading === null || reading.kind === 'reading') {
    return <NonIdealState icon={<Spinner size={24} />} title="Reading the run" />
  }
  if (reading.kind === 'failed') {
    return (
      <div className="run-nothing">
        <FailureCallout
          title={`Run ${runId} cannot be read`}
          failure={reading.failure}
          onRetry={() => showRun(runId)}
        />
      </div>
    )
  }
  const { view, events } = reading
  const condition = conditionOf(view, summary?.condition.kind === 'interrupted')
  const interrupted = condition.kind === 'interrupted'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by key.
    <section className="run-page column grow" tabIndex={0} aria-label={`Run on ${planSubject(view.plan)}`}>
      <RunHead view={view} condition={condition} />
      <RunControls view={view} events={events} interrupted={interrupted} />
      <RunQuestion view={view} events={events} interrupted={interrupted} />
      <RunWaits cluster={view.plan.cluster} condition={condition} />
      <RunEnd view={view} />
      <RunSteps view={view} events={events} interrupted={interrupted} />
      <RunLog events={events} view={view} />
    </section>
  )
}
