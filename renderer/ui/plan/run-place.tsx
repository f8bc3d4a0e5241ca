import { SegmentedControl, type SegmentedControlProps } from '@blueprintjs/core'
import { type ReactNode, useEffect, useId, useState } from 'react'
import type { RunnerOffer } from '../../../shared/contract/index.ts'
import { asSentence } from '../../../shared/grammar/counts.ts'
import { offerOfRunner } from '../../bridge/runners.ts'
import { Said } from '../said.tsx'

/** Where a plan runs: in this console, or in a runner of the cluster. */
export type RunPlace = 'here' | 'cluster'

/** Whether a runner accepts plans of a cluster, read once while a confirmation is open; null if there is no answer yet. */
export function useRunnerOffer(cluster: string): RunnerOffer | null {
  const [offer, setOffer] = useState<RunnerOffer | null>(null)
  useEffect(() => {
    let isOpen = true
    setOffer(null)
    void offerOfRunner(cluster).then(answer => {
      if (!isOpen) return
      setOffer(answer.ok ? answer.value : { kind: 'not-offered', why: answer.failure.message })
    })
    return () => {
      isOpen = false
    }
  }, [cluster])
  return offer
}

interface Props {
  readonly offer: RunnerOffer | null
  readonly place: RunPlace
  readonly onPlace: (place: RunPlace) => void
}

/** Run here, or in the cluster, where the run does not need this console. Without an offer: why. */
export function RunPlaceChoice({ offer, place, onPlace }: Props): ReactNode {
  const whyId = useId()
  const options: SegmentedControlProps['options'] = [
    { value: 'here', label: 'Run here' },
    { value: 'cluster', label: 'Run in the cluster', disabled: offer?.kind !== 'offered' },
  ]
  return (
    <div className="plan-place row wrap">
      <SegmentedControl
        size="small"
        role="radiogroup"
        aria-label="Where it runs"
        aria-describedby={whyId}
        options={options}
        value={place}
        onValueChange={value => onPlace(value === 'cluster' ? 'cluster' : 'here')}
      />
      <p className="quiet" id={whyId}>
        <PlaceWords offer={offer} place={place} />
      </p>
    </div>
  )
}

function PlaceWords({ offer, place }: Pick<Props, 'offer' | 'place'>): ReactNode {
  if (offer === null) return 'Reading the runners of the cluster.'
  if (offer.kind === 'not-offered') return <Said text={`Not in the cluster: ${asSentence(offer.why)}`} />
  if (place === 'here') return 'It runs in this console and pauses while the console is closed.'
  const who = offer.as === null ? 'by your own word' : `as ${offer.as}`
  return `It runs on runner ${offer.runner} (namespace ${offer.namespace}), confirmed ${who}${offer.as !== null && !offer.proved ? ', which the cluster does not prove' : ''}. It continues when this console is closed.`
}
