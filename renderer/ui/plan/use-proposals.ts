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

/** Detects the controllers of a cluster, at the beginning and on request. A proposal: nothing is set. */
export function useProposals(cluster: string): Proposals {
  const [found, setFound] = useState<readonly ControllerProposal[]>([])
  const [isReading, setReading] = useState(true)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every round reads again.
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
