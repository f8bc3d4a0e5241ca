import { Spinner } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import type { NodeDetail } from '../../../shared/domain/node-detail.ts'
import { useNodeDetail } from '../../stores/node-detail.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { Age } from '../../ui/when.tsx'

type Section<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure }

interface Props<T> {
  /** The name of what is read: `The pods of the node`. */
  readonly what: string
  readonly read: (detail: NodeDetail) => Section<T>
  readonly draw: (value: T) => ReactNode
}

/** A part of a node's detail: what was read and when, or why it could not be read; independent of the other parts. */
export function DetailSection<T>({ what, read, draw }: Props<T>): ReactNode {
  const detail = useNodeDetail(store => store.detail)
  const failure = useNodeDetail(store => store.failure)
  if (detail === null) {
    return failure === null ? (
      <div className="row" role="status">
        <Spinner size={16} /> Reading…
      </div>
    ) : (
      <FailureCallout title={`${what} cannot be read`} failure={failure} />
    )
  }
  const section = read(detail)
  return (
    <>
      {failure === null ? null : <FailureCallout title={`${what} could not be read again`} failure={failure} />}
      <p className="topo-read-at quiet">
        Read <Age at={detail.readAt} />
      </p>
      {section.ok ? (
        <div className={failure === null ? '' : 'stale'}>{draw(section.value)}</div>
      ) : (
        <FailureCallout title={`${what} cannot be read`} failure={section.failure} />
      )}
    </>
  )
}
