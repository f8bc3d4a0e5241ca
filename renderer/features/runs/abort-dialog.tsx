import { Button, Dialog, DialogBody, DialogFooter, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { planPlace } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { abortRun } from '../../bridge/runs.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { changedSoFar } from './waits.ts'

interface Props {
  readonly view: RunView
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks for the reason, and says what will stay changed. */
export function AbortDialog({ view, isOpen, onClose }: Props): ReactNode {
  const [reason, setReason] = useState('')
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const reasonId = useId()
  const cancel = useRef<HTMLButtonElement>(null)
  const place = planPlace(view.plan)
  const changed = changedSoFar(view)
  const abort = async () => {
    setAsking(true)
    const answer = await abortRun(view.id, reason.trim())
    setAsking(false)
    setFailure(answer.ok ? null : answer.failure)
    if (answer.ok) onClose()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      onOpened={() => cancel.current?.focus()}
      canOutsideClickClose={false}
      title={`Abort the run: ${place}`}
    >
      <DialogBody>
        {changed.length === 0 ? (
          <p>Nothing was changed yet; nothing stays behind.</p>
        ) : (
          <>
            <p>Nothing is rolled back. What was done stays so:</p>
            <ul className="run-changed">
              {changed.map(({ title, undo }) => (
                <li key={title}>
                  <b>{title}</b>
                  <div className="quiet">{undo}</div>
                </li>
              ))}
            </ul>
          </>
        )}
        <label className="run-field" htmlFor={reasonId}>
          <span>Reason, kept in the journal</span>
          <TextArea
            id={reasonId}
            fill
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
          />
        </label>
        {failure === null ? null : <FailureCallout title="It was not aborted" failure={failure} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button ref={cancel} text="Cancel" onClick={onClose} />
            <Button
              intent="danger"
              text={`Abort: ${place}`}
              disabled={reason.trim() === ''}
              loading={asking}
              onClick={() => void abort()}
            />
          </>
        }
      />
    </Dialog>
  )
}
