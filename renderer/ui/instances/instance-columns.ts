import { INSTANCE_COLUMNS, type InstanceColumn } from '../../stores/instance-lists.ts'

/** Titles of the columns, their least widths, and their shares of the remaining width. */
export const COLUMNS: Readonly<
  Record<InstanceColumn, { readonly title: string; readonly leastPx: number; readonly share: number }>
> = {
  name: { title: 'Instance', leastPx: 96, share: 1.6 },
  action: { title: 'If its node goes out', leastPx: 140, share: 0.4 },
  mark: { title: 'Mode', leastPx: 186, share: 0 },
  node: { title: 'Node', leastPx: 80, share: 0.8 },
  status: { title: 'Status', leastPx: 80, share: 0.4 },
  flavor: { title: 'Size', leastPx: 120, share: 0.4 },
  project: { title: 'Project', leastPx: 76, share: 0.6 },
  zone: { title: 'Zone', leastPx: 52, share: 0.2 },
  id: { title: 'Id', leastPx: 84, share: 0 },
  notes: { title: 'Notes', leastPx: 96, share: 2 },
}

const BOX_PX = 20
const GAP_PX = 12
/** The width of a row's padding and the scrollbar beside it. */
const PADDING_PX = 40
/** Below this width a list is a narrow panel. */
export const NARROW_PX = 720

/** What every list shows; where there is room, the next columns in this order follow. Without its column, what happens is below the name. */
const ALWAYS: readonly InstanceColumn[] = ['name', 'mark']
const BY_WEIGHT: readonly InstanceColumn[] = ['action', 'notes', 'node', 'status', 'flavor', 'project', 'zone', 'id']

/** Columns that say nothing in this list. */
type Empty = ReadonlySet<InstanceColumn>

/** The hidden columns: the operator's choice, else what has no room or says nothing. */
export function hiddenIn(widthPx: number, empty: Empty, chosen: Empty | null): Empty {
  if (widthPx < NARROW_PX || chosen === null) {
    const shown = [...ALWAYS]
    for (const column of BY_WEIGHT) {
      if (empty.has(column)) continue
      if (leastWidthPx([...shown, column]) > widthPx) break
      shown.push(column)
    }
    return new Set(INSTANCE_COLUMNS.filter(column => !shown.includes(column)))
  }
  return chosen
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
