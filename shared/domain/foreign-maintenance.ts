import { z } from 'zod'
import { namesOfNode, recordsOf } from './machine-names.ts'

/** What another program of the cluster does to a node. The code is the one that JSON and the journal carry. */
export const ForeignMaintenanceCode = z.enum([
  /** A NodeMaintenance of medik8s: its operator cordons the node and evicts its pods. */
  'NodeMaintenance',
  /** A Machine of Cluster API that is being deleted: its controller drains the node and removes the machine. */
  'MachineBeingDeleted',
  /** A Machine that somebody marked as the next to be deleted. */
  'MachineMarkedForDeletion',
  /** A Machine that somebody marked as unhealthy: a MachineHealthCheck replaces it. */
  'MachineMarkedForRemediation',
  /** A BareMetalHost of Metal3 that somebody asked to reboot, or keeps off by that. */
  'HostRebootAsked',
  /** A BareMetalHost that is to be off. */
  'HostToBeOff',
])
export type ForeignMaintenanceCode = z.infer<typeof ForeignMaintenanceCode>

/** A maintenance of a node by another program of the cluster, as the object says that asks for it. */
export const ForeignMaintenance = z.strictObject({
  node: z.string(),
  code: ForeignMaintenanceCode,
  /** The object that asks for it: `name`, or `namespace/name`. */
  object: z.string(),
  /** The reason that its author gave; empty: none. */
  reason: z.string(),
  /** How many more objects of this kind ask for the same; absent: none. */
  more: z.number().int().positive().optional(),
})
export type ForeignMaintenance = z.infer<typeof ForeignMaintenance>

/** So many objects of one kind are named; of a program that wrote thousands the others are counted. */
const MOST_NAMED = 3

/** Those about one node, few of each kind: what asks for them may know it by its FQDN, or by its first label. */
export function maintenancesOf(
  node: Parameters<typeof namesOfNode>[0],
  all: readonly ForeignMaintenance[],
  nodes: readonly { readonly name: string }[],
): readonly ForeignMaintenance[] {
  const others = nodes.map(({ name }) => name).filter(name => name !== node.name)
  const own = recordsOf(namesOfNode(node), all, ({ node: named }) => named, others)
  return [...Map.groupBy(own, ({ code }) => code).values()].flatMap(ofKind => {
    const named = ofKind.toSorted((a, b) => (a.object < b.object ? -1 : 1)).slice(0, MOST_NAMED)
    const more = ofKind.length - named.length
    return named.map((each, at) => (more > 0 && at === MOST_NAMED - 1 ? { ...each, more } : each))
  })
}
