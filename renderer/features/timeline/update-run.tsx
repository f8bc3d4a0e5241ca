import { NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import { conditionOf, type RunCondition } from '../../../shared/domain/run-condition.ts'
import { workTitle } from '../../../shared/words/plans.ts'
import { showRun } from '../../bridge/runs.ts'
import { followObservation, followTimeline } from '../../bridge/updates.ts'
import { betterSamples } from '../../geometry/timeline-samples.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { type RunReading, useRuns } from '../../stores/runs.ts'
import { lastRead, useUpdates } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { ExportReport } from '../../ui/reports/export-report.tsx'
import { RunControls } from '../../ui/runs/run-controls.tsx'
import { RunQuestion } from '../../ui/runs/run-question.tsx'
import { RunWaits } from '../../ui/runs/run-waits.tsx'
import '../../ui/runs/runs.css'
import { TimelinePanel } from './timeline-panel.tsx'
import { UpdateControls } from './update-controls.tsx'
import { UpdateHead } from './update-head.tsx'

interface Props {
  readonly cluster: string
  readonly runId: string
  /** Whether something else, or nothing, goes on now. */
  readonly isPast: boolean
}

/** An update that Lockkeeper drives or drove: what it asks, what can be done with it, its timeline. */
export function UpdateRun({ cluster, runId, isPast }: Props): ReactNode {
  useEffect(() => followTimeline(runId), [runId])
  useEffect(() => showRun(runId), [runId])
  useEffect(() => followObservation(cluster), [cluster])
  const asked = useUpdates(store => store.timelines.get(runId))
  const reading = useRuns(store => store.readings.get(runId))
  const summary = useRuns(store => store.list?.find(({ id }) => id === runId) ?? null)
  const timeline = lastRead(asked)
  const seen = useUpdates(store => lastRead(store.observations.get(cluster))?.timeline ?? null)
  const samples = useMemo(() => (timeline === null ? [] : betterSamples(timeline, seen)), [timeline, seen])
  // While the run is not read yet, its line in the list tells what it is.
  const kind = (reading?.kind === 'read' ? reading.view.plan.kind : summary?.kind) ?? 'update'
  const title = workTitle({ kind, node: '', cluster })
  const driver = reading?.kind === 'read' ? reading.view.driver : null
  const condition =
    reading?.kind === 'read'
      ? conditionOf(reading.view, summary?.condition.kind === 'interrupted')
      : (summary?.condition ?? null)
  return (
    <>
      {timeline === null ? (
        <h1>{title}</h1>
      ) : (
        <UpdateHead
          title={title}
          timeline={timeline}
          drivenBy={driver === null ? null : `${driver.operator}@${driver.machine}, process ${driver.pid}`}
          condition={condition}
        >
          <a href={hashOf(clusterRoute(cluster, 'runs', { runId }))}>Steps of the run</a>
          {isPast ? <a href={hashOf(clusterRoute(cluster, 'update'))}>As it is now</a> : null}
          <ExportReport subject={{ kind: 'run', id: runId }} />
        </UpdateHead>
      )}
      <AtHand reading={reading} condition={condition} />
      {asked?.kind === 'failed' ? <FailureCallout title="The timeline cannot be read" failure={asked.failure} /> : null}
      {timeline === null ? (
        asked?.kind === 'failed' ? null : (
          <NonIdealState icon={<Spinner size={24} />} title="Reading the timeline" />
        )
      ) : (
        <TimelinePanel
          cluster={cluster}
          title={title}
          timeline={timeline}
          samples={samples}
          isOld={asked?.kind === 'failed'}
        />
      )}
    </>
  )
}

/** What the run asks, and what can be asked of it. */
function AtHand({
  reading,
  condition,
}: {
  readonly reading: RunReading | undefined
  readonly condition: RunCondition | null
}): ReactNode {
  if (reading === undefined || reading.kind === 'reading') return null
  if (reading.kind === 'failed') return <FailureCallout title="The run cannot be read" failure={reading.failure} />
  const { view, events } = reading
  if (view.state.kind === 'finished') {
    return (
      <div className="upd-end">
        {view.state.summary}
        {view.state.leftBehind.length === 0 ? null : (
          <details>
            <summary>What stays changed, and how it is undone ({view.state.leftBehind.length})</summary>
            <ul>
              {view.state.leftBehind.map(line => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
    )
  }
  const isLeft = condition?.kind === 'interrupted'
  return (
    <div className="upd-hand">
      <div className="upd-controls">
        <RunControls view={view} events={events} interrupted={isLeft} />
        <UpdateControls view={view} events={events} interrupted={isLeft} />
      </div>
      <div className="upd-questions">
        <RunQuestion view={view} events={events} interrupted={isLeft} />
        {condition === null ? null : <RunWaits cluster={view.plan.cluster} condition={condition} />}
      </div>
    </div>
  )
}
