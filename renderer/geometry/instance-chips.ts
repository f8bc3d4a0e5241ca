import type { InstanceCounts } from '../../shared/domain/cluster-view.ts'

/** The fates that count a node's instances, in drawing order: what is moving first, what stays last. */
export const FATES = ['migrating', 'live_migrate', 'poweroff', 'notify', 'blocked', 'ignore'] as const
export type Fate = (typeof FATES)[number]

/** A chip of 8 px and its gap. */
const CHIP_PX = 11
const GAP_PX = 3
/** The width of `+123`. */
const MORE_PX = 30

/** The instances of a node as chips: as many as fit, and the number of the rest. */
export interface InstanceChips {
  readonly chips: readonly Fate[]
  /** Instances that left since the node began to be emptied. */
  readonly holes: number
  /** Instances that may come. */
  readonly ghosts: number
  /** Instances, holes and ghosts without a chip. */
  readonly more: number
}

/** The chips of a tile with this much room in this many rows. Instances that may come have priority over those already there. */
export function instanceChips(
  counts: InstanceCounts,
  left: number,
  widthPx: number,
  rows: number,
  coming = 0,
): InstanceChips {
  const all = FATES.flatMap(fate => Array.from({ length: counts[fate] }, () => fate))
  const aRow = Math.max(1, Math.floor((widthPx + GAP_PX) / CHIP_PX))
  const room = aRow * rows
  const whole = all.length + left + coming
  if (whole <= room) return { chips: all, holes: left, ghosts: coming, more: 0 }
  const drawn = Math.max(1, room - Math.ceil(MORE_PX / CHIP_PX))
  const ghosts = Math.min(coming, drawn)
  const chips = all.slice(0, drawn - ghosts)
  const holes = Math.min(left, drawn - ghosts - chips.length)
  return { chips, holes, ghosts, more: whole - chips.length - holes - ghosts }
}

/** Instances that must still leave a node: they move, or their owners act. */
export function yetToLeave(counts: InstanceCounts): number {
  return counts.migrating + counts.live_migrate + counts.notify + counts.blocked
}
