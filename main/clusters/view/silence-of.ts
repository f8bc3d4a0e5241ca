import type { SourceState } from '../../../shared/domain/cluster-view.ts'
import type { Failure } from '../../../shared/domain/failure.ts'

export function silenceOf({
  message,
  reason,
  values,
}: Failure): Pick<Extract<SourceState, { readonly kind: 'absent' }>, 'why' | 'reason' | 'values'> {
  return { why: message, ...(reason === undefined ? {} : { reason }), ...(values === undefined ? {} : { values }) }
}
