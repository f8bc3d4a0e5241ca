import type { NodeLane, StageSpan, UpdateTimeline } from '../../shared/domain/update.ts'

/** An update at a past moment: later events are left out, and what ended later is still running. */
export function timelineAt(timeline: UpdateTimeline, atMs: number): UpdateTimeline {
  const before = (at: string | null): at is string => at !== null && Date.parse(at) <= atMs
  const end = (at: string | null) => (before(at) ? at : null)
  const phases = timeline.phases.map(phase => {
    const began = before(phase.fromAt)
    const state = began ? (before(phase.toAt) ? ('done' as const) : ('running' as const)) : ('pending' as const)
    return { ...phase, state, fromAt: began ? phase.fromAt : null, toAt: end(phase.toAt) }
  })
  return {
    ...timeline,
    phases,
    phase: phases.findLast(({ state }) => state === 'running')?.phase ?? null,
    lanes: timeline.lanes.map(lane => laneAt(lane, atMs)),
    samples: timeline.samples.filter(({ at }) => before(at)),
    eta: null,
    endedAt: end(timeline.endedAt),
  }
}

function laneAt(lane: NodeLane, atMs: number): NodeLane {
  const before = (at: string | null): at is string => at !== null && Date.parse(at) <= atMs
  const spans: readonly StageSpan[] = lane.spans
    .filter(({ fromAt }) => before(fromAt))
    .map(span => ({
      ...span,
      toAt: before(span.toAt) ? span.toAt : null,
      waits: span.waits
        .filter(({ fromAt }) => before(fromAt))
        .map(wait => ({ ...wait, toAt: before(wait.toAt) ? wait.toAt : null })),
      retries: span.retries.filter(({ at }) => before(at)),
    }))
  return { ...lane, stage: spans.at(-1)?.stage ?? 'pending', spans: [...spans] }
}
