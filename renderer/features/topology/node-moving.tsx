import { type ReactNode, useEffect, useMemo } from 'react'
import { viewOfNode } from '../../../shared/domain/run-condition.ts'
import { showRun } from '../../bridge/runs.ts'
import { useRuns } from '../../stores/runs.ts'
import { Downtimes } from '../../ui/runs/downtimes.tsx'
import { MovingNow } from '../../ui/runs/moving-now.tsx'

/** The instances of a node that are moving or down in its run, as that run reports; empty while it waits. */
export function NodeMoving({ runId, node }: { readonly runId: string; readonly node: string }): ReactNode {
  const isDriven = useRuns(store => {
    const kind = store.list?.find(({ id }) => id === runId)?.condition.kind
    return kind === 'moving' || kind === 'waiting'
  })
  useEffect(() => (isDriven ? showRun(runId) : undefined), [runId, isDriven])
  const whole = useRuns(store => {
    const reading = store.readings.get(runId)
    return reading?.kind === 'read' ? reading.view : null
  })
  const view = useMemo(() => (whole === null ? null : viewOfNode(whole, node)), [whole, node])
  if (!isDriven || view === null) return null
  return (
    <div className="topo-moving">
      <MovingNow view={view} />
      <Downtimes view={view} leftAt={null} />
    </div>
  )
}
