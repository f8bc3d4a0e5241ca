import { type ReactNode, useEffect, useMemo } from 'react'
import { viewOfNode } from '../../../shared/domain/run-condition.ts'
import { showRun } from '../../bridge/runs.ts'
import { useRuns } from '../../stores/runs.ts'
import { InstanceList } from '../../ui/runs/instance-list.tsx'
import { conditionNow } from '../../ui/runs/live-runs.ts'
import { instancesOfRun } from '../../ui/runs/run-instances.ts'

/** The instances of a node that are moving or off in its run, as that run reports; empty while it waits. */
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
  const instances = useMemo(
    () =>
      view === null
        ? []
        : instancesOfRun(view, conditionNow(view, null), null).filter(
            ({ state, down }) => state === 'moving' || state === 'waits' || down !== null,
          ),
    [view],
  )
  if (!isDriven || view === null || instances.length === 0) return null
  return (
    <section className="topo-moving panel-card" aria-label="Moving now">
      <h3>Moving now</h3>
      <InstanceList view={view} instances={instances} isDriven asked={NONE} />
    </section>
  )
}

const NONE: ReadonlySet<string> = new Set()
