import { AnchorButton, NonIdealState, Spinner } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { assertNever } from '../../../shared/domain/must.ts'
import { loadClusters } from '../../bridge/clusters.ts'
import type { ClusterListState } from '../../stores/clusters.ts'
import { hashOf } from '../../stores/route.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'

/** What is shown instead of the clouds while there are none to show. */
export function NoClouds({ list }: { readonly list: ClusterListState }): ReactNode {
  switch (list.kind) {
    case 'unread':
      return <Spinner size={24} aria-label="Reading the list of clouds" />
    case 'failed':
      return (
        <FailureCallout
          title="The clouds cannot be listed"
          failure={list.failure}
          onRetry={() => void loadClusters()}
        />
      )
    case 'listed':
      return (
        <NonIdealState
          title="No cloud is registered yet"
          description="Add one by its kubeconfig and its clouds.yaml. Lockkeeper leaves both files where they are and changes nothing in the cloud."
          action={<AnchorButton intent="primary" text="Add a cloud" href={hashOf({ kind: 'add-cluster' })} />}
        >
          <p className="quiet">To look around first:</p>
          <code>lockkeeper serve --demo</code>
        </NonIdealState>
      )
    default:
      return assertNever(list, 'state of the cloud list')
  }
}
