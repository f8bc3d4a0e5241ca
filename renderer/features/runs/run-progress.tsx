import { type ReactNode, useEffect } from 'react'
import { showRun } from '../../bridge/runs.ts'
import { useRuns } from '../../stores/runs.ts'

interface Props {
  readonly runId: string
}

/** One live line of a run: what it does or waits for, and how far it is. */
export function RunProgress({ runId }: Props): ReactNode {
  useEffect(() => showRun(runId), [runId])
  const summary = useRuns(store => store.list?.find(({ id }) => id === runId)?.summary ?? null)
  return <p className="run-progress">{summary ?? 'Reading the run'}</p>
}
