import { Button, Dialog, DialogBody, DialogFooter, HTMLSelect, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { skipNode } from '../../bridge/updates.ts'
import { tell } from '../../stores/saying.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'

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
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const node = chosen !== null && nodes.includes(chosen) ? chosen : (nodes[0] ?? '')
  const skip = async () => {
    setAsking(true)
    const answer = await skipNode(runId, node, reason.trim())
    setAsking(false)
    setFailure(answer.ok ? null : answer.failure)
    if (!answer.ok) return
    tell({ text: `Requested: ${node} of ${cluster} is passed.` })
    setReason('')
    onClose()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      onOpened={() => cancel.current?.focus()}
      canOutsideClickClose={false}
      title={`Skip a node of ${cluster}`}
    >
      <DialogBody>
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
        <label className="run-field" htmlFor={`${id}-reason`}>
          <span>Reason, kept in the journal</span>
          <TextArea
            id={`${id}-reason`}
            fill
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
        {failure === null ? null : <FailureCallout title="It was not skipped" failure={failure} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button ref={cancel} text="Cancel" onClick={onClose} />
            <Button
              intent="danger"
              text={`Skip ${node} of ${cluster}`}
              disabled={reason.trim() === '' || node === ''}
              loading={asking}
              onClick={() => void skip()}
            />
          </>
        }
      />
    </Dialog>
  )
}
