import { Button } from '@blueprintjs/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import { isNodeRun, planSubject } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { needsSomebody, type RunCondition, viewOfNode } from '../../../shared/domain/run-condition.ts'
import { type Tally, talliesOf } from '../../../shared/domain/run-progress.ts'
import { conditionSentence } from '../../../shared/words/conditions.ts'
import { movesWords } from '../../../shared/words/instance-counts.ts'
import { waitText } from '../../../shared/words/waits.ts'
import { showRun } from '../../bridge/runs.ts'
import { clusterRoute, goTo } from '../../stores/route.ts'
import { isFinished, useRuns } from '../../stores/runs.ts'
import { Elapsed } from './elapsed.tsx'
import { conditionNow } from './live-runs.ts'
import { StateTag } from './state-tag.tsx'
import './runs.css'

interface Props {
  readonly runId: string
  /** Only the part on this node: an update works on many. */
  readonly node: string
}

/** One live line of a run on a node: what it does or waits for, its progress, and a link. */
export function RunProgress({ runId, node }: Props): ReactNode {
  const run = useRuns(store => store.list?.find(({ id }) => id === runId) ?? null)
  const over = run === null || isFinished(run)
  useEffect(() => {
    if (!over) showRun(runId)
  }, [runId, over])
  const whole = useRuns(store => {
    const reading = store.readings.get(runId)
    return reading?.kind === 'read' ? reading.view : null
  })
  const view = useMemo(() => (whole === null ? null : viewOfNode(whole, node)), [whole, node])
  if (run === null) return <span className="quiet">Reading the run…</span>
  const isUpdate = !isNodeRun(run.kind)
  const condition = isUpdate && view !== null ? conditionNow(view, run) : run.condition
  const words = isUpdate ? wordsOnNode(condition) : run.summary
  const verb = condition.kind === 'waiting' && condition.waits[0]?.for === 'answer' ? 'Answer' : 'Open'
  return (
    <div className="run-line row">
      <StateTag condition={condition} />
      <span className={`run-line-what cut grow${condition.kind === 'waiting' ? ' caution' : ''}`} title={words}>
        {condition.kind === 'waiting' && condition.waits[0] !== undefined ? waitText(condition.waits[0]).what : words}
      </span>
      {view === null ? null : <Tallies view={view} />}
      <Elapsed from={run.createdAt} to={run.endedAt} />
      <Button
        size="small"
        variant={needsSomebody(condition) ? 'solid' : 'minimal'}
        text={verb}
        aria-label={`${verb} the run on ${planSubject(run)}`}
        onClick={() => goTo(clusterRoute(run.cluster, 'history', { runId }))}
      />
    </div>
  )
}

/** What an update does on one node. */
function wordsOnNode(condition: RunCondition): string {
  return condition.kind === 'moving' && condition.at === null
    ? 'Part of an update, which does nothing on it now.'
    : conditionSentence(condition)
}

/** How many instances moved and pods left, of those planned. */
function Tallies({ view }: { readonly view: RunView }): ReactNode {
  const { moves, pods } = useMemo(() => talliesOf(view), [view])
  return (
    <>
      {moves === null ? null : <span className="number">{movesWords(moves)}</span>}
      {pods === null ? null : <span className="number">pods left {of(pods)}</span>}
    </>
  )
}

function of({ done, total }: Tally): string {
  return `${done} of ${total}`
}
