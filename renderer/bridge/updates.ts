import type { Envelope, PlanChoices } from '../../shared/contract/index.ts'
import type { UpdateProposal } from '../../shared/contract/maintenance.ts'
import type { CheckedPlan } from '../../shared/domain/plan.ts'
import type { UpdateOptions, UpdateTimeline } from '../../shared/domain/update.ts'
import { timelineOfRun } from '../../shared/words/timelines.ts'
import { type RunReading, useRuns } from '../stores/runs.ts'
import { failedAfter, putObservation, putTimeline, useUpdates } from '../stores/updates.ts'
import { pacedReading } from './paced-reading.ts'
import { ask, listen, onResync } from './transport.ts'

/** What is seen from outside is asked for again at most this often, however much happens. */
const LEAST_MS = 1000
/** A timeline is made of the run that is read here already: as current as all else that is drawn of the run. */
const LEAST_HERE_MS = 200

/** Keeps the timeline of a run current for as long as it is looked at; answers how to stop. */
export function followTimeline(runId: string): () => void {
  /** What main told, and the run as it was read here then; null: main is asked. */
  let reported: { readonly run: RunReading; readonly samples: UpdateTimeline['samples'] } | null = null
  const reading = pacedReading(async () => {
    const run = useRuns.getState().readings.get(runId)
    if (reported !== null && run?.kind === 'read') {
      if (run !== reported.run) putTimeline(runId, timelineHere(run, reported.samples))
      return
    }
    const answer = await ask('update.timeline', { runId })
    if (answer.ok) {
      if (run?.kind === 'read') reported = { run, samples: answer.value.samples }
      putTimeline(runId, answer.value)
      // What happened meanwhile.
      if (run !== useRuns.getState().readings.get(runId)) reading.soon()
    } else {
      useUpdates.setState(({ timelines }) => ({
        timelines: new Map(timelines).set(runId, failedAfter(timelines.get(runId), answer.failure)),
      }))
    }
  }, LEAST_HERE_MS)
  const stops = [
    // The events the rest of the page is drawn from; before they are read, main tells.
    useRuns.subscribe((now, before) => {
      if (now.readings.get(runId) !== before.readings.get(runId)) reading.soon()
    }),
    onResync(() => {
      reported = null
      reading.soon()
    }),
    reading.stop,
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** The timeline of a run by its events that are read here. When it may be over is told beside it. */
function timelineHere(
  { view, events }: Extract<RunReading, { kind: 'read' }>,
  samples: UpdateTimeline['samples'],
): UpdateTimeline {
  const reported = timelineOfRun(view, events, new Date().toISOString())
  return { ...reported, samples: reported.samples.length > samples.length ? reported.samples : samples, eta: null }
}

/** Keeps what is seen of a cluster's update from outside current for as long as it is looked at; answers how to stop. */
export function followObservation(cluster: string): () => void {
  const reading = pacedReading(async () => {
    const answer = await ask('update.observe', { cluster })
    if (answer.ok) putObservation(answer.value)
    else {
      useUpdates.setState(({ observations }) => ({
        observations: new Map(observations).set(cluster, failedAfter(observations.get(cluster), answer.failure)),
      }))
    }
  }, LEAST_MS)
  const stops = [
    listen('update.observed', event => {
      if (event.cluster === cluster) reading.soon()
    }),
    onResync(reading.soon),
    reading.stop,
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** The work on these nodes in batches, or on all of the cluster (`null`), when nothing more is chosen: every node in its place. */
export function proposeUpdate(
  cluster: string,
  nodes: readonly string[] | null = null,
): Promise<Envelope<UpdateProposal>> {
  return ask('update.propose', { cluster, ...(nodes === null ? {} : { nodes: [...nodes] }) })
}

/** Makes the plan of an update and runs its checks. Touches nothing. */
export function planUpdate(
  cluster: string,
  update: UpdateOptions,
  choices: PlanChoices,
): Promise<Envelope<CheckedPlan>> {
  return ask('update.plan', { cluster, update, choices })
}

/** Asks the driver of an update to begin no other node. */
export function pauseAfterNode(runId: string): Promise<Envelope<Record<string, never>>> {
  return ask('run.pause-after-node', { runId })
}

/** Passes a node that was not begun. */
export function skipNode(runId: string, node: string, reason: string): Promise<Envelope<Record<string, never>>> {
  return ask('run.skip-node', { runId, node, reason })
}
