import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { MaintenanceWindow } from '../../../shared/domain/window.ts'
import { changeWindow } from '../../bridge/windows.ts'
import { showToast } from '../../stores/toasts.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { headDraftOf, readHead } from './head-draft.ts'
import { HeadForm } from './head-form.tsx'
import { Problems } from './problems.tsx'

interface Props {
  /** As it was when the dialog was opened: a later change by somebody else is not overwritten. */
  readonly window: MaintenanceWindow
  readonly onClose: () => void
}

/** Changes what is said of a window; its plan stays. */
export function HeadDialog({ window, onClose }: Props): ReactNode {
  const [base] = useState(window)
  const [draft, setDraft] = useState(() => headDraftOf(window))
  const [asking, setAsking] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const reading = readHead(draft)
  const save = async () => {
    if (reading.kind !== 'ready') return
    setAsking(true)
    const answer = await changeWindow({
      id: base.id,
      revision: base.revision,
      draft: { ...reading.head, plan: base.plan },
    })
    setAsking(false)
    setFailure(answer.ok ? null : answer.failure)
    if (!answer.ok) return
    for (const text of answer.value.warnings) showToast({ text, tone: 'caution' })
    onClose()
  }
  return (
    <Dialog
      isOpen
      className="win-head-dialog"
      onClose={onClose}
      canOutsideClickClose={false}
      title={`Change ${base.title}`}
    >
      <DialogBody>
        <HeadForm draft={draft} fixedCluster onEdit={setDraft} />
        <Problems readings={[reading]} />
        {failure === null ? null : <FailureCallout title="It was not changed" failure={failure} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button
              intent="primary"
              text="Save"
              disabled={reading.kind !== 'ready'}
              loading={asking}
              onClick={() => void save()}
            />
          </>
        }
      />
    </Dialog>
  )
}
