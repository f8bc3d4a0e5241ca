import { SegmentedControl } from '@blueprintjs/core'
import { type ReactNode, useEffect, useState } from 'react'
import type { RunnerOffer } from '../../../shared/contract/index.ts'
import { offerOfRunner } from '../../bridge/runners.ts'

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

/** Run here, or in the cluster, where the run does not need this console; only where a runner exists. */
export function RunPlaceChoice({ offer, place, onPlace }: Props): ReactNode {
  if (offer?.kind !== 'offered') return null
  return (
    <>
      {place === 'cluster' ? <p className="plan-foot-whole quiet small">{placeWords(offer)}</p> : null}
      <SegmentedControl
        size="small"
        role="radiogroup"
        aria-label="Where it runs"
        options={[
          { value: 'here', label: 'Run here' },
          { value: 'cluster', label: 'Run in the cloud' },
        ]}
        value={place}
        onValueChange={value => onPlace(value === 'cluster' ? 'cluster' : 'here')}
      />
    </>
  )
}

function placeWords(offer: Extract<RunnerOffer, { kind: 'offered' }>): string {
  const who = offer.as === null ? 'by you' : `as ${offer.as}`
  return `It runs on runner ${offer.runner} (namespace ${offer.namespace}), confirmed ${who}${offer.as !== null && !offer.proved ? ', which the cluster does not prove' : ''}. It continues when this console is closed.`
}
