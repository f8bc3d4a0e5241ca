import { z } from 'zod'
import { Failure } from './failure.ts'
import { drainedPod } from './step-answers.ts'

/** A part that is read separately: the value, or why it is missing. */
function section<T extends z.ZodType>(value: T) {
  return z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), value }),
    z.strictObject({ ok: z.literal(false), failure: Failure }),
  ])
}

export const PodOfNode = z.strictObject({
  ...drainedPod,
  phase: z.string(),
  ready: z.boolean(),
  /** `DaemonSet/nova-compute-default`; null if nothing would recreate the pod. */
  controller: z.string().nullable(),
  claims: z.array(z.string()),
  emptyDirs: z.array(z.string()),
  createdAt: z.string(),
})
export type PodOfNode = z.infer<typeof PodOfNode>

export const ServiceOfNode = z.strictObject({
  kind: z.enum(['compute', 'network']),
  binary: z.string(),
  host: z.string(),
  enabled: z.boolean(),
  up: z.boolean(),
  disabledReason: z.string().nullable(),
  lastSeenAt: z.string().nullable(),
})
export type ServiceOfNode = z.infer<typeof ServiceOfNode>

export const EventOfNode = z.strictObject({
  at: z.string(),
  type: z.string(),
  reason: z.string(),
  message: z.string(),
  count: z.number().int(),
  source: z.string(),
})
export type EventOfNode = z.infer<typeof EventOfNode>

/** What the node panel shows beyond the view, each part read on request. */
export const NodeDetail = z.strictObject({
  cluster: z.string(),
  node: z.string(),
  readAt: z.string(),
  labels: z.record(z.string(), z.string()),
  pods: section(z.array(PodOfNode)),
  services: section(z.array(ServiceOfNode)),
  events: section(z.array(EventOfNode)),
})
export type NodeDetail = z.infer<typeof NodeDetail>
