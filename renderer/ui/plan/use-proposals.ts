import { useCallback, useEffect, useState } from 'react'
import type { ControllerProposal } from '../../../shared/contract/maintenance.ts'
import type { Failure } from '../../../shared/domain/failure.ts'
import { detectControllers } from '../../bridge/controllers.ts'

interface Proposals {
  readonly found: readonly ControllerProposal[]
  readonly isReading: boolean
  readonly failure: Failure | null
  readonly again: () => void
}

/** Looks who seems to answer on a cluster, when asked for and once at the beginning. Proposals: nothing is set by them. */
export function useProposals(cluster: string): Proposals {
  const [found, setFound] = useState<readonly ControllerProposal[]>([])
  const [isReading, setReading] = useState(true)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round looks anew.
  useEffect(() => {
    let isGone = false
    setReading(true)
    void detectControllers(cluster).then(answer => {
      if (isGone) return
      setReading(false)
      setFailure(answer.ok ? null : answer.failure)
      if (answer.ok) setFound(answer.value)
    })
    return () => {
      isGone = true
    }
  }, [cluster, round])
  const again = useCallback(() => setRound(before => before + 1), [])
  return { found, isReading, failure, again }
}
