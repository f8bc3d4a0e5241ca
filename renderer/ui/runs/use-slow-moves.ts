import { useMemo } from 'react'
import { useShallow } from 'zustand/react/shallow'
import type { RunView } from '../../../shared/domain/run.ts'
import { slowMoves, type TimedMove, timedMoves } from '../../../shared/domain/slow-moves.ts'
import { useTicks } from '../../stores/ticks.ts'
import { useEarlierMoves } from '../use-earlier-moves.ts'

/** The moves of a run that now take longer than usual on its cloud. */
export function useSlowMoves(cluster: string, view: RunView | null): readonly TimedMove[] {
  const earlier = useEarlierMoves(cluster)
  const timed = useMemo(() => (view === null ? [] : timedMoves(view, earlier)), [view, earlier])
  return useTicks(useShallow(({ nowMs }) => slowMoves(timed, nowMs)))
}
