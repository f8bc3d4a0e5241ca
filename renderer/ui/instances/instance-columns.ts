import type { InstanceColumn } from '../../stores/instance-lists.ts'

/** Titles of the columns, their least widths, and their shares of the remaining width. */
export const COLUMNS: Readonly<
  Record<InstanceColumn, { readonly title: string; readonly leastPx: number; readonly share: number }>
> = {
  name: { title: 'Name', leastPx: 96, share: 2.4 },
  id: { title: 'Id', leastPx: 84, share: 0 },
  project: { title: 'Project', leastPx: 76, share: 0.7 },
  node: { title: 'Node', leastPx: 76, share: 1 },
  zone: { title: 'Zone', leastPx: 52, share: 0.2 },
  status: { title: 'Status', leastPx: 88, share: 0.6 },
  flavor: { title: 'Size', leastPx: 196, share: 0.2 },
  action: { title: 'Maintenance', leastPx: 136, share: 0 },
  source: { title: 'Decided by', leastPx: 92, share: 0 },
  mark: { title: 'Mode', leastPx: 138, share: 0 },
  warnings: { title: 'Warnings', leastPx: 80, share: 1.4 },
}

type Room = 'narrow' | 'medium' | 'wide'

const BOX_PX = 20
const GAP_PX = 8
const PADDING_PX = 24
const NARROW_PX = 800
const WIDE_PX = 1200

/** The columns in a narrow panel. */
const NARROW: readonly InstanceColumn[] = ['name', 'action', 'mark', 'status']
const NOT_MEDIUM: ReadonlySet<InstanceColumn> = new Set(['id', 'source'])
const NONE: ReadonlySet<InstanceColumn> = new Set()

export function roomOf(widthPx: number): Room {
  return widthPx < NARROW_PX ? 'narrow' : widthPx < WIDE_PX ? 'medium' : 'wide'
}

/** The hidden columns: the operator's choice, else by the room. */
export function hiddenIn(room: Room, chosen: ReadonlySet<InstanceColumn> | null): ReadonlySet<InstanceColumn> {
  return chosen ?? (room === 'wide' ? NONE : NOT_MEDIUM)
}

export function columnsIn(
  room: Room,
  all: readonly InstanceColumn[],
  chosen: ReadonlySet<InstanceColumn> | null,
): readonly InstanceColumn[] {
  const hidden = hiddenIn(room, chosen)
  return room === 'narrow' ? NARROW : all.filter(column => !hidden.has(column))
}

/** The tracks of a row, with the box to select it first; the same for all rows. */
export function tracksOf(columns: readonly InstanceColumn[]): string {
  const tracks = columns.map(column => {
    const { leastPx, share } = COLUMNS[column]
    return share === 0 ? `${leastPx}px` : `minmax(${leastPx}px, ${share}fr)`
  })
  return [`${BOX_PX}px`, ...tracks].join(' ')
}

/** The width below which a list scrolls sideways. */
export function leastWidthPx(columns: readonly InstanceColumn[]): number {
  return columns.reduce((sum, column) => sum + COLUMNS[column].leastPx + GAP_PX, BOX_PX + PADDING_PX)
}
