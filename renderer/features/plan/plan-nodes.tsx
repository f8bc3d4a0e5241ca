import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { NodeRunKind } from '../../../shared/domain/plan.ts'
import { STATE_WORDS } from '../../../shared/words/actions.ts'
import { changeQueue } from '../../bridge/queue.ts'
import { queueOf, useQueue } from '../../stores/queue.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'

interface Props {
  readonly cluster: string
  readonly kind: NodeRunKind
  readonly nodes: readonly string[]
  readonly at: number
  readonly started: ReadonlyMap<string, RunSummary>
  readonly onShow: (at: number) => void
}

/** The nodes that were chosen together: each is confirmed on its own; those not yet begun may go to the queue. */
export function PlanNodes({ cluster, kind, nodes, at, started, onShow }: Props): ReactNode {
  const queue = useQueue(store => queueOf(store, cluster))
  const [failure, setFailure] = useState<Failure | null>(null)
  const rest = nodes.filter((node, place) => place !== at && !started.has(node) && !queue.includes(node))
  const enqueue = async () => {
    const answer = await changeQueue(cluster, { add: rest })
    setFailure(answer.ok ? null : answer.failure)
  }
  return (
    <nav className="plan-nodes" aria-label="Nodes chosen together">
      <p className="quiet">{nodes.length} nodes, each confirmed on its own.</p>
      <ol>
        {nodes.map((node, place) => (
          <li key={node}>
            <button type="button" aria-current={place === at ? 'true' : undefined} onClick={() => onShow(place)}>
              <b>{node}</b>
              <PlannedNode
                cluster={cluster}
                node={node}
                words={
                  started.has(node)
                    ? 'run started'
                    : place === at
                      ? 'this plan'
                      : queue.includes(node)
                        ? 'in the queue'
                        : null
                }
              />
            </button>
          </li>
        ))}
      </ol>
      {kind === 'enter' ? (
        <Button
          size="small"
          disabled={rest.length === 0}
          text="Add the rest to the queue"
          onClick={() => void enqueue()}
        />
      ) : null}
      {failure === null ? null : <FailureCallout title="The queue is as it was" failure={failure} />}
    </nav>
  )
}

interface StandingProps {
  readonly cluster: string
  readonly node: string
  readonly words: string | null
}

function PlannedNode({ cluster, node, words }: StandingProps): ReactNode {
  const state = useViews(store => lastOf(store.byCluster.get(cluster))?.nodes.get(node)?.state ?? null)
  return <span className="quiet">{words ?? (state === null ? 'not known' : STATE_WORDS[state])}</span>
}
