import { useEffect, useState } from 'react'
import type { MeasuredMove } from '../../shared/domain/move-durations.ts'
import { earlierMoves } from '../bridge/history.ts'

const NONE: readonly MeasuredMove[] = []

/** The earlier live migrations of a cloud, for the usual time of one; empty until they are read, or if they cannot be. */
export function useEarlierMoves(cluster: string): readonly MeasuredMove[] {
  const [moves, setMoves] = useState(NONE)
  useEffect(() => {
    let isGone = false
    void earlierMoves(cluster).then(read => {
      if (!isGone) setMoves(read)
    })
    return () => {
      isGone = true
    }
  }, [cluster])
  return moves
}
