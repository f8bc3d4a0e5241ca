import { Button, Dialog, DialogBody, DialogFooter, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId, useRef, useState } from 'react'
import type { Envelope } from '../../shared/contract/index.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { FailureCallout } from './failure-callout.tsx'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  /** The question above the reason. */
  readonly children: ReactNode
  readonly reason: string
  readonly onReason: (reason: string) => void
  /** The label of the reason; absent if the journal keeps it. */
  readonly reasonLabel?: string
  /** Nothing keeps a reason of this, so the dialog has no field for one. */
  readonly isWithoutReason?: boolean
  /** Whether the policy of the cloud wants a reason. */
  readonly isReasonWanted?: boolean
  readonly confirm: string
  readonly isReady: boolean
  /** The title of a failure. */
  readonly failureTitle: string
  /** Receives the trimmed reason; the dialog closes on success. */
  readonly act: (reason: string) => Promise<Envelope<unknown>>
}

/** Confirms an action and keeps its reason, which is optional unless the cloud wants one; "Cancel" has the focus. */
export function ReasonDialog(props: Props): ReactNode {
  const { isOpen, onClose, title, children, reason, onReason, confirm, isReady, failureTitle, act } = props
  const {
    isWithoutReason = false,
    isReasonWanted = false,
    reasonLabel = isReasonWanted ? 'Reason, kept in the report' : 'Reason',
  } = props
  const id = useId()
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const begin = async () => {
    setAsking(true)
    const answer = await act(reason.trim())
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
      title={title}
    >
      <DialogBody>
        {children}
        {isWithoutReason ? null : (
          <label className="run-field" htmlFor={id}>
            {reasonLabel}
            <TextArea id={id} fill value={reason} onChange={({ currentTarget }) => onReason(currentTarget.value)} />
          </label>
        )}
        {failure === null ? null : <FailureCallout title={failureTitle} failure={failure} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button ref={cancel} text="Cancel" onClick={onClose} />
            <Button
              intent="danger"
              text={confirm}
              disabled={(isReasonWanted && reason.trim() === '') || !isReady}
              loading={asking}
              onClick={() => void begin()}
            />
          </>
        }
      />
    </Dialog>
  )
}
