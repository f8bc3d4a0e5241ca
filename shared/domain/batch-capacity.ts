import { memoryWords } from '../grammar/bytes.ts'
import { counted } from '../grammar/counts.ts'
import type { BatchCloud, BatchState } from './batch-cloud.ts'
import { placeAnew, placeWhatGoes, takeOutAndPlace } from './batch-fit.ts'
import type { PlacementGround } from './batch-ground.ts'
import { type GroupInTheWay, groupInTheWay } from './batch-groups.ts'
import { BatchPlacement, type Belief } from './batch-placement.ts'
import type { BatchCapacity } from './batches.ts'
import { byName } from './destinations.ts'

/** Where an instance would go. */
export interface Witness {
  readonly instance: string
  readonly from: string
  readonly to: string
}

/** What is to be said of a batch's instances, and how the cloud stands after it. */
interface CapacityVerdict {
  readonly capacity: BatchCapacity
  /** The placement that was found; of a batch that does not fit, of those that found a place. */
  readonly witness: readonly Witness[]
  readonly group: GroupInTheWay | null
  readonly next: BatchState
}

/** A batch while hosts are added to it one by one. */
interface OpenBatch {
  /** Adds a host when its instances find a place beside those of the others; else everything stays as it was. */
  readonly tryAdd: (host: string) => boolean
}

/**
 * What holds for all batches of a reading: with inventories or groups unread nothing is sure, and only what does not fit at best can be told.
 */
export function whyNothingIsSure(ground: PlacementGround): string | null {
  const reasons = [
    ...(ground.providers === null ? ["Placement's inventories could not be read"] : []),
    ...(ground.groups === null ? ['server groups could not be read'] : []),
    ...(ground.instancesMissing.length > 0
      ? [`Nova left instances out of its list: ${ground.instancesMissing.join('; ')}`]
      : []),
  ]
  return reasons.length === 0 ? null : reasons.join('; ')
}

/** After so many hosts that were refused, others join a batch only beside what is placed already: placing all anew takes its time. */
const MOST_ANEW = 10

/** Begins a batch in this state. */
export function openBatch(ground: PlacementGround, cloud: BatchCloud, state: BatchState): OpenBatch {
  const placement = new BatchPlacement(cloud, state, beliefOf(ground))
  let refusals = 0
  return {
    tryAdd: host => {
      const at = cloud.hostAt.get(host)
      if (at === undefined || placement.out[at] === 1) return true
      if (takeOutAndPlace(placement, at, refusals < MOST_ANEW) === 'placed') return true
      refusals += 1
      return false
    },
  }
}

/** Judges a batch of these hosts in this state. */
export function judgeCapacity(
  ground: PlacementGround,
  cloud: BatchCloud,
  state: BatchState,
  hosts: readonly string[],
): CapacityVerdict {
  const out = [...new Set(hosts)].sort(byName).flatMap(host => cloud.hostAt.get(host) ?? [])
  const placement = new BatchPlacement(cloud, state, beliefOf(ground))
  const unsure = whyNothingIsSure(ground)
  if (out.every(host => takeOutAndPlace(placement, host, true) === 'placed')) {
    return {
      capacity: fitting(placement, unsure),
      witness: witnessOf(placement, state),
      group: null,
      next: placement.after(),
    }
  }
  return judgeAtBest(ground, cloud, state, out)
}

