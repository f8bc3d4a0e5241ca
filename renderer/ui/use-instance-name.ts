import { useCallback } from 'react'
import { lastOf, useViews } from '../stores/views.ts'

/** Names instances of a cluster by their ids; null if unknown. */
export function useInstanceName(cluster: string): (id: string) => string | null {
  return useCallback(
    (id: string) => lastOf(useViews.getState().byCluster.get(cluster))?.instances.get(id)?.name ?? null,
    [cluster],
  )
}
