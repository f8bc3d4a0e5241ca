import { HTMLSelect } from '@blueprintjs/core'
import { type ReactNode, useState } from 'react'
import type { Failure } from '../../../shared/domain/failure.ts'
import { MAINTENANCE_ACTIONS, type MaintenanceAction } from '../../../shared/domain/instance-tags.ts'
import { MARK_WORDS } from '../../../shared/words/actions.ts'
import { markInstances } from '../../bridge/instances.ts'
import { lastOf, useViews } from '../../stores/views.ts'

interface Props {
  readonly cluster: string
  readonly id: string
  readonly name: string
  readonly onMarked: () => void
}

type Asked =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asked' }
  | { readonly kind: 'refused'; readonly failure: Failure }

/** Changes an instance's mark right where it stands in the way; what the cloud says then is read by making the plan anew. */
export function ModeChoice({ cluster, id, name, onMarked }: Props): ReactNode {
  const marks = useViews(store => lastOf(store.byCluster.get(cluster))?.instances.get(id)?.marks ?? null)
  const [asked, setAsked] = useState<Asked>({ kind: 'idle' })
  const current = marks === null || marks.length !== 1 ? '' : (marks[0] ?? '')
  const mark = async (value: string) => {
    const action: MaintenanceAction | undefined = MAINTENANCE_ACTIONS.find(each => each === value)
    setAsked({ kind: 'asked' })
    const { refused } = await markInstances(cluster, [{ id, actions: action === undefined ? [] : [action] }])
    const failure = refused[0]?.failure
    setAsked(failure === undefined ? { kind: 'idle' } : { kind: 'refused', failure })
    if (failure === undefined) onMarked()
  }
  return (
    <div className="plan-mode row">
      <HTMLSelect
        minimal
        aria-label={`Migration mode of ${name}`}
        disabled={asked.kind === 'asked'}
        value={current}
        onChange={({ currentTarget }) => void mark(currentTarget.value)}
      >
        <option value="">Mode of the host</option>
        {MAINTENANCE_ACTIONS.map(action => (
          <option key={action} value={action}>
            {MARK_WORDS[action]}
          </option>
        ))}
      </HTMLSelect>
      {asked.kind === 'asked' ? <span className="quiet">requested</span> : null}
      {asked.kind === 'refused' ? <span className="bad">{asked.failure.message}</span> : null}
    </div>
  )
}
