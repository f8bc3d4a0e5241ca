import { z } from 'zod'
import { namesOfNode, recordsOf } from './machine-names.ts'

/** What another program of the cluster does to a node. JSON and the journal carry the code. */
export const ForeignMaintenanceCode = z.enum([
  /** medik8s: its operator cordons the node and evicts its pods. */
  'NodeMaintenance',
  /** Cluster API: its controller drains the node and removes the machine. */
  'MachineBeingDeleted',
  'MachineMarkedForDeletion',
  /** Somebody marked it as unhealthy: a MachineHealthCheck replaces it. */
  'MachineMarkedForRemediation',
  /** Metal3: somebody asked to reboot it, or keeps it off. */
  'HostRebootAsked',
  'HostToBeOff',
])
export type ForeignMaintenanceCode = z.infer<typeof ForeignMaintenanceCode>

export const ForeignMaintenance = z.strictObject({
  node: z.string(),
  code: ForeignMaintenanceCode,
  /** The object that requests it: `name`, or `namespace/name`. */
  object: z.string(),
  reason: z.string(),
  more: z.number().int().positive().optional(),
})
export type ForeignMaintenance = z.infer<typeof ForeignMaintenance>

/** A program may write thousands of objects: at most this many of a kind are named, the others counted. */
const MOST_NAMED = 3

const nameIn = ({ node }: ForeignMaintenance) => node

/** Few of each kind; their objects may use its FQDN or its first label. */
export function maintenancesOf(
  node: Parameters<typeof namesOfNode>[0],
  all: readonly ForeignMaintenance[],
  nodes: readonly { readonly name: string }[],
): readonly ForeignMaintenance[] {
  const names = namesOfNode(node)
  if (recordsOf(names, all, nameIn).length === 0) return []
  const others = nodes.map(({ name }) => name).filter(name => name !== node.name)
  const own = recordsOf(names, all, nameIn, others)
  return [...Map.groupBy(own, ({ code }) => code).values()].flatMap(ofKind => {
    const named = ofKind.toSorted((a, b) => (a.object < b.object ? -1 : 1)).slice(0, MOST_NAMED)
    const more = ofKind.length - named.length
    return named.map((each, at) => (more > 0 && at === MOST_NAMED - 1 ? { ...each, more } : each))
  })
}
