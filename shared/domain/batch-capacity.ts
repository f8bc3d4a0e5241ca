import type { BatchCloud, BatchState } from './batch-cloud.ts'
import type { PlacementFacts } from './batch-facts.ts'
import type { CapacityDoubt, MoveRefusal } from './batch-findings.ts'
import { placeAgain, placeWhatGoes, takeOutAndPlace } from './batch-fit.ts'
import { type GroupInTheWay, groupInTheWay } from './batch-groups.ts'
import { BatchPlacement, type Belief } from './batch-placement.ts'
import type { BatchCapacity } from './batches.ts'
import { byName } from './destinations.ts'

export interface Witness {
  readonly instance: string
  readonly from: string
  readonly to: string
}

/** Whether the rest of the cloud has room for a batch. `doubts` has at least one entry. */
export type FoundCapacity =
  | Extract<BatchCapacity, { kind: 'fits' }>
  | {
      readonly kind: 'does-not-fit'
      readonly moving: number
      readonly instances: readonly {
        readonly id: string
        readonly name: string
        readonly host: string
        readonly refusal: MoveRefusal
      }[]
    }
  | { readonly kind: 'cannot-tell'; readonly moving: number; readonly doubts: readonly CapacityDoubt[] }

/** The finding about a batch, and the state of the cloud after it. */
interface CapacityVerdict {
  readonly capacity: FoundCapacity
  /** Where the search places each instance; in a batch that does not fit, only those that found a host. */
  readonly witness: readonly Witness[]
  readonly group: GroupInTheWay | null
  readonly next: BatchState
}

interface OpenBatch {
  /** Adds a host if its instances fit beside the others; else changes nothing. */
  readonly tryAdd: (host: string) => boolean
}

/** Doubts about every batch: without inventories or groups, only a batch that fits nowhere is certain. */
export function whyNothingIsSure({ providers, groups, instancesMissing }: PlacementFacts): readonly CapacityDoubt[] {
  return [
    ...(providers === null ? [{ code: 'InventoriesNotRead', values: {} } as const] : []),
    ...(groups === null ? [{ code: 'GroupsNotRead', values: {} } as const] : []),
    ...(instancesMissing.length > 0
      ? [{ code: 'InstancesMissing', values: { causes: instancesMissing } } as const]
      : []),
  ]
}

/** After this many refused hosts a new host must fit beside the existing placement: placing everything again is slow. */
const MOST_REPEATS = 10

export function openBatch(facts: PlacementFacts, cloud: BatchCloud, state: BatchState): OpenBatch {
  const placement = new BatchPlacement(cloud, state, beliefOf(facts))
  let refusals = 0
  return {
    tryAdd: host => {
      const at = cloud.hostAt.get(host)
      if (at === undefined || placement.out[at] === 1) return true
      if (takeOutAndPlace(placement, at, refusals < MOST_REPEATS) === 'placed') return true
      refusals += 1
      return false
    },
  }
}

export function judgeCapacity(
  facts: PlacementFacts,
  cloud: BatchCloud,
  state: BatchState,
  hosts: readonly string[],
): CapacityVerdict {
  const out = [...new Set(hosts)].sort(byName).flatMap(host => cloud.hostAt.get(host) ?? [])
  const placement = new BatchPlacement(cloud, state, beliefOf(facts))
  const unsure = whyNothingIsSure(facts)
  if (out.every(host => takeOutAndPlace(placement, host, true) === 'placed')) {
    return {
      capacity: fitting(placement, unsure),
      witness: witnessOf(placement, state),
      group: null,
      next: placement.after(),
    }
  }
  return judgeAtBest(facts, cloud, state, out)
}

/** For instances without a certain host. Without a possible one, they do not fit. */
function judgeAtBest(
  facts: PlacementFacts,
  cloud: BatchCloud,
  state: BatchState,
  out: readonly number[],
): CapacityVerdict {
  const placement = new BatchPlacement(cloud, state, 'at-best')
  for (const host of out) placement.takeOut(host)
  const group = groupInTheWay(placement)
  const outcome = placeAgain(placement)
  const unplaced = outcome === 'placed' ? [] : placeWhatGoes(placement)
  const moving = placement.movers.size
  const capacity: FoundCapacity = (() => {
    switch (outcome) {
      case 'placed': {
        const doubts = [...whyNothingIsSure(facts), ...doubtsOf(placement)]
        return doubts.length === 0 ? { kind: 'fits', moving } : { kind: 'cannot-tell', moving, doubts }
      }
      case 'not-found':
        return { kind: 'cannot-tell', moving, doubts: [{ code: 'NoPlacementFound', values: { moving } }] }
      case 'impossible':
        return { kind: 'does-not-fit', moving, instances: unplaced.map(mover => refused(placement, mover, state)) }
    }
  })()
  return { capacity, witness: witnessOf(placement, state), group, next: placement.after() }
}

