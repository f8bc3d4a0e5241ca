import { type ReactNode, useEffect, useMemo } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { MaintenanceWindow } from '../../../shared/domain/window.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { windowTimeline } from '../../../shared/words/timelines.ts'
import { showRun } from '../../bridge/runs.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { type RunReading, useRuns } from '../../stores/runs.ts'
import { useTicks } from '../../stores/ticks.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { TimelineFigure } from '../../ui/timeline-figure.tsx'
import './window-timeline.css'

/** A still picture need not move every second. */
const STEP_MS = 10_000
const PICTURE_PX = 1000

interface Props {
  readonly window: MaintenanceWindow
  readonly runs: readonly RunSummary[]
}

/** What happened in a window so far, over all its runs: the picture of its report (docs/style.md G34). */
export function WindowTimeline({ window, runs }: Props): ReactNode {
  const readings = useRuns(store => store.readings)
  const clock = usePreferences(store => store.preferences.clock)
  const nowMs = useTicks(store => Math.floor(store.nowMs / STEP_MS) * STEP_MS)
  const ids = runs.map(({ id }) => id).join(' ')
  const lost = runs.flatMap(({ id, state }) => (state === 'interrupted' ? [id] : [])).join(' ')
  useEffect(() => {
    for (const id of ids.split(' ')) if (id !== '') showRun(id)
  }, [ids])
  const timeline = useMemo(() => {
    const runs = ids.split(' ').flatMap(id => timelineRunsOf(id, readings.get(id), lost.split(' ').includes(id)))
    if (runs.length === 0) return null
    const now = new Date(nowMs).toISOString()
    return windowTimeline({
      id: window.id,
      runs,
      plan: window.plan,
      more: [],
      closed: window.closed !== null,
      now,
    })
  }, [ids, lost, readings, window, nowMs])
  const failure = runs.map(({ id }) => readings.get(id)).find(reading => reading?.kind === 'failed')
  if (runs.length === 0) return null
  return (
    <section className="panel" aria-labelledby="win-timeline">
      <h2 id="win-timeline">Timeline</h2>
      {failure?.kind === 'failed' ? (
        <FailureCallout
          title="A run of this window cannot be read"
          failure={failure.failure}
          onRetry={() => ids.split(' ').forEach(showRun)}
        />
      ) : null}
      {timeline === null || timeline.startedAt === null ? (
        <p className="quiet">No node has started yet.</p>
      ) : (
        <TimelineFigure
          name={`Timeline of ${window.title}; its runs say the same in words`}
          timeline={timeline}
          nowMs={nowMs}
          nowWords="now"
          windowEndsAt={window.endsAt}
          timeOf={(atMs, seconds) => timeOfDay(new Date(atMs).toISOString(), clock).slice(0, seconds ? 8 : 5)}
          width={PICTURE_PX}
        />
      )}
    </section>
  )
}

function timelineRunsOf(id: string, reading: RunReading | undefined, interrupted: boolean) {
  return reading?.kind === 'read' ? [{ id, plan: reading.view.plan, events: reading.events, interrupted }] : []
}
