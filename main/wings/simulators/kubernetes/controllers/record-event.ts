import { randomBytes } from 'node:crypto'
import { createObject } from '../rest/create-object.ts'
import type { SimulatedCluster } from '../simulated-cluster.ts'
import { numberAt, textAt } from '../store/json.ts'
import type { StoredObject } from '../store/kubernetes-object.ts'
import { timestamp } from '../store/timestamp.ts'

interface EventNote {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  readonly component: string
}

const KEPT_EVENTS = 400

/** Records an Event about an object, counting repetitions as client-go's recorder does; only the newest 400 are kept. */
export function recordEvent(cluster: SimulatedCluster, object: StoredObject, note: EventNote): void {
  const type = cluster.catalog.builtIn('Event')
  const now = timestamp(cluster.clock.now())
  const namespace = object.metadata.namespace ?? 'default'
  const events = cluster.store.list('events', null)
  const same = events.find(
    event =>
      textAt(event, 'involvedObject', 'uid') === object.metadata.uid &&
      textAt(event, 'reason') === note.reason &&
      textAt(event, 'message') === note.message,
  )
  if (same !== undefined) {
    cluster.store.put('events', { ...same, count: (numberAt(same, 'count') ?? 1) + 1, lastTimestamp: now })
    return
  }
  createObject(cluster, {
    type,
    namespace,
    dryRun: false,
    object: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${object.metadata.name}.${randomBytes(8).toString('hex')}` },
      involvedObject: {
        apiVersion: object.apiVersion,
        kind: object.kind,
        ...(object.metadata.namespace === undefined ? {} : { namespace }),
        name: object.metadata.name,
        // Events about nodes carry the node's name as UID; `kubectl describe node` searches for it.
        uid: object.kind === 'Node' ? object.metadata.name : object.metadata.uid,
        resourceVersion: object.metadata.resourceVersion,
      },
      type: note.type,
      reason: note.reason,
      message: note.message,
      source: { component: note.component },
      reportingComponent: note.component,
      reportingInstance: '',
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    },
  })
  const surplus = events.length + 1 - KEPT_EVENTS
  if (surplus > 0) {
    const oldest = [...events].sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
    for (const event of oldest.slice(0, surplus)) cluster.store.remove('events', event)
  }
}
