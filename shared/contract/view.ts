import { z } from 'zod'
import { ClusterView, InstanceView, ViewChange } from '../domain/cluster-view.ts'
import { Failure } from '../domain/failure.ts'

/** A live picture of one cluster: a snapshot, then numbered patches (docs/style.md G14). */
export const viewRequests = {
  /** Quick once it was opened. A patch with an unexpected `fromSeq` means that one was missed: open again. */
  'view.open': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string() }),
    output: z.strictObject({ view: ClusterView, seq: z.number().int(), more: z.string().optional() }),
  },
  /** The next instances of an open view; `more` as in the answer before. Absent in the last answer: until then nobody knows which are missing. */
  'view.instances': {
    effect: 'read',
    input: z.strictObject({ cluster: z.string(), more: z.string() }),
    output: z.strictObject({ instances: z.array(InstanceView), seq: z.number().int(), more: z.string().optional() }),
  },
  /** The clouds that a visible page shows, several times a minute: the others are read less often. */
  'view.shown': {
    effect: 'read',
    input: z.strictObject({ clusters: z.array(z.string()) }),
    output: z.null(),
  },
} as const

export const viewEvents = {
  /** Sent to every listener, for any cluster, at most 10 a second per cluster. */
  'view.patch': z.strictObject({
    cluster: z.string(),
    fromSeq: z.number().int(),
    toSeq: z.number().int(),
    changes: z.array(ViewChange),
  }),
  /** The console keeps this view no longer: open it again to continue. */
  'view.ended': z.strictObject({ cluster: z.string(), failure: Failure.nullable() }),
} as const
