import { Button } from '@blueprintjs/core'
import { type ReactNode, useMemo, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { pauseAfterNode } from '../../bridge/updates.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { SkipNodeDialog } from './skip-node-dialog.tsx'
import { isStoppingAfterNode, nodesNotBegun } from './update-state.ts'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly interrupted: boolean
}

/** What only an update can be asked: to stop after the nodes under way, and to pass a node. */
export function UpdateControls({ view, events, interrupted }: Props): ReactNode {
  const [failure, setFailure] = useState<Failure | null>(null)
  const [asking, setAsking] = useState(false)
  const [skipping, setSkipping] = useState(false)
  const ahead = useMemo(() => nodesNotBegun(view), [view])
  const stopping = useMemo(() => isStoppingAfterNode(events), [events])
  const isCut = useConnection(whyCutOff) !== null
  const canAsk = !isCut && !interrupted && view.state.kind !== 'aborting'
  const stop = async () => {
    setAsking(true)
    const answer = await pauseAfterNode(view.id)
    setAsking(false)
    setFailure(answer.ok ? null : answer.failure)
  }
  return (
    <div className="run-controls">
      <div className="row wrap">
        <Button
          text="Stop after these nodes"
          title="Nodes under way are finished and brought back; no other is begun. The run then pauses."
          disabled={!canAsk || stopping || view.state.kind === 'paused'}
          loading={asking}
          onClick={() => void stop()}
        />
        <Button
          text="Skip a node…"
          title={ahead.length === 0 ? 'Every node was begun.' : 'Passes a node that was not begun.'}
          disabled={!canAsk || ahead.length === 0}
          onClick={() => setSkipping(true)}
        />
        <span className="quiet" role="status">
          {stopping ? 'Requested: no other node is begun.' : null}
        </span>
      </div>
      {failure === null ? null : <FailureCallout title="That was not done" failure={failure} />}
      <SkipNodeDialog
        runId={view.id}
        cluster={view.plan.cluster}
        nodes={ahead}
        isOpen={skipping}
        onClose={() => setSkipping(false)}
      />
    </div>
  )
}
