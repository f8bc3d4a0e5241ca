import type { InstanceColumn } from '../../stores/instance-lists.ts'

/** Titles and widths of the columns. */
export const COLUMNS: Readonly<Record<InstanceColumn, { readonly title: string; readonly width: string }>> = {
  name: { title: 'Name', width: 'minmax(130px, 1.4fr)' },
  id: { title: 'Id', width: '92px' },
  project: { title: 'Project', width: 'minmax(80px, 0.7fr)' },
  node: { title: 'Node', width: 'minmax(90px, 0.8fr)' },
  zone: { title: 'Zone', width: '72px' },
  status: { title: 'Status', width: 'minmax(112px, 0.8fr)' },
  flavor: { title: 'Size', width: '190px' },
  action: { title: 'On maintenance', width: '118px' },
  source: { title: 'Decided by', width: '82px' },
  mark: { title: 'Mode', width: '142px' },
  warnings: { title: 'Warnings', width: 'minmax(90px, 1.4fr)' },
}

/** What a list that stands in a narrow panel shows. */
export const NARROW_COLUMNS: readonly InstanceColumn[] = ['name', 'status', 'action', 'mark']

/** The tracks of a row, the box to select it by first. */
export function tracksOf(columns: readonly InstanceColumn[]): string {
  return ['28px', ...columns.map(column => COLUMNS[column].width)].join(' ')
}
