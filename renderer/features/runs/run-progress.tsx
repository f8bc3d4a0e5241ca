import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import { planSubject } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { type Tally, talliesOf } from '../../../shared/domain/run-progress.ts'
import { showRun } from '../../bridge/runs.ts'
import { clusterPlace, goTo } from '../../stores/place.ts'
import { isOver, useRuns } from '../../stores/runs.ts'
import { Elapsed } from './elapsed.tsx'
import { StateTag } from './state-tag.tsx'
import './runs.css'

interface Props {
  readonly runId: string
}

/** One live line of a run: what it does or waits for, how far it is, and the way to it. */
export function RunProgress({ runId }: Props): ReactNode {
  const run = useRuns(store => store.list?.find(({ id }) => id === runId) ?? null)
  const over = run === null || isOver(run)
  useEffect(() => {
    if (!over) showRun(runId)
  }, [runId, over])
  const view = useRuns(store => {
    const reading = store.readings.get(runId)
    return reading?.kind === 'read' ? reading.view : null
  })
  if (run === null) return <span className="quiet">Reading the run.</span>
  return (
    <div className="run-line">
      <StateTag state={run.state} />
      <What summary={run.summary} view={view} />
      {view === null ? null : <Tallies view={view} />}
      <Elapsed from={run.createdAt} to={run.endedAt} />
      <Button
        size="small"
        variant={run.state === 'waiting' || run.state === 'interrupted' ? 'solid' : 'minimal'}
        text={run.state === 'waiting' ? 'Answer' : 'Open'}
        aria-label={`${run.state === 'waiting' ? 'Answer' : 'Open'} the run on ${planSubject(run)}`}
        onClick={() => goTo(clusterPlace(run.cluster, 'runs', { runId }))}
      />
    </div>
  )
}

/** What it does; where something does not answer and the run goes on by itself, what that is. */
function What({ summary, view }: { readonly summary: string; readonly view: RunView | null }): ReactNode {
  const wait = view?.passingWaits[0]
  const words = wait === undefined ? summary : `Waits: ${wait.reason}`
  return (
    <span className={`run-line-what${wait === undefined ? '' : ' run-line-waits'}`} title={words}>
      {words}
    </span>
  )
}

/** How many instances moved and pods left, of those that have to. */
export function Tallies({ view }: { readonly view: RunView }): ReactNode {
  const { moves, pods } = useMemo(() => talliesOf(view), [view])
  return (
    <>
      {moves === null ? null : <span className="run-nowrap">moved {of(moves)}</span>}
      {pods === null ? null : <span className="run-nowrap">pods left {of(pods)}</span>}
    </>
  )
}

function of({ done, total }: Tally): string {
  return `${done} of ${total}`
}
