import { z } from 'zod'
import { namesOfNode, recordsOf } from './machine-names.ts'

/** What another program of the cluster does to a node. JSON and the journal carry the code. */
export const ForeignMaintenanceCode = z.enum([
  /** A NodeMaintenance of medik8s: its operator cordons the node and evicts its pods. */
  'NodeMaintenance',
  /** A Machine of Cluster API that is being deleted: its controller drains the node and removes the machine. */
  'MachineBeingDeleted',
  'MachineMarkedForDeletion',
  /** A Machine that somebody marked as unhealthy: a MachineHealthCheck replaces it. */
  'MachineMarkedForRemediation',
  /** A BareMetalHost of Metal3 that somebody asked to reboot, or keeps off that way. */
  'HostRebootAsked',
  'HostToBeOff',
])
export type ForeignMaintenanceCode = z.infer<typeof ForeignMaintenanceCode>

/** A maintenance of a node by another program of the cluster, as its object says. */
export const ForeignMaintenance = z.strictObject({
  node: z.string(),
  code: ForeignMaintenanceCode,
  /** The object that requests it: `name`, or `namespace/name`. */
  object: z.string(),
  /** Its author's reason; empty: not given. */
  reason: z.string(),
  /** How many more objects of this kind request it; absent: none. */
  more: z.number().int().positive().optional(),
})
export type ForeignMaintenance = z.infer<typeof ForeignMaintenance>

/** At most this many objects of one kind are named, because a program may write thousands; the others are counted. */
const MOST_NAMED = 3

/** The maintenances of one node, few of each kind; their objects may use its FQDN or its first label. */
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
