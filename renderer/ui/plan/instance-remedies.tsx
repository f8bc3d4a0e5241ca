import { type ReactNode, useState } from 'react'
import type { InstanceRemedy } from '../../../shared/domain/instance-remedy.ts'
import type { InstanceEffect } from '../../../shared/domain/plan-effects.ts'
import { REMEDY_WORDS } from '../../../shared/words/instance-remedies.ts'
import { remedyInstance, type ShownInstance } from '../../bridge/instances.ts'
import { useIsProduction } from '../../stores/clusters.ts'
import { showToast } from '../../stores/toasts.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { ReasonDialog } from '../reason-dialog.tsx'
import { Remedy } from './remedy.tsx'

/** What helps an instance of which Nova does not let go, by the code of its blocker. */
const REMEDIES: Readonly<Record<string, readonly InstanceRemedy[]>> = {
  InstanceErrorButRunning: ['reset-state', 'stop'],
  InstanceInError: ['reset-state', 'stop'],
  InstanceBusy: ['reset-state'],
}

interface Props {
  readonly cluster: string
  readonly instance: InstanceEffect
  readonly code: string
  /** Called after a change, which makes another plan necessary. */
  readonly onChanged: () => void
}

/** The remedies of an instance that blocks a plan, each with a question that says what it means. */
export function InstanceRemedies({ cluster, instance, code, onChanged }: Props): ReactNode {
  const [asked, setAsked] = useState<{ readonly remedy: InstanceRemedy; readonly shown: ShownInstance } | null>(null)
  const shown = useViews(({ byCluster }) => lastOf(byCluster.get(cluster))?.instances.get(instance.id) ?? null)
  if (shown === null) return null
  return (
    <>
      {(REMEDIES[code] ?? []).map(remedy => (
        <Remedy
          key={remedy}
          text={`${REMEDY_WORDS[remedy].label}…`}
          cost={REMEDY_WORDS[remedy].outcome}
          onClick={() => setAsked({ remedy, shown })}
        />
      ))}
      {asked === null ? null : (
        <Question cluster={cluster} {...asked} onClose={() => setAsked(null)} onChanged={onChanged} />
      )}
    </>
  )
}

interface QuestionProps {
  readonly cluster: string
  readonly remedy: InstanceRemedy
  /** As it was when its question opened. */
  readonly shown: ShownInstance
  readonly onClose: () => void
  readonly onChanged: () => void
}

function Question({ cluster, remedy, shown, onClose, onChanged }: QuestionProps): ReactNode {
  const [reason, setReason] = useState('')
  const isProduction = useIsProduction(cluster)
  const { label, cost, effect } = REMEDY_WORDS[remedy]
  const act = async (given: string) => {
    const answer = await remedyInstance(cluster, remedy, shown, given)
    if (answer.ok) {
      if (!answer.value.done) showToast({ text: `Nova still works on ${shown.name}. Check the plan again later.` })
      onChanged()
    }
    return answer
  }
  return (
    <ReasonDialog
      isOpen
      onClose={onClose}
      title={`${label}: ${shown.name}`}
      reason={reason}
      onReason={setReason}
      isReasonWanted={isProduction}
      confirm={label}
      isReady
      failureTitle={`${shown.name} was not changed`}
      act={act}
    >
      <p>
        <b>{cost}.</b> {effect(shown.name)}
      </p>
    </ReasonDialog>
  )
}
