import { HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useId, useState } from 'react'
import { skipNode } from '../../bridge/updates.ts'
import { showToast } from '../../stores/toasts.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'

interface Props {
  readonly runId: string
  readonly cluster: string
  /** Those not begun yet. */
  readonly nodes: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks which node is to be passed, and why. */
export function SkipNodeDialog({ runId, cluster, nodes, isOpen, onClose }: Props): ReactNode {
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
      <p>The node is left as it is: not drained, not updated. The update goes on with the others.</p>
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
