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
  const [state, setState] = useState<'idle' | 'sent'>('idle')
  // As it was when its question opened: the run may continue meanwhile, and the same button may mean other instances.
  const [asked, setAsked] = useState<Choice | null>(null)
  const { label, asks, harm, cluster } = choice
  const isProduction = useIsProduction(cluster)
  const isAsked = asks === 'only-production' || asks === 'confirm-production' ? isProduction : asks !== 'no'
  const sendNow = async () => {
    setState('sent')
    const answer = await choice.send('')
    if (answer?.ok === true) return
    setState('idle')
    if (answer !== null) showToast({ text: answer.failure.message, tone: 'caution' })
  }
  const sendAsked = async (reason: string) => {
    const answer = (await asked?.send(reason)) ?? null
    if (answer?.ok === true) setState('sent')
    return answer
  }
  if (state === 'sent') {
    return (
      <span className="small quiet" role="status">
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
        text={isAsked ? `${label}…` : label}
        onClick={() => (isAsked ? setAsked(choice) : void sendNow())}
      />
      <ChoiceDialog choice={asked ?? choice} isOpen={asked !== null} onClose={() => setAsked(null)} send={sendAsked} />
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
      isWithoutReason={asks === 'confirm-production'}
      isReasonWanted={(asks === 'production' || asks === 'only-production') && isProduction}
      confirm={label}
      isReady
      failureTitle="The answer was not taken"
      act={async given => (await send(given)) ?? { ok: true, value: {} }}
    >
      <p>
        <b>{cost}.</b> {effect}
      </p>
    </ReasonDialog>
  )
}
