import type { Envelope, PlanChoices } from '../../shared/contract/index.ts'
import type { UpdateProposal } from '../../shared/contract/maintenance.ts'
import type { CheckedPlan } from '../../shared/domain/plan.ts'
import type { UpdateOptions, UpdateTimeline } from '../../shared/domain/update.ts'
import { timelineOfRun } from '../../shared/words/timelines.ts'
import { type RunReading, useRuns } from '../stores/runs.ts'
import { failedAfter, putObservation, putTimeline, useUpdates } from '../stores/updates.ts'
import { pacedReading } from './paced-reading.ts'
import { askMain, listen, onResync } from './transport.ts'

/** The shortest pause between two observations from outside. */
const LEAST_MS = 1000
/** The timeline is built from the run that this page has read, so it is as current as the rest of the page. */
const LEAST_HERE_MS = 200

/** Keeps the timeline of a run current; returns a stop function. */
export function followTimeline(runId: string): () => void {
  /** Main's answer and the run as it was read then; null if main has not answered. */
  let reported: { readonly run: RunReading; readonly samples: UpdateTimeline['samples'] } | null = null
  const reading = pacedReading(async () => {
    const run = useRuns.getState().readings.get(runId)
    if (reported !== null && run?.kind === 'read') {
      if (run !== reported.run) putTimeline(runId, timelineHere(run, reported.samples))
      return
    }
    const answer = await askMain('update.timeline', { runId })
    if (answer.ok) {
      if (run?.kind === 'read') reported = { run, samples: answer.value.samples }
      putTimeline(runId, answer.value)
      // Something changed in between.
      if (run !== useRuns.getState().readings.get(runId)) reading.soon()
    } else {
      useUpdates.setState(({ timelines }) => ({
        timelines: new Map(timelines).set(runId, failedAfter(timelines.get(runId), answer.failure)),
      }))
    }
  }, LEAST_HERE_MS)
  const stops = [
    // Until the run's events are read, the timeline comes from main.
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

/** The timeline of a run from the events read here; the expected end comes separately. */
function timelineHere(
  { view, events }: Extract<RunReading, { kind: 'read' }>,
  samples: UpdateTimeline['samples'],
): UpdateTimeline {
  const reported = timelineOfRun(view, events, new Date().toISOString())
  return { ...reported, samples: reported.samples.length > samples.length ? reported.samples : samples, eta: null }
}

/** Keeps the outside view of a cluster's update current; returns a stop function. */
export function followObservation(cluster: string): () => void {
  const reading = pacedReading(async () => {
    const answer = await askMain('update.observe', { cluster })
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

/** Proposes the order of work on these nodes, or on the whole cluster (`null`), with default settings. */
export function proposeUpdate(
  cluster: string,
  nodes: readonly string[] | null = null,
  staysOut = false,
): Promise<Envelope<UpdateProposal>> {
  return askMain('update.propose', {
    cluster,
    ...(nodes === null ? {} : { nodes: [...nodes] }),
    ...(staysOut ? { staysOut: true as const } : {}),
  })
}

/** Makes the plan of an update and runs its checks. Changes nothing. */
export function planUpdate(
  cluster: string,
  update: UpdateOptions,
  choices: PlanChoices,
): Promise<Envelope<CheckedPlan>> {
  return askMain('update.plan', { cluster, update, choices })
}

/** Pauses an update before its next node. */
export function pauseAfterNode(runId: string): Promise<Envelope<Record<string, never>>> {
  return askMain('run.pause-after-node', { runId })
}

/** Skips a node that has not started. */
export function skipNode(runId: string, node: string, reason: string): Promise<Envelope<Record<string, never>>> {
  return askMain('run.skip-node', { runId, node, reason })
}
