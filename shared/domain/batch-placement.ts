import { type BatchCloud, type BatchState, byHost, type CloudInstance, WIDTH } from './batch-cloud.ts'
import { must } from './must.ts'

/** `sure`: a host counts only if every fact is known and allows it. `at-best`: unknown facts allow it. */
export type Certainty = 'sure' | 'at-best'

/** Its index among the resources: memory decides where an instance goes, as in Nova's RAMWeigher. */
export const MEMORY = 2

/** Instances of a batch and their destinations while hosts are taken out one by one. Every change can be undone. */
export class BatchPlacement {
  readonly used: Float64Array
  /** Movers without a destination keep the host they leave. */
  readonly at: Int32Array
  readonly out: Uint8Array
  readonly movers = new Set<number>()
  readonly cloud: BatchCloud
  readonly certainty: Certainty
  private readonly start: Int32Array
  private readonly back: Uint8Array
  private readonly atHost: readonly (readonly number[])[]
  private readonly guests = new Map<number, Set<number>>()
  /** Null: in every zone. */
  private readonly inZone = new Map<string | null, readonly number[]>()

  constructor(cloud: BatchCloud, state: BatchState, certainty: Certainty) {
    this.cloud = cloud
    this.certainty = certainty
    this.used = state.used.slice()
    this.at = state.at.slice()
    this.start = state.at
    this.back = state.back
    this.out = new Uint8Array(cloud.hosts.length)
    this.atHost = state.atHost()
  }

  /** Returns the instances without a destination: the host's own movers, and guests placed on it. */
  takeOut(host: number): readonly number[] {
    this.out[host] = 1
    const { hostMode } = must(this.cloud.hosts[host], 'a host of the cloud')
    const own = (this.atHost[host] ?? []).filter(instance => this.instance(instance).moves(hostMode))
    const guests = [...(this.guests.get(host) ?? [])]
    for (const instance of guests) this.lift(instance)
    for (const instance of own) this.movers.add(instance)
    return [...own, ...guests]
  }

  /** Undoes `takeOut`; its instances must not be placed. */
  takeBackIn(host: number): void {
    this.out[host] = 0
    for (const instance of this.atHost[host] ?? []) this.movers.delete(instance)
  }

  put(instance: number, host: number): void {
    this.move(instance, host)
    const beside = this.guests.get(host)
    if (beside === undefined) this.guests.set(host, new Set([instance]))
    else beside.add(instance)
  }

  lift(instance: number): void {
    const host = must(this.at[instance], 'every instance has a place')
    const home = must(this.start[instance], 'every instance has a place')
    if (host === home) return
    this.guests.get(host)?.delete(instance)
    this.move(instance, home)
  }

  /** Hosts that the zone, the groups and, unless `roomless`, Placement's figures allow. */
  destinations(instance: number, roomless = false): readonly number[] {
    return this.reach(instance).filter(host => this.allows(instance, host, roomless))
  }

  /** The destination with the most or the least free memory; null if there is none. */
  choose(instance: number, wanted: 'most-free' | 'least-free'): number | null {
    const sign = wanted === 'most-free' ? -1 : 1
    const hosts = this.reach(instance)
    const { capacity } = this.cloud
    const needed = this.instance(instance).needs?.[MEMORY] ?? 0
    let best: number | null = null
    let least = Number.POSITIVE_INFINITY
    for (let at = 0; at < hosts.length; at += 1) {
      const host = hosts[at] ?? 0
      const slot = host * WIDTH + MEMORY
      // Cheap comparisons first: most hosts have too little memory, or do not beat the best so far.
      const free = (capacity[slot] ?? 0) - (this.used[slot] ?? 0)
      if (needed > 0 && free < needed) continue
      const weight = sign * free
      if ((best !== null && weight >= least) || !this.allows(instance, host, false)) continue
      best = host
      least = weight
    }
    return best
  }

  hasDestination(instance: number): boolean {
    return this.reach(instance).some(host => this.allows(instance, host, false))
  }

  private allows(instance: number, host: number, roomless: boolean): boolean {
    return (
      this.out[host] !== 1 &&
      this.hasSpecials(instance, host) &&
      (roomless || this.hasRoom(instance, host)) &&
      this.groupsAllow(instance, host)
    )
  }

  /** Hosts in its zone that take instances, including hosts of this batch. */
  reach(instance: number): readonly number[] {
    const { zone, zoneIsSure } = this.instance(instance)
    const asked = zone === null || (this.certainty === 'at-best' && !zoneIsSure) ? null : zone
    const before = this.inZone.get(asked)
    if (before !== undefined) return before
    const found = this.cloud.hosts.flatMap((host, at) =>
      (host.takes || (this.back[at] === 1 && host.takesWhenBack)) && (asked === null || host.zone === asked)
        ? [at]
        : [],
    )
    this.inZone.set(asked, found)
    return found
  }

  private hasSpecials(instance: number, host: number): boolean {
    const { only } = this.instance(instance)
    if (only === null) return true
    return only === 'not-read' ? this.certainty === 'at-best' : only.has(host)
  }

  groupsAllow(instance: number, host: number): boolean {
    for (const group of this.instance(instance).groups) {
      const { apart, maxPerHost, members } = must(this.cloud.groups[group], 'a group of the cloud')
      let beside = 0
      for (const member of members) {
        if (member === instance) continue
        if (apart) {
          if (this.at[member] === host) beside += 1
          // An affinity group moves only to its other members: two members that must leave wait for each other.
        } else if (this.start[member] !== host && this.start[member] !== -1) return false
      }
      if (beside >= maxPerHost) return false
    }
    return true
  }

  hasRoom(instance: number, host: number): boolean {
    const { needs } = this.instance(instance)
    if (this.certainty === 'sure' && (needs === null || this.cloud.hosts[host]?.known !== true)) return false
    if (needs === null) return true
    const { capacity } = this.cloud
    for (let n = 0; n < WIDTH; n += 1) {
      const need = needs[n] ?? 0
      const slot = host * WIDTH + n
      if (need > 0 && need + (this.used[slot] ?? 0) > (capacity[slot] ?? 0)) return false
    }
    return true
  }

  free(host: number, n: number): number {
    const slot = host * WIDTH + n
    return (this.cloud.capacity[slot] ?? 0) - (this.used[slot] ?? 0)
  }

  instance(at: number): CloudInstance {
    return must(this.cloud.instances[at], 'an instance of the cloud')
  }

  /** After the batch: movers are at their destinations, the hosts are back. */
  after(): BatchState {
    const atHost = byHost(this.at, this.cloud.hosts.length)
    return { at: this.at, atHost, used: this.used, back: this.back.map((was, host) => was || (this.out[host] ?? 0)) }
  }

  private move(instance: number, to: number): void {
    const from = this.at[instance] ?? -1
    const { needs } = this.instance(instance)
    if (needs !== null) {
      for (let n = 0; n < WIDTH; n += 1) {
        const need = needs[n] ?? 0
        if (from >= 0) this.used[from * WIDTH + n] = (this.used[from * WIDTH + n] ?? 0) - need
        if (to >= 0) this.used[to * WIDTH + n] = (this.used[to * WIDTH + n] ?? 0) + need
      }
    }
    this.at[instance] = to
  }
}
