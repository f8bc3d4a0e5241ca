import { z } from 'zod'
import { ClusterView, ViewChange } from '../domain/cluster-view.ts'
import { Failure } from '../domain/failure.ts'

/** A live picture of one cluster: a snapshot, then numbered patches (docs/style.md G14). */
export const viewRequests = {
  /**
   * Answers at once when the view of this cluster is already kept; the last few clusters' are. A patch whose `fromSeq` is not the
   * number one has means that something was missed: open again.
   */
  'view.open': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string() }),
    output: z.strictObject({ view: ClusterView, seq: z.number().int() }),
  },
} as const

export const viewEvents = {
  /** What changed between two numbers; sent to every listener, whichever cluster it draws. At most 10 a second a cluster. */
  'view.patch': z.strictObject({
    cluster: z.string(),
    fromSeq: z.number().int(),
    toSeq: z.number().int(),
    changes: z.array(ViewChange),
  }),
  /** The view is no longer kept: others took its place, or its cluster was changed or removed. Open it again to go on. */
  'view.ended': z.strictObject({ cluster: z.string(), failure: Failure.nullable() }),
} as const