/** Instances that find no sure place are tried on possible ones: only those that find none even then do not fit. */
function judgeAtBest(
  ground: PlacementGround,
  cloud: BatchCloud,
  state: BatchState,
  out: readonly number[],
): CapacityVerdict {
  const placement = new BatchPlacement(cloud, state, 'at-best')
  for (const host of out) placement.takeOut(host)
  const group = groupInTheWay(placement)
  const outcome = placeAnew(placement)
  const unplaced = outcome === 'placed' ? [] : placeWhatGoes(placement)
  const moving = placement.movers.size
  const capacity: BatchCapacity = (() => {
    switch (outcome) {
      case 'placed': {
        const doubts = doubtsOf(placement)
        const why = [whyNothingIsSure(ground), ...doubts].filter(each => each !== null).join('; ')
        return why === '' ? { kind: 'fits', moving } : { kind: 'cannot-tell', moving, why: `${why}.` }
      }
      case 'not-found': {
        const why = `No way was found to place ${counted(moving, 'instance')} on the hosts that stay, and that there is none could not be proved.`
        return { kind: 'cannot-tell', moving, why }
      }
      case 'impossible':
        return { kind: 'does-not-fit', moving, instances: unplaced.map(mover => refused(placement, mover, state)) }
    }
  })()
  return { capacity, witness: witnessOf(placement, state), group, next: placement.after() }
}

function beliefOf(ground: PlacementGround): Belief {
  return ground.providers === null || ground.groups === null ? 'at-best' : 'sure'
}

function fitting(placement: BatchPlacement, unsure: string | null): BatchCapacity {
  const moving = placement.movers.size
  if (moving === 0 && (unsure === null || placement.out.every(out => out === 0))) return { kind: 'fits', moving }
  return unsure === null ? { kind: 'fits', moving } : { kind: 'cannot-tell', moving, why: `${unsure}.` }
}

/** What a placement at best leans on without knowing it. */
function doubtsOf(placement: BatchPlacement): readonly string[] {
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
    ...(flavorless.length > 0 ? [`Nova does not tell the flavor of ${names(placement, flavorless)}`] : []),
    ...(astray.length > 0
      ? [
          `${names(placement, astray)} would find room only in another zone, and Nova does not tell whether ${astray.length === 1 ? 'it is' : 'they are'} pinned to ${astray.length === 1 ? 'its' : 'their'} own`,
        ]
      : []),
    ...(unasked.length > 0
      ? [`Placement could not be asked which hosts have what ${names(placement, unasked)} asks by traits and resources`]
      : []),
    ...(unknown.size > 0 ? [`Placement has no inventory of ${[...unknown].sort(byName).join(', ')}`] : []),
  ]
}

function refused(
  placement: BatchPlacement,
  mover: number,
  state: BatchState,
): Extract<BatchCapacity, { readonly kind: 'does-not-fit' }>['instances'][number] {
  const { instance } = placement.instance(mover)
  const host = placement.cloud.hosts[state.at[mover] ?? -1]?.name ?? instance.host ?? ''
  return { id: instance.id, name: instance.name, host, why: whyRefused(placement, mover) }
}

function whyRefused(placement: BatchPlacement, mover: number): string {
  const { zone, zoneIsSure, groups, instance } = placement.instance(mover)
  const staying = placement.reach(mover).filter(host => placement.out[host] !== 1)
  const where = zone === null || !zoneIsSure ? '' : ` of zone ${zone}`
  if (staying.length === 0) return `No other compute host${where} is enabled and up during this batch.`
  const allowed = placement.destinations(mover, true)
  if (allowed.length === 0) {
    if (groups.length === 0) return `No host${where} that stays has what it asks of Placement.`
    const named = groups.map(group => placement.cloud.groups[group])
    const together = named.find(group => group?.apart === false)
    return together === undefined
      ? `Its anti-affinity group ${named.map(group => group?.name).join(', ')} rules out every host${where} that stays.`
      : `Its affinity group ${together.name} keeps it with its other members; Nova moves none of them alone.`
  }
  const needs =
    instance.flavor === null
      ? ''
      : ` (${instance.flavor.vcpus} vCPUs, ${memoryWords(instance.flavor.ramMib)} of memory)`
  return `There is no room${needs} left for it on the ${counted(allowed.length, 'host')}${where} it may go to, beside what else moves.`
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

function names(placement: BatchPlacement, movers: readonly number[]): string {
  const first = movers.slice(0, 3).map(mover => placement.instance(mover).instance.name)
  return movers.length > 3 ? `${first.join(', ')} and ${movers.length - 3} more` : first.join(', ')
}
