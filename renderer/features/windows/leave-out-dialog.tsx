import { Button, Dialog, DialogBody, DialogFooter, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { skipNode } from '../../bridge/updates.ts'
import { tell } from '../../stores/saying.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { counted, listed } from '../../words/numbers.ts'

interface Props {
  readonly runId: string
  readonly cluster: string
  readonly nodes: readonly string[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks before nodes that were not begun are passed, so that the window is kept. */
export function LeaveOutDialog({ runId, cluster, nodes, isOpen, onClose }: Props): ReactNode {
  const id = useId()
  const [reason, setReason] = useState('to end within the window')
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const leaveOut = async () => {
    setAsking(true)
    setFailure(null)
    for (const node of nodes) {
      const answer = await skipNode(runId, node, reason.trim())
      if (answer.ok) continue
      setAsking(false)
      setFailure(answer.failure)
      return
    }
    setAsking(false)
    tell({ text: `Requested: ${listed(nodes)} of ${cluster} ${nodes.length === 1 ? 'is' : 'are'} left out.` })
    onClose()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      onOpened={() => cancel.current?.focus()}
      canOutsideClickClose={false}
      title={`Leave out ${counted(nodes.length, 'node')} of ${cluster}`}
    >
      <DialogBody>
        <p>
          <b>{listed(nodes)}</b> {nodes.length === 1 ? 'was' : 'were'} not begun.{' '}
          {nodes.length === 1 ? 'It is' : 'They are'} left as they are: not drained, not worked on. The run goes on with
          the others.
        </p>
        <label className="run-field" htmlFor={id}>
          <span>Reason, kept in the journal</span>
          <TextArea id={id} fill value={reason} onChange={({ currentTarget }) => setReason(currentTarget.value)} />
        </label>
        {failure === null ? null : <FailureCallout title="They were not all left out" failure={failure} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button ref={cancel} text="Cancel" onClick={onClose} />
            <Button
              intent="danger"
              text={`Leave out ${counted(nodes.length, 'node')} of ${cluster}`}
              disabled={reason.trim() === ''}
              loading={asking}
              onClick={() => void leaveOut()}
            />
          </>
        }
      />
    </Dialog>
  )
}
