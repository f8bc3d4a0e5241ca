import { useCallback } from 'react'
import { lastOf, useViews } from '../stores/views.ts'

/** How instances of a cluster are called, for sentences that name them by their ids; null: not known. */
export function useInstanceName(cluster: string): (id: string) => string | null {
  return useCallback(
    (id: string) => lastOf(useViews.getState().byCluster.get(cluster))?.instances.get(id)?.name ?? null,
    [cluster],
  )
}
