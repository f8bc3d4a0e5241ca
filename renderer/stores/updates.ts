import { create } from 'zustand'
import type { ControllersStatus, UpdateObservation } from '../../shared/contract/maintenance.ts'
import type { Failure } from '../../shared/domain/failure.ts'
import { isSameJson } from '../../shared/domain/is-same-json.ts'
import type { DefinitionStatus } from '../../shared/domain/maintenance-api.ts'
import type { NodeLane, UpdateTimeline } from '../../shared/domain/update.ts'

/** An answer of main. A later failure keeps the earlier value, to be drawn as old. */
export type Asked<T> =
  | { readonly kind: 'reading' }
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly last: T | null }

interface UpdateStore {
  /** Timelines of opened runs, by run. */
  readonly timelines: ReadonlyMap<string, Asked<UpdateTimeline>>
  /** The outside view of each cluster's update, by cluster. */
  readonly observations: ReadonlyMap<string, Asked<UpdateObservation>>
  /** Lockkeeper's own controllers, by cluster. */
  readonly controllers: ReadonlyMap<string, Asked<ControllersStatus>>
  /** The definitions of the node maintenance API, by cluster. */
  readonly definitions: ReadonlyMap<string, Asked<readonly DefinitionStatus[]>>
}

/** Updates of clusters and their controllers; only renderer/bridge (updates, controllers, definitions) writes them. */
export const useUpdates = create<UpdateStore>()(() => ({
  timelines: new Map(),
  observations: new Map(),
  controllers: new Map(),
  definitions: new Map(),
}))

/** The last value, however old; null before the first answer. */
export function lastRead<T>(asked: Asked<T> | undefined): T | null {
  if (asked === undefined || asked.kind === 'reading') return null
  return asked.kind === 'read' ? asked.value : asked.last
}

/** The state after a failure, which keeps the earlier value. */
export function failedAfter<T>(before: Asked<T> | undefined, failure: Failure): Asked<T> {
  return { kind: 'failed', failure, last: lastRead(before) }
}

/** Stores a run's timeline. Unchanged lanes keep their identity, so that they are not drawn again. */
export function putTimeline(runId: string, timeline: UpdateTimeline): void {
  useUpdates.setState(({ timelines }) => {
    const before = lastRead(timelines.get(runId))
    return { timelines: new Map(timelines).set(runId, { kind: 'read', value: withSameLanes(before, timeline) }) }
  })
}

export function putObservation(observation: UpdateObservation): void {
  useUpdates.setState(({ observations }) => {
    const before = lastRead(observations.get(observation.cluster))?.timeline ?? null
    const timeline = observation.timeline === null ? null : withSameLanes(before, observation.timeline)
    return {
      observations: new Map(observations).set(observation.cluster, {
        kind: 'read',
        value: { ...observation, timeline },
      }),
    }
  })
}

/** The new timeline with the old lane objects wherever they are equal. */
export function withSameLanes(before: UpdateTimeline | null, after: UpdateTimeline): UpdateTimeline {
  if (before === null) return after
  const known = new Map(before.lanes.map(lane => [lane.node, lane]))
  return { ...after, lanes: after.lanes.map(lane => sameLane(known.get(lane.node), lane)) }
}

function sameLane(before: NodeLane | undefined, after: NodeLane): NodeLane {
  return before !== undefined && isSameJson(before, after) ? before : after
}