function beliefOf(facts: PlacementFacts): Belief {
  return facts.providers === null || facts.groups === null ? 'at-best' : 'sure'
}

function fitting(placement: BatchPlacement, unsure: readonly CapacityDoubt[]): FoundCapacity {
  const moving = placement.movers.size
  const isSure = unsure.length === 0 || (moving === 0 && placement.out.every(out => out === 0))
  return isSure ? { kind: 'fits', moving } : { kind: 'cannot-tell', moving, doubts: unsure }
}

function doubtsOf(placement: BatchPlacement): readonly CapacityDoubt[] {
  const { cloud } = placement
  const movers = [...placement.movers].sort((a, b) => a - b)
  const hostOf = (mover: number) => cloud.hosts[placement.at[mover] ?? -1]
  const flavorless = movers.filter(mover => placement.instance(mover).needs === null)
  const astray = movers.filter(mover => {
    const { zone, zoneIsSure } = placement.instance(mover)
    return !zoneIsSure && hostOf(mover)?.zone !== zone
  })
  const unasked = movers.filter(mover => placement.instance(mover).only === 'not-read')
  const unknown = new Set(movers.flatMap(mover => (hostOf(mover)?.known === false ? [hostOf(mover)?.name ?? ''] : [])))
  return [
    ...(flavorless.length > 0 ? [{ code: 'FlavorNotTold', values: named(placement, flavorless) } as const] : []),
    ...(astray.length > 0 ? [{ code: 'ZonePinNotTold', values: named(placement, astray) } as const] : []),
    ...(unasked.length > 0 ? [{ code: 'TraitsNotAsked', values: named(placement, unasked) } as const] : []),
    ...(unknown.size > 0 ? [{ code: 'NoInventory', values: { hosts: [...unknown].sort(byName) } } as const] : []),
  ]
}

function refused(
  placement: BatchPlacement,
  mover: number,
  state: BatchState,
): Extract<FoundCapacity, { readonly kind: 'does-not-fit' }>['instances'][number] {
  const { instance } = placement.instance(mover)
  const host = placement.cloud.hosts[state.at[mover] ?? -1]?.name ?? instance.host ?? ''
  return { id: instance.id, name: instance.name, host, refusal: whyRefused(placement, mover) }
}

function whyRefused(placement: BatchPlacement, mover: number): MoveRefusal {
  const { zone: own, zoneIsSure, groups, instance } = placement.instance(mover)
  const staying = placement.reach(mover).filter(host => placement.out[host] !== 1)
  const zone = zoneIsSure ? own : null
  if (staying.length === 0) return { code: 'NoHostInService', values: { zone } }
  const allowed = placement.destinations(mover, true)
  if (allowed.length === 0) {
    if (groups.length === 0) return { code: 'NoHostHasWhatItAsks', values: { zone } }
    const named = groups.flatMap(group => placement.cloud.groups[group] ?? [])
    const together = named.find(group => !group.apart)
    return together === undefined
      ? { code: 'AntiAffinityRulesOut', values: { zone, groups: named.map(({ name }) => name) } }
      : { code: 'AffinityKeepsTogether', values: { group: together.name } }
  }
  const { flavor } = instance
  const needs = flavor === null ? null : { vcpus: flavor.vcpus, ramMib: flavor.ramMib }
  return { code: 'NoRoomLeft', values: { zone, hosts: allowed.length, needs } }
}

function witnessOf(placement: BatchPlacement, state: BatchState): readonly Witness[] {
  const { hosts } = placement.cloud
  return [...placement.movers].flatMap(mover => {
    const to = hosts[placement.at[mover] ?? -1]?.name
    const from = hosts[state.at[mover] ?? -1]?.name
    return to === undefined || from === undefined || to === from
      ? []
      : [{ instance: placement.instance(mover).instance.id, from, to }]
  })
}

const MOST_NAMED = 50

function named(placement: BatchPlacement, movers: readonly number[]) {
  const instances = movers.slice(0, MOST_NAMED).map(mover => placement.instance(mover).instance.name)
  return { instances, total: movers.length }
}
