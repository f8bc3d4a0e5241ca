import { NonIdealState, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { isNodePlan, isNodeRun, planSubject } from '../../../shared/domain/plan.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { doingTitle, kindTitle } from '../../../shared/words/runs.ts'
import { showRun } from '../../bridge/runs.ts'
import { clusterRoute, hashOf } from '../../stores/route.ts'
import { noteSeen, useRuns } from '../../stores/runs.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { later } from '../../ui/later.tsx'
import { ExportReport } from '../../ui/reports/export-report.tsx'
import { conditionNow } from '../../ui/runs/live-runs.ts'
import { Named } from '../../ui/runs/named.tsx'
import { RunButtons, RunNote } from '../../ui/runs/run-controls.tsx'
import { StateTag } from '../../ui/runs/state-tag.tsx'
import { Troubles } from '../../ui/runs/troubles.tsx'
import { Age } from '../../ui/when.tsx'
import { RunEnd } from './run-end.tsx'
import { CopyLink, RunFacts } from './run-facts.tsx'
import { RunFolds } from './run-folds.tsx'
import { RunLog } from './run-log.tsx'
import { RunProgressCard } from './run-progress-card.tsx'

interface Props {
  readonly runId: string
}

/** One run: while it works, what it waits for and how far it is; after that, how it ended. */
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
  const Page = isNodeRun(view.plan.kind) ? NodeRun : RunOverNodes
  return <Page view={view} events={events} summary={summary} />
}

const UpdateRun = later(async () => (await import('../../ui/timeline/update-run.tsx')).UpdateRun)

interface ReadProps {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly summary: RunSummary | null
}

/** What both kinds of pages show of a run. An end counts as seen. */
function useShown({ view, events, summary }: ReadProps): LiveProps {
  const condition = useMemo(() => conditionNow(view, summary), [view, summary])
  const hasEnded = condition.kind === 'over'
  useEffect(() => {
    if (hasEnded) noteSeen(view.id)
  }, [view.id, hasEnded])
  return { view, events, condition, leftAt: LEFT.has(condition.kind) ? view.lastEventAt : null }
}

/** A run over many nodes: its timeline, whose lanes have the steps. */
function RunOverNodes(read: ReadProps): ReactNode {
  const { view, events, summary } = read
  const own = useShown(read)
  const hasEnded = own.condition.kind === 'over'
  return (
    <UpdateRun
      cluster={view.plan.cluster}
      runId={view.id}
      ending={hasEnded ? <RunEnd {...own} runner={summary?.runner ?? null} /> : null}
      log={<RunLog events={events} view={view} />}
    />
  )
}

function NodeRun(read: ReadProps): ReactNode {
  const { view, summary } = read
  const own = useShown(read)
  const hasEnded = own.condition.kind === 'over'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
    <section className="run-page" tabIndex={0} aria-label={`Run on ${planSubject(view.plan)}`}>
      <Head {...own} />
      {hasEnded ? <RunEnd {...own} runner={summary?.runner ?? null} /> : <Live {...own} summary={summary} />}
    </section>
  )
}

const LEFT: ReadonlySet<RunCondition['kind']> = new Set(['interrupted', 'over', 'unheard', 'paused'])

interface LiveProps {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly condition: RunCondition
  /** When the run was last left; null while it runs. */
  readonly leftAt: string | null
}

/** Where the page belongs, what the run does, its state, and what can be asked of it. */
function Head({ view, events, condition }: LiveProps): ReactNode {
  const { plan, endedAt } = view
  const hasEnded = condition.kind === 'over'
  const Title = hasEnded ? 'span' : 'h1'
  return (
    <header className="run-head row wrap">
      <a href={hashOf(clusterRoute(plan.cluster, 'history'))}>History</a>
      <span className="quiet" aria-hidden="true">
        ›
      </span>
      <Title className={hasEnded ? 'run-title strong' : 'run-title'}>
        <NamedLink view={view} hasEnded={hasEnded} />
      </Title>
      {hasEnded ? null : <StateTag condition={condition} />}
      <span className="space" />
      {endedAt === null ? null : (
        <span className="quiet small">
          <Age at={endedAt} />
        </span>
      )}
      {hasEnded ? null : <RunButtons view={view} events={events} interrupted={condition.kind === 'interrupted'} />}
      {hasEnded ? <CopyLink /> : null}
    </header>
  )
}

function NamedLink({ view: { plan }, hasEnded }: { readonly view: RunView; readonly hasEnded: boolean }): ReactNode {
  const title = hasEnded ? kindTitle(plan) : doingTitle(plan)
  return isNodeRun(plan.kind) && isNodePlan(plan) ? (
    <>
      {title[0]}{' '}
      <a className="mono" href={hashOf(clusterRoute(plan.cluster, 'topology', { node: plan.node }))}>
        {title[1]}
      </a>
      {title[2] === '' ? '' : ` ${title[2]}`}
    </>
  ) : (
    <Named title={title} />
  )
}

/** A run that has not ended: what it waits for first, how far it is, and the rest folded at the side. */
function Live({ summary, ...own }: LiveProps & { readonly summary: RunSummary | null }): ReactNode {
  const { view, events, condition, leftAt } = own
  const waits = 'waits' in condition && condition.kind !== 'unheard' && condition.waits.some(({ moves }) => !moves)
  const far = <RunProgressCard view={view} condition={condition} leftAt={leftAt} />
  return (
    <div className="run-grid">
      <div className="run-main">
        <RunNote view={view} condition={condition} />
        {waits ? <Troubles view={view} condition={condition} /> : far}
      </div>
      <div className="run-side">
        {waits ? far : null}
        <section className="panel-card" aria-label="Facts">
          <RunFacts view={view} events={events} runner={summary?.runner ?? null} />
          <div className="row buttons">
            <ExportReport subject={{ kind: 'run', id: view.id }} />
            <CopyLink />
          </div>
        </section>
      </div>
      <RunFolds view={view} events={events} leftAt={leftAt} />
    </div>
  )
}
