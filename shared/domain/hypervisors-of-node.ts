import { isSameMachine, recordsOf } from './machine-names.ts'
import type { Hypervisor } from './openstack.ts'

/** Nova counts each bare machine of Ironic as a hypervisor: one nova-compute has many, and no record is a leftover. */
const BARE_METAL = 'ironic'

export interface NodeHypervisors {
  readonly own: readonly Hypervisor[]
  /** Under a nova-compute of another host: no service record shows them. */
  readonly elsewhere: readonly Hypervisor[]
}

/** `host`: of its nova-compute; `others`: names of other nodes. */
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

/** Counted by a hypervisor and missing from a list: their ids, or only their number. */
interface Uncounted {
  readonly instances: number
  readonly ids: readonly string[]
}

/** `moved`: those now on another host. */
interface Held {
  readonly ids: readonly string[]
  readonly moved: ReadonlySet<string>
}

/** What a host's records count beyond its list; null if there is nothing. Counts say something only beside an empty list, from a nova-compute that is up. */
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
