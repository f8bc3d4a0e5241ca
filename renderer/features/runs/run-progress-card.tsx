import { type ReactNode, useMemo } from 'react'
import { isNodeRun } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { advanceOf, movesShown, nodesOf } from '../../../shared/domain/run-advance.ts'
import type { RunCondition } from '../../../shared/domain/run-condition.ts'
import { talliesOf } from '../../../shared/domain/run-progress.ts'
import { advanceWords, NODE_STATE_WORDS } from '../../../shared/words/runs.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { Elapsed } from '../../ui/runs/elapsed.tsx'
import { InstanceList } from '../../ui/runs/instance-list.tsx'
import { toneOf } from '../../ui/runs/live-runs.ts'
import { followsMoves, instancesOfRun, type RunInstance } from '../../ui/runs/run-instances.ts'

interface Props {
  readonly view: RunView
  readonly condition: RunCondition
  /** When the run was last left; null while it runs. */
  readonly leftAt: string | null
}

/** How far a run is: one figure, a bar of the same measure, and each instance or node with its state. */
export function RunProgressCard({ view, condition, leftAt }: Props): ReactNode {
  const isOfNode = isNodeRun(view.plan.kind)
  const instances = useInstances(view, condition, leftAt)
  const advance = useMemo(() => measureOf(view, instances), [view, instances])
  const asked = useMemo(() => {
    const waits = 'waits' in condition ? condition.waits : []
    return new Set(waits.filter(wait => wait.for === 'answer').flatMap(wait => wait.instances.map(({ id }) => id)))
  }, [condition])
  if (advance === null) return null
  const { done, total } = advance
  const words = advanceWords({ ...advance, share: 0 })
  return (
    <section className="run-far panel-card" aria-label="Progress">
      <p className="run-figure spread">
        <span>
          <b>{done}</b> of {total} {words.replace(/^\d+ of \d+ /, '')}
        </span>
        <span className="quiet">
          <Elapsed from={view.createdAt} to={view.endedAt} />
        </span>
      </p>
      <div
        className={`meter run-tone-${toneOf(condition)}`}
        role="progressbar"
        aria-label="Progress"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={words}
      >
        <i style={{ width: `${total === 0 ? 0 : (done / total) * 100}%` }} />
      </div>
      {isOfNode ? (
        <InstanceList view={view} instances={instances} isDriven={leftAt === null} asked={asked} />
      ) : (
        <Nodes view={view} />
      )}
    </section>
  )
}

/** The instances of a run over one node, as they are seen now where the run itself does not follow them. */
export function useInstances(view: RunView, condition: RunCondition, leftAt: string | null): readonly RunInstance[] {
  // A finished run that followed its instances does not use what is seen now.
  const isSeen = view.endedAt === null || !followsMoves(view)
  const seen = useViews(({ byCluster }) =>
    isSeen ? (lastOf(byCluster.get(view.plan.cluster))?.instances ?? null) : null,
  )
  return useMemo(
    () =>
      isNodeRun(view.plan.kind)
        ? instancesOfRun(view, condition, leftAt, seen === null ? null : id => seen.get(id)?.node ?? null)
        : [],
    [view, condition, leftAt, seen],
  )
}

/** What a run counts: nodes, instances, else steps; the bar and the figure are of the same measure. */
function measureOf(
  view: RunView,
  instances: readonly RunInstance[],
): Omit<NonNullable<ReturnType<typeof advanceOf>>, 'share'> | null {
  const { moves } = talliesOf(view)
  if (isNodeRun(view.plan.kind) && moves !== null && moves.total > 0 && (followsMoves(view) || moves.moved > 0))
    return movesShown(moves)
  if (isNodeRun(view.plan.kind) && !followsMoves(view)) {
    const leaving = instances.filter(({ state }) => LEAVING.has(state))
    const done = leaving.filter(({ state }) => state === 'gone' || state === 'moved').length
    if (leaving.length > 0) return { of: 'moves', done, total: leaving.length }
  }
  return advanceOf(view)
}

const LEAVING: ReadonlySet<RunInstance['state']> = new Set([
  'gone',
  'moved',
  'to-move',
  'moving',
  'owner',
  'waits',
  'not-followed',
])

function Nodes({ view }: { readonly view: RunView }): ReactNode {
  const nodes = useMemo(() => nodesOf(view), [view])
  return (
    <ul className="run-nodes plain-list" aria-label="Nodes">
      {nodes.map(({ node, state }) => (
        <li key={node} className={`run-node-row run-mark-${state}`}>
          <span className="mono strong cut grow">{node}</span>
          <span>{NODE_STATE_WORDS[state]}</span>
        </li>
      ))}
    </ul>
  )
}
