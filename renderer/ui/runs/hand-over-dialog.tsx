import { Button, Callout, Dialog, DialogBody, DialogFooter, InputGroup, Spinner } from '@blueprintjs/core'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { RunnerOffer } from '../../../shared/contract/index.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { isDisruptive, planPlace } from '../../../shared/domain/plan.ts'
import type { RunView } from '../../../shared/domain/run.ts'
import { handOverRun, offerOfRunner } from '../../bridge/runners.ts'
import { useIsProduction } from '../../stores/clusters.ts'
import { FailureCallout } from '../failure-callout.tsx'

interface Props {
  readonly view: RunView
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Says which runner would continue a paused run, and as whom, and hands it over; "Cancel" has the focus. */
export function HandOverDialog({ view, isOpen, onClose }: Props): ReactNode {
  const { plan } = view
  const { cluster } = plan
  const id = useId()
  const cancel = useRef<HTMLButtonElement>(null)
  const [offer, setOffer] = useState<RunnerOffer | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [typed, setTyped] = useState('')
  const [asking, setAsking] = useState(false)
  const isProduction = useIsProduction(cluster)
  const mustType = isProduction && isDisruptive(plan)
  useEffect(() => {
    if (!isOpen) return
    let isGone = false
    setOffer(null)
    setFailure(null)
    setTyped('')
    void offerOfRunner(cluster).then(answer => {
      if (isGone) return
      if (answer.ok) setOffer(answer.value)
      else setFailure(answer.failure)
    })
    return () => {
      isGone = true
    }
  }, [isOpen, cluster])
  const hand = async () => {
    setAsking(true)
    const answer = await handOverRun({ runId: view.id, ...(mustType ? { typedCluster: typed } : {}) })
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
      title={`Hand the run over: ${planPlace(plan)}`}
    >
      <DialogBody>
        <Offer offer={offer} hasFailed={failure !== null} />
        {offer?.kind === 'offered' && mustType ? (
          <label className="run-field" htmlFor={id}>
            <span>{cluster} is a production cloud: type its name to confirm</span>
            <InputGroup id={id} value={typed} onValueChange={setTyped} autoComplete="off" />
          </label>
        ) : null}
        {failure === null ? null : <FailureCallout title="It was not handed over" failure={failure} />}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button ref={cancel} text="Cancel" onClick={onClose} />
            <Button
              intent="primary"
              text="Hand it over"
              disabled={offer?.kind !== 'offered' || (mustType && typed !== cluster)}
              loading={asking}
              onClick={() => void hand()}
            />
          </>
        }
      />
    </Dialog>
  )
}

function Offer({ offer, hasFailed }: { readonly offer: RunnerOffer | null; readonly hasFailed: boolean }): ReactNode {
  if (offer === null) return hasFailed ? null : <Spinner size={20} aria-label="Looking for a runner" />
  if (offer.kind === 'not-offered') {
    return (
      <Callout compact intent="warning">
        No runner accepts it. {offer.why}
      </Callout>
    )
  }
  const as = offer.as === null ? 'by you' : `as ${offer.as}${offer.proved ? '' : ' (the cluster does not prove it)'}`
  return (
    <>
      <p>
        Runner <span className="mono">{offer.runner}</span> in namespace <span className="mono">{offer.namespace}</span>{' '}
        of <span className="mono">{offer.by}</span> continues it, confirmed {as}. It verifies everything again and does
        the rest. You may close this console.
      </p>
      <p className="quiet">
        It stays the same run and keeps its history. If the runner refuses it, you can resume it here.
      </p>
    </>
  )
}
