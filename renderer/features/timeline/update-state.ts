import type { RunEvent, RunView } from '../../../shared/domain/run.ts'

/** Nodes of an update of which nothing was begun, in their order: those that can still be passed. */
export function nodesNotBegun(view: RunView): readonly string[] {
  const begun = new Map<string, boolean>()
  for (const { step, state } of view.steps) {
    if (step.lane === null) continue
    const started = state !== 'pending' && state !== 'ready'
    begun.set(step.lane.name, (begun.get(step.lane.name) ?? false) || started)
  }
  return [...begun].flatMap(([node, started]) => (started ? [] : [node]))
}

/** Whether it was asked that no other node be begun, and the run has not paused for it yet. */
export function isStoppingAfterNode(events: readonly RunEvent[]): boolean {
  const last = events.findLast(
    ({ body: { kind } }) =>
      kind === 'pause-after-node-requested' ||
      kind === 'paused' ||
      kind === 'resume-requested' ||
      kind === 'run-driven' ||
      kind === 'run-finished',
  )
  return last?.body.kind === 'pause-after-node-requested'
}
