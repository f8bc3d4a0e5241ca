import { Button, HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useId, useMemo, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { pauseAfterNode, skipNode } from '../../bridge/updates.ts'
import { useConnection, whyCutOff } from '../../stores/connection.ts'
import { showToast } from '../../stores/toasts.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'

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
          size="small"
          text="Stop after these nodes"
          title="Nodes under way are finished and brought back; no other is begun. The run then pauses."
          disabled={!canAsk || stopping || view.state.kind === 'paused'}
          loading={asking}
          onClick={() => void stop()}
        />
        <Button
          size="small"
          text="Skip a node…"
          title={ahead.length === 0 ? 'Every node was begun.' : 'Passes a node that was not begun.'}
          disabled={!canAsk || ahead.length === 0}
          onClick={() => setSkipping(true)}
        />
        <span className="quiet" role="status">
          {stopping ? 'Requested: no other node is begun.' : null}
        </span>
      </div>
      {failure === null ? null : <FailureCallout title="It was not done" failure={failure} />}
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

/** Nodes of an update of which nothing was begun, in their order: those that can still be passed. */
function nodesNotBegun(view: RunView): readonly string[] {
  const begun = new Map<string, boolean>()
  for (const { step, state } of view.steps) {
    if (step.lane === null) continue
    const started = state !== 'pending' && state !== 'ready'
    begun.set(step.lane.name, (begun.get(step.lane.name) ?? false) || started)
  }
  return [...begun].flatMap(([node, started]) => (started ? [] : [node]))
}

/** Whether it was asked that no other node be begun, and the run has not paused for it yet. */
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
  /** Those not begun yet. */
  readonly nodes: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks which node is to be passed, and why. */
function SkipNodeDialog({ runId, cluster, nodes, isOpen, onClose }: SkipNodeDialogProps): ReactNode {
  const id = useId()
  const [chosen, setChosen] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const node = chosen !== null && nodes.includes(chosen) ? chosen : (nodes[0] ?? '')
  const skip = async (why: string) => {
    const answer = await skipNode(runId, node, why)
    if (answer.ok) {
      showToast({ text: `Requested: ${node} of ${cluster} is passed.` })
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
      failureTitle="It was not skipped"
      act={skip}
    >
      <p>The node is left as it is: not drained, not worked on. The run goes on with the others.</p>
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
