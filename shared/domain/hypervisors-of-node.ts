import { isSameMachine, recordsOf } from './machine-names.ts'
import type { Hypervisor } from './openstack.ts'

/** A bare machine of Ironic is a hypervisor to Nova: one nova-compute has many, and none is left over. */
const BARE_METAL = 'ironic'

/** The hypervisor records of a node. */
export interface NodeHypervisors {
  /** Those of its own nova-compute. */
  readonly own: readonly Hypervisor[]
  /** Those that bear a name of it under a nova-compute whose host bears none: no record of a service shows them. */
  readonly elsewhere: readonly Hypervisor[]
}

/** Every hypervisor record that fits a node. `host`: that of its nova-compute; `others`: names of other nodes. */
export function hypervisorsOf(
  names: readonly string[],
  host: string,
  all: readonly Hypervisor[],
  others: readonly string[],
): NodeHypervisors {
  const machines = all.filter(({ type }) => type !== BARE_METAL)
  const carriesName = (each: Hypervisor) => [host, ...names].some(name => isSameMachine(name, each.host))
  return {
    own: machines.filter(each => each.host === host),
    elsewhere: recordsOf(names, machines, ({ name }) => name, others).filter(
      each => !carriesName(each) && !others.some(name => isSameMachine(name, each.host)),
    ),
  }
}

/** Ids that a hypervisor counts and a list does not show; how many there are where Nova told the count alone. */
interface Uncounted {
  readonly instances: number
  readonly ids: readonly string[]
}

/** Ids of instances by a hypervisor's record. `moved`: those of them that are on another host by now. */
interface Held {
  readonly ids: readonly string[]
  readonly moved: ReadonlySet<string>
}

/**
 * What the records of a host count beyond the list of its instances; null: nothing. nova-compute's own count is old where it is down, and it counts
 * nothing that a list with instances could be held against: it says something only beside an empty list.
 */
export function countedBeyond(
  own: readonly Pick<Hypervisor, 'state' | 'instances'>[],
  held: Held,
  listed: ReadonlySet<string>,
): Uncounted | null {
  const ids = held.ids.filter(id => !listed.has(id) && !held.moved.has(id))
  if (ids.length > 0) return { instances: ids.length, ids }
  const counted = own.reduce((sum, { state, instances }) => sum + (state === 'up' ? instances : 0), 0)
  return listed.size === 0 && held.ids.length === 0 && counted > 0 ? { instances: counted, ids: [] } : null
}
