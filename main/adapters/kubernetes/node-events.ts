import type { EventOfNode } from '../../../shared/domain/node-detail.ts'
import type { Result } from '../../../shared/domain/result.ts'
import { ok } from '../../../shared/domain/result.ts'
import type { KubernetesObject } from './answers.ts'
import { Misfit, numberIn, objectIn, textIn } from './fields.ts'
import { listRead } from './list.ts'
import { readMetadata } from './read-metadata.ts'
import { EVENTS } from './resource-types.ts'
import type { KubernetesSession } from './session.ts'

/** What Kubernetes reported about a node lately, newest first (core/v1 events; servers keep them for an hour unless told otherwise). */
export async function listNodeEvents(
  session: KubernetesSession,
  node: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Result<readonly EventOfNode[]>> {
  const listed = await listRead(session, EVENTS, object => readEvent(object, node), {
    query: { fieldSelector: `involvedObject.kind=Node,involvedObject.name=${node}` },
    signal,
  })
  if (!listed.ok) return listed
  return ok(listed.value.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, limit))
}

/** Old reporters fill lastTimestamp and count, new ones eventTime and series. */
function readEvent(object: KubernetesObject, node: string): EventOfNode {
  const about = objectIn(object, 'involvedObject')
  if (about.kind !== 'Node' || about.name !== node) throw new Misfit(`it has events that are not of node ${node}`)
  const series = objectIn(object, 'series')
  const times = [
    textIn(series, 'lastObservedTime'),
    ...['lastTimestamp', 'eventTime', 'firstTimestamp'].map(field => textIn(object, field)),
  ]
  return {
    at: times.find(time => time !== '') ?? readMetadata(object).createdAt,
    type: textIn(object, 'type'),
    reason: textIn(object, 'reason'),
    message: textIn(object, 'message'),
    count: numberIn(series, 'count') || numberIn(object, 'count') || 1,
    source: textIn(objectIn(object, 'source'), 'component') || textIn(object, 'reportingComponent'),
  }
}
