import { Callout } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { asSentence } from '../../../../shared/grammar/counts.ts'
import { useConnection, whyCutOff } from '../../../stores/connection.ts'
import { Said } from '../../../ui/said.tsx'
import { When } from '../../../ui/when.tsx'
import type { Reading } from '../stores/campaigns.ts'
import type { RunnerPlace } from './runner-places.ts'

interface Props {
  /** Null if unknown. */
  readonly place: RunnerPlace | null
  /** What the page shows of it; null means nothing yet. */
  readonly reading: Reading<unknown> | null
}

/** Shown while the campaigns of a runner may be old: they could not be read again, or no runner answers. */
export function RunnerNote({ place, reading }: Props): ReactNode {
  const cut = useConnection(whyCutOff)
  if (cut !== null) return null
  return (
    <>
      {reading?.kind === 'old' ? (
        <Callout compact intent="warning">
          <b>
            As of <When at={reading.readAt} />.
          </b>{' '}
          It cannot be read now: <Said text={asSentence(reading.failure.message)} />
        </Callout>
      ) : null}
      {place === null || place.silent.length === 0 ? null : (
        <Callout compact intent={place.isAnswering ? 'none' : 'warning'}>
          {place.isAnswering ? null : (
            <>
              <b>The runner does not answer.</b> This page shows its objects in the cluster; whether they still run is
              unknown.{' '}
            </>
          )}
          {place.silent.map(words => (
            <span key={words} className="block">
              <Said text={words} />
            </span>
          ))}
        </Callout>
      )}
    </>
  )
}

/** Whether what is shown may be out of date. */
export function useIsOld(place: RunnerPlace | null, reading: Reading<unknown> | null): boolean {
  const isCut = useConnection(store => whyCutOff(store) !== null)
  return isCut || reading?.kind === 'old' || place?.isAnswering === false
}
