import { CrossIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { marksWords, oddities } from '../../../shared/words/instances.ts'
import { dismissRefusals } from '../../bridge/instances.ts'
import { useMarkState } from './mode-select.tsx'

interface Props {
  readonly cluster: string
  readonly instance: InstanceView
}

/** What is odd about an instance; the refusal of its last edit comes first, until it is dismissed. */
export function NoteCell({ cluster, instance }: Props): ReactNode {
  const state = useMarkState(cluster, instance.id)
  if (state?.kind === 'refused') {
    return (
      <>
        <button
          type="button"
          className="inst-dismiss"
          tabIndex={-1}
          aria-label={`Dismiss why ${instance.name} was not set`}
          onClick={() => dismissRefusals(cluster, [instance.id])}
        >
          <CrossIcon size={12} />
        </button>
        <span className="inst-cut cut bad" title={state.failure.message}>
          {`Not set to ${marksWords(state.wanted)}: ${state.failure.message}`}
        </span>
      </>
    )
  }
  const odd = oddities(instance)
  if (odd.length === 0) return null
  return (
    <span className="inst-cut cut caution" title={odd.join('\n')}>
      {odd.length > 1 ? `${odd.length}: ` : ''}
      {odd[0]}
    </span>
  )
}
