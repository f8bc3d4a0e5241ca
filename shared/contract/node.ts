import { z } from 'zod'
import { InstanceSummary, NodeSummary } from '../domain/node-summary.ts'

export const nodeRequests = {
  'node.list': {
    input: z.strictObject({ cluster: z.string() }),
    /** `unreachable` says, in words, what could not be asked. */
    output: z.strictObject({ nodes: z.array(NodeSummary), readAt: z.string(), unreachable: z.array(z.string()) }),
  },
  'instance.list': {
    input: z.strictObject({ cluster: z.string(), node: z.string().nullable() }),
    output: z.strictObject({
      instances: z.array(InstanceSummary),
      readAt: z.string(),
      unreachable: z.array(z.string()),
    }),
  },
} as const
