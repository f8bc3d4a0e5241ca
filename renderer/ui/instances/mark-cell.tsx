import { Spinner } from '@blueprintjs/core'
import { CaretDownIcon, CrossIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { InstanceView } from '../../../shared/domain/cluster-view.ts'
import { marksWords, oddities } from '../../../shared/words/instances.ts'
import { dismissRefusals } from '../../bridge/instances.ts'
import { type MarkState, markStatesOf, useEdits } from '../../stores/edits.ts'
import { useTicks } from '../../stores/ticks.ts'

/** After this long without the confirmed mark, the view counts as behind. */
export const BEHIND_MS = 10_000

interface Props {
  readonly cluster: string
  readonly instance: InstanceView
}

/** The unsettled edit of an instance. */
export function useMarkState(cluster: string, id: string): MarkState | null {
  return useEdits(store => markStatesOf(store, cluster).get(id) ?? null)
}

/** The mark of an instance, what was requested for it, and the button to change it. */
export function MarkCell({ cluster, instance }: Props): ReactNode {
  const state = useMarkState(cluster, instance.id)
  const words = marksWords(instance.marks)
  return (
    <button
      type="button"
      className={`inst-mark bare inst-mark-${state?.kind ?? 'settled'}`}
      tabIndex={-1}
      data-mark={instance.id}
      aria-haspopup="menu"
      aria-label={`Migration mode of ${instance.name}: ${words}`}
      title={
        instance.marks.length > 1 ? 'Several modes: Lockkeeper ignores them, the mode of the node decides.' : undefined
      }
    >
      {state === null || state.kind === 'refused' ? (
        <span className={`inst-cut cut${instance.marks.length > 1 ? ' caution' : ''}`}>{words}</span>
      ) : (
        <Waiting state={state} />
      )}
      <CaretDownIcon size={12} />
    </button>
  )
}

function Waiting({ state }: { readonly state: Exclude<MarkState, { kind: 'refused' }> }): ReactNode {
  const wanted = marksWords(state.wanted)
  const behind = useTicks(({ nowMs }) => state.kind === 'confirmed' && nowMs - state.atMs > BEHIND_MS)
  return behind ? (
    <span className="inst-cut cut" title={`Nova confirms ${wanted}; the list is not updated yet.`}>
      {`Nova confirms ${wanted}`}
    </span>
  ) : (
    <>
      <Spinner size={12} aria-label="requested" />
      <span className="inst-cut cut" title={`Requested: ${wanted}. The list does not show it yet.`}>
        {wanted}
      </span>
    </>
  )
}

/** The warnings of an instance; the refusal of its last edit comes first, until it is dismissed. */
export function WarningCell({ cluster, instance }: Props): ReactNode {
  const state = useMarkState(cluster, instance.id)
  if (state?.kind === 'refused') {
    return (
      <>
        <button
          type="button"
          className="inst-dismiss bare"
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
