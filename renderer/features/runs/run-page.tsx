import { NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { RunnerOfRun, RunSummary } from '../../../shared/contract/index.ts'
import { isNodePlan, isNodeRun, planSubject } from '../../../shared/domain/plan.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { whereDriven } from '../../../shared/words/runners.ts'
import { kindTitle } from '../../../shared/words/runs.ts'
import { showRun } from '../../bridge/runs.ts'
import { useClusterColour } from '../../stores/clusters.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { noteSeen, useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { later } from '../../ui/later.tsx'
import { ExportReport } from '../../ui/reports/export-report.tsx'
import { Downtimes } from '../../ui/runs/downtimes.tsx'
import { conditionNow } from '../../ui/runs/live-runs.ts'
import { MovingNow } from '../../ui/runs/moving-now.tsx'
import { RunButtons, RunNote } from '../../ui/runs/run-controls.tsx'
import { RunQuestion } from '../../ui/runs/run-question.tsx'
import { RunSteps } from '../../ui/runs/run-steps.tsx'
import { RunWaits } from '../../ui/runs/run-waits.tsx'
import { StateTag } from '../../ui/runs/state-tag.tsx'
import { Age } from '../../ui/when.tsx'
import { RunEnd } from './run-end.tsx'
import { RunLog } from './run-log.tsx'
import { RunPicture } from './run-picture.tsx'

interface Props {
  readonly runId: string
}

/** One run: its state, what it waits for, its steps with their findings, and its log. */
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
  if (isNodeRun(view.plan.kind)) return <Read view={view} events={events} summary={summary} />
  return (
    <UpdateRun
      cluster={view.plan.cluster}
      runId={runId}
      ending={<RunEnd view={view} />}
      log={<RunLog events={events} view={view} />}
    />
  )
}

const UpdateRun = later(async () => (await import('../../ui/timeline/update-run.tsx')).UpdateRun)

interface ReadProps {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly summary: RunSummary | null
}

function Read({ view, events, summary }: ReadProps): ReactNode {
  const condition = useMemo(() => conditionNow(view, summary), [view, summary])
  const interrupted = condition.kind === 'interrupted'
  const hasEnded = condition.kind === 'over'
  const leftAt =
    interrupted || hasEnded || condition.kind === 'unheard' || condition.kind === 'paused' ? view.lastEventAt : null
  useEffect(() => {
    if (hasEnded) noteSeen(view.id)
  }, [view.id, hasEnded])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
    <section className="run-page column grow" tabIndex={0} aria-label={`Run on ${planSubject(view.plan)}`}>
      <RunHead view={view} events={events} condition={condition} runner={summary?.runner ?? null} />
      <RunNote view={view} condition={condition} />
      {condition.kind === 'unheard' ? null : <RunQuestion view={view} events={events} interrupted={interrupted} />}
      <RunWaits cluster={view.plan.cluster} condition={condition} />
      <RunEnd view={view} />
      <RunPicture view={view} events={events} condition={condition} leftAt={leftAt} />
      {leftAt === null ? <MovingNow view={view} /> : null}
      <Downtimes view={view} leftAt={leftAt} />
      <RunSteps view={view} events={events} leftAt={leftAt} />
      <RunLog events={events} view={view} />
    </section>
  )
}

interface RunHeadProps {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly condition: RunCondition
  readonly runner: RunnerOfRun | null
}

/** What the run does, on which node, who started it and when, and its state. */
function RunHead({ view, events, condition, runner }: RunHeadProps): ReactNode {
  const { plan, driver, createdAt, endedAt, lastEventAt } = view
  const colour = useClusterColour(plan.cluster)
  const [before, name, after] = kindTitle(plan)
  return (
    <header className="run-head">
      <div className="run-head-row spread">
        <h2>
          <span>
            <i className="run-dot" style={{ background: colour }} />
            {before}{' '}
            <a
              className="mono"
              href={hashOf(clusterRoute(plan.cluster, 'topology', isNodePlan(plan) ? { node: plan.node } : {}))}
            >
              {name}
            </a>{' '}
            {after}
          </span>
          {isNodeRun(plan.kind) ? <span className="run-of">{plan.cluster}</span> : null}
          <StateTag condition={condition} />
        </h2>
        {endedAt !== null ? null : (
          <div className="run-head-acts">
            <RunButtons view={view} events={events} interrupted={condition.kind === 'interrupted'} />
            <ExportReport subject={{ kind: 'run', id: view.id }} />
          </div>
        )}
      </div>
      <p className="run-facts">
        <span>
          started <Age at={createdAt} />
        </span>
        <span title={`process ${driver.pid}`}>
          {runner === null
            ? `${condition.kind === 'interrupted' ? 'last run by' : 'run by'} ${driver.operator}@${driver.machine}`
            : `${whereDriven(runner)} for ${driver.operator}`}
        </span>
        {endedAt === null ? (
          <span className="quiet">
            last event <Age at={lastEventAt} />
          </span>
        ) : null}
        <span className="quiet mono">{view.id}</span>
      </p>
      {/* At its end the card of the end shows this. */}
      {view.overrides.length === 0 || view.endedAt !== null ? null : (
        <ul className="run-overrides" aria-label="Overrides given">
          {view.overrides.map(({ stepId, code, message, flag, reason }) => (
            <li key={`${stepId} ${code} ${message}`}>
              Overridden with <b>{flag}</b> ({reason}): {message}
            </li>
          ))}
        </ul>
      )}
    </header>
  )
}
