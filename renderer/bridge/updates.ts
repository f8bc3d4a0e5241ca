import type { Envelope, PlanChoices } from '../../shared/contract/index.ts'
import type { UpdateProposal } from '../../shared/contract/maintenance.ts'
import type { CheckedPlan } from '../../shared/domain/plan.ts'
import type { UpdateOptions } from '../../shared/domain/update.ts'
import { failedAfter, putObservation, putTimeline, useUpdates } from '../stores/updates.ts'
import { pacedReading } from './paced-reading.ts'
import { ask, listen, onResync } from './transport.ts'

/** A timeline is asked for again at most this often, however much happens. */
const LEAST_MS = 1000

/** Keeps the timeline of a run current for as long as it is looked at; answers how to stop. */
export function followTimeline(runId: string): () => void {
  const reading = pacedReading(async () => {
    const answer = await ask('update.timeline', { runId })
    if (answer.ok) putTimeline(runId, answer.value)
    else {
      useUpdates.setState(({ timelines }) => ({
        timelines: new Map(timelines).set(runId, failedAfter(timelines.get(runId), answer.failure)),
      }))
    }
  }, LEAST_MS)
  const stops = [
    listen('run.event', event => {
      if (event.runId === runId) reading.soon()
    }),
    onResync(reading.soon),
    reading.stop,
  ]
  return () => {
    for (const stop of stops) stop()
  }
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
