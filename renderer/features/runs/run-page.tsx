import { Button, Callout, type Intent, NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { isNodeRun, planSubject } from '../../../shared/domain/plan.ts'
import { downAtLast } from '../../../shared/domain/ran-before.ts'
import type { RunOutcome, RunView } from '../../../shared/domain/run.ts'
import { conditionOf, type RunCondition } from '../../../shared/domain/run-condition.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { conditionTitle, RUN_KIND_WORDS } from '../../../shared/words/runs.ts'
import { resumeRun, showRun } from '../../bridge/runs.ts'
import { useClusterColour } from '../../stores/clusters.ts'
import { openPlanDialog } from '../../stores/plan-dialog.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { ExportReport } from '../../ui/reports/export-report.tsx'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { RunControls } from '../../ui/runs/run-controls.tsx'
import { Tallies } from '../../ui/runs/run-progress.tsx'
import { RunQuestion } from '../../ui/runs/run-question.tsx'
import { RunWaits } from '../../ui/runs/run-waits.tsx'
import { StateTag } from '../../ui/runs/state-tag.tsx'
import { Age, When } from '../../ui/when.tsx'
import { RunLog } from './run-log.tsx'
import { RunSteps } from './run-steps.tsx'

const INTENTS: Readonly<Record<RunOutcome, Intent>> = {
  done: 'success',
  failed: 'danger',
  aborted: 'warning',
  'checks-failed': 'danger',
}

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

interface RunHeadProps {
  readonly view: RunView
  readonly condition: RunCondition
}

/** What the run does, on which node of which cluster, by whom, since when, and where it stands. */
function RunHead({ view, condition }: RunHeadProps): ReactNode {
  const { plan, driver, createdAt, endedAt, lastEventAt } = view
  const colour = useClusterColour(plan.cluster)
  return (
    <header className="run-head">
      <div className="run-head-row spread">
        <h2>
          <span className="run-dot" style={{ background: colour }} />
          {RUN_KIND_WORDS[plan.kind]}:{' '}
          {!isNodeRun(plan.kind) ? (
            <a href={hashOf(clusterRoute(plan.cluster, 'topology'))}>{plan.cluster}</a>
          ) : (
            <>
              <a href={hashOf(clusterRoute(plan.cluster, 'topology', { node: plan.node }))}>{plan.node}</a>
              <span className="run-of">of {plan.cluster}</span>
            </>
          )}
          <StateTag condition={condition} />
        </h2>
        <ExportReport subject={{ kind: 'run', id: view.id }} />
      </div>
      <p className="run-facts">
        <span>
          Started <When at={createdAt} />
        </span>
        <span>
          {endedAt === null ? 'runs' : 'took'} <Elapsed from={createdAt} to={endedAt} />
        </span>
        <Tallies view={view} />
        <span>
          {condition.kind === 'interrupted' ? 'last driven by' : 'driven by'} {driver.operator}@{driver.machine},
          process {driver.pid}
        </span>
        {endedAt === null ? (
          <span className="quiet">
            last heard <Age at={lastEventAt} />
          </span>
        ) : null}
        {!isNodeRun(plan.kind) ? (
          <a href={hashOf(clusterRoute(plan.cluster, 'update', { runId: view.id }))}>Timeline</a>
        ) : null}
        <span className="quiet mono">{view.id}</span>
      </p>
      {view.overrides.length === 0 ? null : (
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

/** How a run ended: what was verified, what stays changed, and what to do next. */
function RunEnd({ view }: { readonly view: RunView }): ReactNode {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [asking, setAsking] = useState(false)
  const { state, plan, steps } = view
  if (state.kind !== 'finished') return null
  const { outcome, summary, leftBehind } = state
  const verifying = steps.filter(({ step }) => step.verbs.includes('verify'))
  const held = verifying.filter(({ verify }) => verify?.kind === 'holds').length
  const down = downAtLast(steps.flatMap(({ facts }) => facts))
  const skipped = steps.filter(step => step.state === 'skipped').length
  const kind = isNodeRun(plan.kind) ? plan.kind : null
  const lay = (next: 'enter' | 'leave') => openPlanDialog({ cluster: plan.cluster, kind: next, nodes: [plan.node] })
  const resume = async () => {
    setAsking(true)
    const answer = await resumeRun(view.id)
    setAsking(false)
    setFailure(answer.ok ? null : answer.failure)
  }
  return (
    <Callout
      intent={outcome === 'done' && skipped > 0 ? 'warning' : INTENTS[outcome]}
      title={
        outcome === 'done' && skipped > 0
          ? `Done, with ${counted(skipped, 'step')} skipped`
          : conditionTitle({ kind: 'over', outcome, summary })
      }
      className="run-end"
    >
      <p>{summary}</p>
      {outcome === 'done' && verifying.length > 0 ? (
        <p>
          {held} of {counted(verifying.length, 'step')} verified in the cloud at the end.
        </p>
      ) : null}
      {down.length === 0 ? null : (
        <>
          <p>
            {counted(down.length, 'instance')} that ran before {down.length === 1 ? 'is' : 'are'} down:
          </p>
          <ul>
            {down.map(({ id, name }) => (
              <li key={id}>
                {name} <span className="quiet">{id}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {leftBehind.length === 0 ? null : (
        <>
          <p>Changed, and stays so:</p>
          <ul>
            {leftBehind.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
      <div className="row wrap">
        {outcome === 'failed' ? (
          <Button text="Go on where it stopped" loading={asking} onClick={() => void resume()} />
        ) : null}
        {outcome === 'done' || kind === null ? null : <Button text="Try again" onClick={() => lay(kind)} />}
        {plan.kind === 'enter' && outcome !== 'checks-failed' ? (
          <Button
            intent={outcome === 'done' ? 'primary' : 'none'}
            text={`Bring back ${plan.node}`}
            onClick={() => lay('leave')}
          />
        ) : null}
      </div>
      {failure === null ? null : <FailureCallout title="It was not resumed" failure={failure} />}
    </Callout>
  )
}
