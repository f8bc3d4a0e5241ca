import { Button } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import { useIsProduction } from '../../stores/clusters.ts'
import { showToast } from '../../stores/toasts.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import type { Choice } from './choices.ts'

interface Props {
  readonly choice: Choice
  readonly isFirst?: boolean
  readonly isSmall?: boolean
}

/** Sends a choice, after its question if it has one; it stays requested until the run shows it. */
export function ChoiceButton({ choice, isFirst = false, isSmall = false }: Props): ReactNode {
  const [state, setState] = useState<'idle' | 'asking' | 'sent'>('idle')
  const { label, asks, harm } = choice
  const send = async (reason: string) => {
    if (asks === 'no') setState('sent')
    const answer = await choice.send(reason)
    if (answer.ok) setState('sent')
    else if (asks === 'no') {
      setState('idle')
      showToast({ text: answer.failure.message, tone: 'caution' })
    }
    return answer
  }
  if (state === 'sent') {
    return (
      <span className="run-sent" role="status">
        Requested: {label}
      </span>
    )
  }
  return (
    <>
      <Button
        size={isSmall ? 'small' : 'medium'}
        intent={isFirst ? 'primary' : harm === 3 ? 'danger' : 'none'}
        variant={harm === 3 && !isFirst ? 'outlined' : 'solid'}
        text={asks === 'no' ? label : `${label}…`}
        onClick={() => (asks === 'no' ? void send('') : setState('asking'))}
      />
      <ChoiceDialog
        choice={choice}
        isOpen={state === 'asking'}
        onClose={() => setState(now => (now === 'asking' ? 'idle' : now))}
        send={send}
      />
    </>
  )
}

interface DialogProps {
  readonly choice: Choice
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly send: Choice['send']
}

/** The question before a choice: its cost and its effect, and the reason that the report keeps. */
export function ChoiceDialog({ choice, isOpen, onClose, send }: DialogProps): ReactNode {
  const [reason, setReason] = useState('')
  const { label, cluster, asks, about, cost, effect } = choice
  const isProduction = useIsProduction(cluster)
  return (
    <ReasonDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`${label}: ${about}`}
      reason={reason}
      onReason={setReason}
      isReasonWanted={asks === 'production' && isProduction}
      confirm={label}
      isReady
      failureTitle="The answer was not taken"
      act={send}
    >
      <p>
        <b>{cost}.</b> {effect}
      </p>
    </ReasonDialog>
  )
}
