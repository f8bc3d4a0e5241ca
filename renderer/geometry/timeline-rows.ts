import type { UpdateTimeline } from '../../shared/domain/update.ts'
import type { TimelineRow } from './timeline-layout.ts'

/** The key of the row of the whole cloud among the names of nodes. */
export const CLOUD_ROW = ''

/** A row on screen: also the whole cloud, which comes first, and the steps of an open row below it. */
export type ScreenRow =
  | TimelineRow
  | { readonly kind: 'cloud'; readonly y: number; readonly height: number }
  | { readonly kind: 'steps'; readonly of: string; readonly y: number; readonly height: number }

interface Opened {
  /** Names of nodes, and CLOUD_ROW. */
  readonly open: ReadonlySet<string>
  /** The measured heights of their steps. */
  readonly heights: ReadonlyMap<string, number>
}

/** Before its steps are measured. */
const UNMEASURED_PX = 120

/** The rows of a timeline with the whole cloud first, and with the steps of what is open. */
export function screenRows(
  rows: readonly TimelineRow[],
  lanes: UpdateTimeline['lanes'],
  hasCloud: boolean,
  lanePx: number,
  { open, heights }: Opened,
): readonly ScreenRow[] {
  const placed: ScreenRow[] = []
  let y = 0
  const put = (row: ScreenRow) => {
    placed.push({ ...row, y })
    y += row.height
  }
  const putSteps = (of: string) => {
    if (open.has(of)) put({ kind: 'steps', of, y, height: heights.get(of) ?? UNMEASURED_PX })
  }
  if (hasCloud) {
    put({ kind: 'cloud', y, height: lanePx })
    putSteps(CLOUD_ROW)
  }
  for (const row of rows) {
    put(row)
    if (row.kind === 'lane') putSteps(lanes[row.lane]?.node ?? CLOUD_ROW)
  }
  return placed
}
