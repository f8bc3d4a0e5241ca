import { Button, HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { pauseAfterNode, skipNode } from '../../bridge/updates.ts'
import { useIsProduction } from '../../stores/clusters.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { showToast } from '../../stores/toasts.ts'
import { FailureCallout } from '../failure-callout.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'

interface Props {
  readonly view: RunView
  readonly events: readonly RunEvent[]
  readonly interrupted: boolean
}

/** Requests that only an update has: pause after the current nodes, and skip a node. */
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
          size="small"
          text="Pause after these nodes"
          title="Lockkeeper finishes the nodes it is working on and brings them back. Then the run pauses."
          disabled={!canAsk || stopping || view.state.kind === 'paused'}
          loading={asking}
          onClick={() => void stop()}
        />
        <Button
          size="small"
          text="Skip a node…"
          title={ahead.length === 0 ? 'Every node has started.' : 'Leaves out a node that has not started.'}
          disabled={!canAsk || ahead.length === 0}
          onClick={() => setSkipping(true)}
        />
        <span className="quiet" role="status">
          {stopping ? 'Requested: no other node starts.' : null}
        </span>
      </div>
      {failure === null ? null : <FailureCallout title="That failed" failure={failure} />}
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

/** Nodes of an update that have not started, in order: they can still be skipped. */
function nodesNotBegun(view: RunView): readonly string[] {
  const begun = new Map<string, boolean>()
  for (const { step, state } of view.steps) {
    if (step.lane === null) continue
    const started = state !== 'pending' && state !== 'ready'
    begun.set(step.lane.name, (begun.get(step.lane.name) ?? false) || started)
  }
  return [...begun].flatMap(([node, started]) => (started ? [] : [node]))
}

/** Whether a pause after the current node was requested and has not happened yet. */
export function isStoppingAfterNode(events: readonly RunEvent[]): boolean {
  const last = events.findLast(
    ({ body: { kind } }) =>
      kind === 'pause-after-node-requested' ||
      kind === 'paused' ||
      kind === 'resume-requested' ||
      kind === 'run-driven' ||
      kind === 'run-finished',
  )
  return last?.body.kind === 'pause-after-node-requested'
}

interface SkipNodeDialogProps {
  readonly runId: string
  readonly cluster: string
  /** Those that have not started. */
  readonly nodes: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks which node to skip, and why. */
function SkipNodeDialog({ runId, cluster, nodes, isOpen, onClose }: SkipNodeDialogProps): ReactNode {
  const id = useId()
  const [chosen, setChosen] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const isReasonWanted = useIsProduction(cluster)
  const node = chosen !== null && nodes.includes(chosen) ? chosen : (nodes[0] ?? '')
  const skip = async (why: string) => {
    const answer = await skipNode(runId, node, why)
    if (answer.ok) {
      showToast({ text: `Requested: skip ${node} of ${cluster}.` })
      setReason('')
    }
    return answer
  }
  return (
    <ReasonDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Skip a node of ${cluster}`}
      reason={reason}
      onReason={setReason}
      confirm={`Skip ${node} of ${cluster}`}
      isReady={node !== ''}
      isReasonWanted={isReasonWanted}
      failureTitle="The node was not skipped"
      act={skip}
    >
      <p>Lockkeeper skips this node and continues with the others.</p>
      <label className="run-field" htmlFor={`${id}-node`}>
        <span>Node</span>
        <HTMLSelect
          id={`${id}-node`}
          value={node}
          options={[...nodes]}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      </label>
    </ReasonDialog>
  )
}
