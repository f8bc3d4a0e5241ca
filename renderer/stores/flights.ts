import type { InstanceView, ViewChange } from '../../shared/domain/cluster-view.ts'

interface InstanceFlight {
  readonly id: string
  readonly from: string
  readonly to: string
}

/** The instances that changed their host by these changes. An instance without a known host before or after is left out. */
export function flightsBy(
  before: ReadonlyMap<string, InstanceView>,
  changes: readonly ViewChange[],
): readonly InstanceFlight[] {
  const flights = new Map<string, InstanceFlight>()
  for (const change of changes) {
    if (change.kind === 'instance-gone') flights.delete(change.id)
    if (change.kind !== 'instance') continue
    const { id, node: to } = change.value
    const from = before.get(id)?.node ?? null
    if (from === null || to === null || from === to) flights.delete(id)
    else flights.set(id, { id, from, to })
  }
  return [...flights.values()]
}

type Listener = (cluster: string, flights: readonly InstanceFlight[]) => void

const listeners = new Set<Listener>()

/**
 * Reports instances at the moment they are seen on another host; returns a stop function. Nothing is kept: a flight ends in a
 * blink.
 */
export function onFlights(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function reportFlights(cluster: string, flights: readonly InstanceFlight[]): void {
  if (flights.length === 0) return
  for (const listener of listeners) listener(cluster, flights)
}
