import { type ReactNode, useState } from 'react'
import { planPlace } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { abortRun } from '../../bridge/runs.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import { changedSoFar } from './waits.ts'

interface Props {
  readonly view: RunView
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks for the reason, and says what will stay changed. */
export function AbortDialog({ view, isOpen, onClose }: Props): ReactNode {
  const [reason, setReason] = useState('')
  const place = planPlace(view.plan)
  const changed = changedSoFar(view)
  return (
    <ReasonDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Abort the run: ${place}`}
      reason={reason}
      onReason={setReason}
      confirm={`Abort: ${place}`}
      isReady
      failureTitle="It was not aborted"
      act={why => abortRun(view.id, why)}
    >
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
    </ReasonDialog>
  )
}
