import { useMemo } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import { useRuns } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'
import { liveRuns } from './live-runs.ts'

/** Active and waiting runs on any cluster, those that need you first. */
export function useLiveRuns(): readonly RunSummary[] {
  const list = useRuns(store => store.list)
  const seen = useRuns(store => store.seen)
  // To the minute: a failed run disappears after hours.
  const minute = useTicks(({ nowMs }) => Math.floor(nowMs / 60_000))
  return useMemo(() => liveRuns(list ?? [], seen, minute * 60_000), [list, seen, minute])
}
