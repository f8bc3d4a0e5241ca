import { Button, Callout } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { putHostMode } from '../../stores/edits.ts'

interface Props {
  readonly cluster: string
  readonly node: string
  readonly failure: Failure
}

/** Why the last change of a host's mode did not happen, until it is dismissed. */
export function HostModeRefusal({ cluster, node, failure }: Props): ReactNode {
  return (
    <Callout compact intent="danger" role="alert">
      <b>{node} was not changed as asked</b>
      <p>{failure.message}</p>
      <Button size="small" variant="minimal" text="Dismiss" onClick={() => putHostMode(cluster, node, null)} />
    </Callout>
  )
}
