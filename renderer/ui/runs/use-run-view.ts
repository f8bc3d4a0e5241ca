import { useEffect, useMemo } from 'react'
import type { RunEvent, RunView } from '../../../shared/domain/run.ts'
import { timelineOfRun } from '../../../shared/words/timelines.ts'
import { showRun } from '../../bridge/runs.ts'
import { useRuns } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'

/** The view of a run by the events read so far, kept current; null until it is read. */
export function useRunView(runId: string | null): RunView | null {
  useEffect(() => {
    if (runId !== null) showRun(runId)
  }, [runId])
  return useRuns(({ readings }) => {
    const reading = readings.get(runId ?? '')
    return reading?.kind === 'read' ? reading.view : null
  })
}

/** When the nodes of a run will be done, by those that are; computed again for each node and each minute. Null if unknown. */
export function useRunEnd(
  view: RunView | null,
  nodesDone: number,
): { readonly lowAt: string; readonly highAt: string } | null {
  const minute = useTicks(({ nowMs }) => Math.floor(nowMs / 60_000))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only finished nodes and minutes change the estimate.
  return useMemo(() => {
    const reading = useRuns.getState().readings.get(view?.id ?? '')
    if (view === null || nodesDone === 0 || reading?.kind !== 'read') return null
    return endOf(view, reading.events)
  }, [view?.id, nodesDone, minute])
}

function endOf(view: RunView, events: readonly RunEvent[]): { readonly lowAt: string; readonly highAt: string } | null {
  return timelineOfRun(view, events, new Date().toISOString()).eta
}
