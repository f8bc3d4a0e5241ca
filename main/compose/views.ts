import type { Events } from '../api/events.ts'
import type { Clusters } from '../clusters/clusters.ts'
import { createViews, type Views } from '../clusters/view/views.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { activeNodeRuns, hasRunFailed, nodesDrainedOnly } from '../runs/active-runs.ts'
import type { RunService } from '../runs/run-service.ts'

/** The live views of clusters: they follow the runs of this console and of runners. */
export function openViews({
  clusters,
  runs,
  events,
  clock,
}: {
  readonly clusters: Pick<Clusters, 'open'>
  readonly runs: RunService
  readonly events: Events
  readonly clock: Clock
}): Views {
  const views = createViews({
    open: clusters.open,
    activeRuns: cluster => activeNodeRuns(runs, cluster),
    drainedOnly: cluster => nodesDrainedOnly(runs, cluster),
    hasFailed: runId => hasRunFailed(runs, runId),
    clock,
    onPatch: patch => events.emit('view.patch', patch),
    onEnded: ended => events.emit('view.ended', ended),
  })
  events.internal.on('runs.changed', views.runsChanged)
  return views
}
