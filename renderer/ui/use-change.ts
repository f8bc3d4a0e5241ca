import { useCallback, useState } from 'react'
import type { ClusterChange } from '../../shared/domain/cluster.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { updateCluster } from '../bridge/cluster-edits.ts'
import { showToast } from '../stores/toasts.ts'

/** Changes settings of a cluster and reports the result; the new settings come from main. */
export function useChange(cluster: string): {
  readonly busy: boolean
  readonly failure: Failure | null
  readonly change: (change: ClusterChange, said: string) => Promise<boolean>
} {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const change = useCallback(
    async (wanted: ClusterChange, said: string) => {
      setBusy(true)
      const answer = await updateCluster({ name: cluster, change: wanted })
      setBusy(false)
      setFailure(answer.ok ? null : answer.failure)
      if (answer.ok) showToast({ tone: 'good', text: said })
      return answer.ok
    },
    [cluster],
  )
  return { busy, failure, change }
}
