import type { EventOfNode } from '../../shared/domain/node-detail.ts'
import type { Result } from '../../shared/domain/result.ts'
import { ok } from '../../shared/domain/result.ts'
import { listRead } from './list.ts'
import { type RawObject, rawNumber, rawObject, rawText } from './raw.ts'
import { readMetadata } from './read-metadata.ts'
import type { KubernetesSession } from './session.ts'

/** What Kubernetes reported about a node lately, newest first (core/v1 events; servers keep them for an hour unless told otherwise). */
export async function listNodeEvents(
  session: KubernetesSession,
  node: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Result<readonly EventOfNode[]>> {
  const listed = await listRead(session, '/api/v1/events', readEvent, {
    query: { fieldSelector: `involvedObject.kind=Node,involvedObject.name=${node}` },
    signal,
  })
  if (!listed.ok) return listed
  return ok(listed.value.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, limit))
}

/** Old reporters fill lastTimestamp and count, new ones eventTime and series. */
function readEvent(object: RawObject): EventOfNode {
  const series = rawObject(object.series)
  const times = [series.lastObservedTime, object.lastTimestamp, object.eventTime, object.firstTimestamp]
  return {
    at: times.map(rawText).find(time => time !== '') ?? readMetadata(object).createdAt,
    type: rawText(object.type),
    reason: rawText(object.reason),
    message: rawText(object.message),
    count: rawNumber(series.count) || rawNumber(object.count) || 1,
    source: rawText(rawObject(object.source).component) || rawText(object.reportingComponent),
  }
}
