import { NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { isNodePlan } from '../../../shared/domain/plan.ts'
import type { RunDriver } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import type { UpdateTimeline } from '../../../shared/domain/update.ts'
import { workTitle } from '../../../shared/words/plans.ts'
import { showRun } from '../../bridge/runs.ts'
import { followObservation, followTimeline } from '../../bridge/updates.ts'
import { betterSamples } from '../../geometry/timeline-samples.ts'
import { useConsole } from '../../stores/console.ts'
import { type RunReading, useRuns } from '../../stores/runs.ts'
import { lastRead, useUpdates } from '../../stores/updates.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { ExportReport } from '../reports/export-report.tsx'
import { conditionNow } from '../runs/live-runs.ts'
import { RunControls } from '../runs/run-controls.tsx'
import { LaneSteps } from '../runs/run-steps.tsx'
import '../runs/runs.css'
import './update.css'
import { useOutlook } from './timeline-outlook.ts'
import { TimelinePanel } from './timeline-panel.tsx'
import { UpdateControls } from './update-controls.tsx'
import { UpdateHead } from './update-head.tsx'
import { UpdateSeal } from './update-seal.tsx'
import { UpdateWaits } from './update-waits.tsx'
import { useShownMoment } from './use-shown-moment.ts'

interface Props {
  readonly cluster: string
  readonly runId: string
  /** How a run ended that is not done, with its log. */
  readonly ending: ReactNode
  readonly log: ReactNode
}

/** The page of a run over many nodes: what it waits for, its actions, its timeline, whose lanes open into its steps. */
export function UpdateRun({ cluster, runId, ending, log }: Props): ReactNode {
  useEffect(() => followTimeline(runId), [runId])
  useEffect(() => showRun(runId), [runId])
  useEffect(() => followObservation(cluster), [cluster])
  const asked = useUpdates(store => store.timelines.get(runId))
  const reading = useRuns(store => store.readings.get(runId))
  const summary = useRuns(store => store.list?.find(({ id }) => id === runId) ?? null)
  const timeline = lastRead(asked)
  const seen = useUpdates(store => lastRead(store.observations.get(cluster))?.timeline ?? null)
  const samples = useMemo(() => (timeline === null ? [] : betterSamples(timeline, seen)), [timeline, seen])
  const read = reading?.kind === 'read' ? reading : null
  const condition = read === null ? (summary?.condition ?? null) : conditionNow(read.view, summary)
  // Until the run is read, its line in the list says what it is.
  const kind = read?.view.plan.kind ?? summary?.kind ?? 'update'
  const title = workTitle({ kind, cluster })
  if (timeline === null) {
    return (
      <>
        <h1>{title}</h1>
        {asked?.kind === 'failed' ? (
          <FailureCallout title="The timeline cannot be read" failure={asked.failure} />
        ) : (
          <NonIdealState icon={<Spinner size={24} />} title="Reading the timeline" />
        )}
      </>
    )
  }
  return (
    <Shown
      {...{ cluster, title, runId, ending, log, timeline, samples, reading, condition }}
      failure={asked?.kind === 'failed' ? asked.failure : null}
    />
  )
}

interface ShownProps extends Props {
  readonly title: string
  readonly timeline: UpdateTimeline
  readonly samples: UpdateTimeline['samples']
  readonly reading: RunReading | undefined
  readonly condition: RunCondition | null
  /** Why it could not be read again. */
  readonly failure: Failure | null
}

function Shown({ cluster, title, ending, log, timeline, samples, reading, condition, failure }: ShownProps): ReactNode {
  const read = reading?.kind === 'read' ? reading : null
  const story = useMemo(() => (read === null ? null : { plan: read.view.plan, events: read.events }), [read])
  const outlook = useOutlook(cluster, timeline, samples, story, condition)
  const moment = useShownMoment(timeline)
  const ownId = useConsole(({ description }) => description?.driverId ?? null)
  const driver = read?.view.driver ?? null
  const leftAt = condition !== null && LEFT.has(condition.kind) ? (read?.view.lastEventAt ?? null) : null
  const stepsOf = useMemo(
    () =>
      read === null
        ? null
        : (node: string | null) => <LaneSteps view={read.view} events={read.events} leftAt={leftAt} node={node} />,
    [read, leftAt],
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
    <section className="upd column" tabIndex={0} aria-label={title}>
      <UpdateHead
        title={title}
        timeline={timeline}
        driven={drivenWords(driver, ownId, condition)}
        release={read === null || isNodePlan(read.view.plan) ? null : read.view.plan.update.release}
        outlook={outlook}
        begunAt={timeline.startedAt === null ? null : (read?.view.createdAt ?? timeline.startedAt)}
        moment={moment}
      />
      <AtHand reading={reading} condition={condition} timeline={timeline} ending={ending} />
      {failure === null ? null : <FailureCallout title="The timeline cannot be read" failure={failure} />}
      <TimelinePanel
        cluster={cluster}
        title={title}
        timeline={timeline}
        samples={samples}
        outlook={outlook}
        isOld={failure !== null}
        moment={moment}
        {...(stepsOf === null ? {} : { stepsOf })}
      />
      {read !== null && read.view.state.kind === 'finished' && read.view.state.outcome !== 'done' ? null : log}
    </section>
  )
}

/** Such a run works on nothing now. */
const LEFT: ReadonlySet<RunCondition['kind']> = new Set(['interrupted', 'over', 'unheard', 'paused'])

/** The console of the run, this one or another; for a left run, the last one. */
function drivenWords(driver: RunDriver | null, ownId: string | null, condition: RunCondition | null): string {
  const past = condition?.kind === 'interrupted' || condition?.kind === 'unheard' ? 'last ' : ''
  if (driver === null) return `${past}run by an unknown operator`
  if (ownId !== null && driver.id === ownId) return `${past}run here`
  return `${past}run by ${driver.operator}@${driver.machine}, process ${driver.pid}`
}

/** How the run ended; until then its actions, and what it waits for. */
function AtHand({
  reading,
  condition,
  timeline,
  ending,
}: Pick<ShownProps, 'reading' | 'condition' | 'timeline' | 'ending'>): ReactNode {
  if (reading === undefined || reading.kind === 'reading') return null
  if (reading.kind === 'failed') return <FailureCallout title="The run cannot be read" failure={reading.failure} />
  const { view, events } = reading
  if (view.state.kind === 'finished') {
    return view.state.outcome === 'done' ? <UpdateSeal view={view} events={events} timeline={timeline} /> : ending
  }
  const isLeft = condition?.kind === 'interrupted' || condition?.kind === 'unheard'
  return (
    <>
      <div className="upd-controls">
        {condition === null ? null : <RunControls view={view} events={events} condition={condition} />}
        <UpdateControls view={view} events={events} interrupted={isLeft} />
        <ExportReport subject={{ kind: 'run', id: view.id }} />
      </div>
      {condition === null ? null : <UpdateWaits view={view} condition={condition} />}
    </>
  )
}
