import type { PlacementFacts } from './batch-facts.ts'
import { byName, capacityOf, needsOf, providersOf, RESOURCES, zoneOf } from './destinations.ts'
import { instancePolicy } from './instance-policy.ts'
import type { Instance } from './openstack.ts'

export const WIDTH = RESOURCES.length

/** A cloud as arrays of numbers, because the search places thousands of instances many times. Hosts and instances are indexes. */
export interface BatchCloud {
  readonly hosts: readonly CloudHost[]
  readonly hostAt: ReadonlyMap<string, number>
  readonly instances: readonly CloudInstance[]
  readonly groups: readonly CloudGroup[]
  /** Placement's capacity, {@link WIDTH} numbers for each host. */
  readonly capacity: Float64Array
}

interface CloudHost {
  readonly name: string
  readonly zone: string | null
  readonly takes: boolean
  readonly takesWhenBack: boolean
  readonly known: boolean
  readonly hostMode: string | null
}

export interface CloudInstance {
  readonly instance: Instance
  /** Null if its flavor is unknown. */
  readonly needs: readonly number[] | null
  readonly zone: string | null
  readonly zoneIsSure: boolean
  readonly groups: readonly number[]
  /** The only hosts that meet its special requirements; null if it has none. */
  readonly only: ReadonlySet<number> | 'not-read' | null
  /** Whether it moves when its host, with this migration mode, goes into maintenance. */
  readonly moves: (hostMode: string | null) => boolean
}

interface CloudGroup {
  readonly name: string
  readonly apart: boolean
  /** How many members of an anti-affinity group a host may have. */
  readonly maxPerHost: number
  readonly members: readonly number[]
}

/** Where everything is at one point of the plan; passed from batch to batch. */
export interface BatchState {
  /** Host of every instance; -1: no host. */
  readonly at: Int32Array
  readonly atHost: () => readonly (readonly number[])[]
  readonly used: Float64Array
  readonly back: Uint8Array
}

/** Null if hosts or instances are unknown. */
export function layOut(facts: PlacementFacts): BatchCloud | null {
  if (facts.hosts === null || facts.instances === null) return null
  const modes = new Map(facts.nodes.flatMap(node => (node.host === null ? [] : [[node.host, node.hostMode] as const])))
  const sorted = [...facts.hosts].sort((a, b) => byName(a.name, b.name))
  const providers = providersOf(
    sorted.map(({ name }) => name),
    facts.providers ?? [],
  )
  const capacity = new Float64Array(sorted.length * WIDTH)
  const hosts = sorted.map((host, at): CloudHost => {
    const provider = providers.get(host.name)
    RESOURCES.forEach((resource, n) => {
      capacity[at * WIDTH + n] = provider === undefined ? Number.POSITIVE_INFINITY : capacityOf(provider, resource)
    })
    return { ...host, known: provider !== undefined, hostMode: modes.get(host.name) ?? null }
  })
  const hostAt = new Map(hosts.map(({ name }, at) => [name, at]))
  const listed = [...facts.instances].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  const instanceAt = new Map(listed.map(({ id }, at) => [id, at]))
  const groups = [...(facts.groups ?? [])]
    .filter(({ policy }) => policy === 'anti-affinity' || policy === 'affinity')
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(
      ({ name, policy, maxPerHost, memberIds }): CloudGroup => ({
        name,
        apart: policy === 'anti-affinity',
        maxPerHost: maxPerHost ?? 1,
        members: memberIds.flatMap(id => instanceAt.get(id) ?? []).sort((a, b) => a - b),
      }),
    )
  const groupsOf = new Map<number, number[]>()
  groups.forEach(({ members }, group) => {
    for (const member of members) groupsOf.set(member, [...(groupsOf.get(member) ?? []), group])
  })
  const instances = listed.map((instance, at): CloudInstance => {
    const needs = needsOf(instance)
    const home = instance.host === null ? undefined : hosts[hostAt.get(instance.host) ?? -1]
    const { zone, sure } = zoneOf(instance, home?.zone ?? null)
    return {
      instance,
      needs: needs === null ? null : RESOURCES.map(resource => needs[resource]),
      zone,
      zoneIsSure: sure || zone === null,
      groups: groupsOf.get(at) ?? [],
      only: onlyOf(facts.only?.get(instance.id), hostAt),
      moves: facts.moving === undefined ? movesBy(instance) : () => facts.moving?.has(instance.id) === true,
    }
  })
  return { hosts, hostAt, instances, groups, capacity }
}

export function firstState(facts: PlacementFacts, cloud: BatchCloud): BatchState {
  const used = new Float64Array(cloud.capacity.length)
  for (const [host, provider] of providersOf([...cloud.hostAt.keys()], facts.providers ?? [])) {
    const at = cloud.hostAt.get(host)
    if (at === undefined) continue
    RESOURCES.forEach((resource, n) => {
      used[at * WIDTH + n] = provider.usages[resource] ?? 0
    })
  }
  const at = Int32Array.from(cloud.instances, ({ instance }) =>
    instance.host === null ? -1 : (cloud.hostAt.get(instance.host) ?? -1),
  )
  return {
    at,
    atHost: byHost(at, cloud.hosts.length),
    used,
    back: new Uint8Array(cloud.hosts.length),
  }
}

/** Computed on first use: most judged batches have no batch after them. */
export function byHost(at: Int32Array, hosts: number): () => readonly (readonly number[])[] {
  let known: readonly (readonly number[])[] | null = null
  return () => {
    if (known !== null) return known
    const lists: number[][] = Array.from({ length: hosts }, () => [])
    for (let instance = 0; instance < at.length; instance += 1) lists[at[instance] ?? -1]?.push(instance)
    known = lists
    return lists
  }
}

function onlyOf(
  names: ReadonlySet<string> | 'not-read' | undefined,
  hostAt: ReadonlyMap<string, number>,
): CloudInstance['only'] {
  if (names === undefined) return null
  return names === 'not-read' ? names : new Set([...names].flatMap(name => hostAt.get(name) ?? []))
}

/** By the owner's tag, the instance's state and the host's mode, each mode evaluated once. */
function movesBy(instance: Instance): (hostMode: string | null) => boolean {
  const known = new Map<string | null, boolean>()
  return hostMode => {
    const before = known.get(hostMode)
    if (before !== undefined) return before
    const moves = instancePolicy({ ...instance, hostMode }).action === 'live_migrate'
    known.set(hostMode, moves)
    return moves
  }
}
