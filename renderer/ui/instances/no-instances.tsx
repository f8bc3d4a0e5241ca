import { Button, NonIdealState, Spinner } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { counted } from '../../../shared/grammar/counts.ts'
import { openView } from '../../bridge/views.ts'
import { changeInstanceFilter, NO_INSTANCE_FILTER } from '../../stores/instance-lists.ts'
import { lastOf, useViews } from '../../stores/views.ts'
import { FailureCallout } from '../failure-callout.tsx'

interface Props {
  readonly cluster: string
  /** Null means the whole cluster. */
  readonly node: string | null
  readonly listKey: string
  readonly total: number
  readonly narrowed: boolean
}

/** Replaces an empty list: says why it is empty and what to do. */
export function NoInstances({ cluster, node, listKey: key, total, narrowed }: Props): ReactNode {
  const state = useViews(store => store.byCluster.get(cluster))
  const source = useViews(store => lastOf(store.byCluster.get(cluster))?.sources.get('instances')?.state ?? null)
  if (state?.kind === 'failed' && (total === 0 || !narrowed)) {
    return (
      <div className="inst-nothing">
        <FailureCallout
          title={`${cluster} cannot be read`}
          failure={state.failure}
          onRetry={() => void openView(cluster)}
        />
      </div>
    )
  }
  if (source === null || source.kind === 'catching-up') {
    return (
      <NonIdealState
        className="inst-nothing"
        icon={<Spinner size={24} />}
        title={`Reading the instances of ${cluster}`}
      />
    )
  }
  if (total > 0 && narrowed) {
    return (
      <NonIdealState
        className="inst-nothing"
        title="No instance matches the filter"
        description={`The filter hides ${counted(total, 'instance')} of ${node ?? cluster}.`}
        action={<Button text="Clear filter" onClick={() => changeInstanceFilter(key, NO_INSTANCE_FILTER)} />}
      />
    )
  }
  if (source.kind !== 'live') {
    return (
      <NonIdealState
        className="inst-nothing"
        title={source.kind === 'absent' ? `${cluster} has no instances` : 'The instances cannot be read'}
        description={source.why}
      />
    )
  }
  return (
    <NonIdealState
      className="inst-nothing"
      title={node === null ? `${cluster} has no instances` : `No instance is on ${node}`}
      description={
        node === null ? 'They appear here as soon as Nova lists them.' : 'Nothing has to move when it goes out.'
      }
    />
  )
}
