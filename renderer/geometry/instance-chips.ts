import type { InstanceCounts } from '../../shared/domain/cluster-view.ts'

/** The fates that count a node's instances, in drawing order: what is moving first, what stays last. */
export const FATES = ['migrating', 'live_migrate', 'poweroff', 'notify', 'blocked', 'ignore'] as const
export type Fate = (typeof FATES)[number]

/** A mark of 12 px and its gap. */
const MARK_PX = 16
const GAP_PX = 4
/** The width of `+123`. */
const MORE_PX = 32

/** How many marks fit into this width and height; with more, the last place says how many are left. */
export function marksWithin(all: number, widthPx: number, heightPx: number): number {
  const aRow = Math.max(1, Math.floor((widthPx + GAP_PX) / MARK_PX))
  const room = aRow * Math.max(1, Math.floor((heightPx + GAP_PX) / MARK_PX))
  return all <= room ? all : Math.max(1, room - Math.ceil(MORE_PX / MARK_PX))
}

/** A name in the typeface of names, and its mark. */
const NAME_PX = 92
const MOST_COLUMNS = 4
const NAME_ROW_PX = 21
/** Large cards have larger names. */
const LARGE_PX = 270
const LARGE_NAME_PX = 112
const LARGE_ROW_PX = 24

/** The columns of a card, and how many names it has; with more, the last place says how many are left. */
export function namesWithin(
  all: number,
  widthPx: number,
  heightPx: number,
): { readonly columns: number; readonly names: number; readonly rowPx: number } {
  const large = widthPx >= LARGE_PX
  const rowPx = large ? LARGE_ROW_PX : NAME_ROW_PX
  const rows = Math.max(1, Math.floor(heightPx / rowPx))
  const most = Math.min(MOST_COLUMNS, Math.max(1, Math.floor(widthPx / (large ? LARGE_NAME_PX : NAME_PX))))
  const columns = Math.min(most, Math.max(2, Math.ceil(all / rows)))
  return { columns, names: linesWithin(all, columns * rows), rowPx }
}

/** How many of these fit; the last place says how many are left. */
export function linesWithin(all: number, room: number): number {
  return all <= room ? all : Math.max(0, room - 1)
}

/** Instances that must still leave a node: they move, or their owners act. */
export function yetToLeave(counts: InstanceCounts): number {
  return counts.migrating + counts.live_migrate + counts.notify + counts.blocked
}
