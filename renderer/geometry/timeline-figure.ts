import type { UpdateTimeline } from '../../shared/domain/update.ts'
import type { TimelineRow } from './timeline-layout.ts'

/** A row at its place in one part of a still picture. */
interface PlacedRow {
  readonly row: TimelineRow
  readonly y: number
}

/** A part of a still picture that is never cut: as many lanes as stay readable on one page. */
export interface FigurePart {
  readonly rows: readonly PlacedRow[]
  readonly height: number
}

/** The rows of a timeline in parts of at most `lanesPerPart` lanes. A group that continues in the next part repeats its heading. */
export function figureParts(rows: readonly TimelineRow[], lanesPerPart: number): readonly FigurePart[] {
  const parts: FigurePart[] = []
  let placed: PlacedRow[] = []
  let lanes = 0
  let y = 0
  let heading: TimelineRow | null = null
  const put = (row: TimelineRow) => {
    placed.push({ row, y })
    y += row.height
  }
  const finish = () => {
    if (placed.length > 0) parts.push({ rows: placed, height: y })
    placed = []
    lanes = 0
    y = 0
  }
  for (const row of rows) {
    if (row.kind === 'heading') {
      heading = row
      continue
    }
    if (lanes >= lanesPerPart) {
      finish()
      if (heading === null) heading = rows.findLast(each => each.kind === 'heading' && each.y < row.y) ?? null
    }
    if (heading !== null) put(heading)
    heading = null
    put(row)
    lanes += 1
  }
  finish()
  return parts
}

/**
 * The timeline with its end moved to the window's end if that is later, so that a finished picture shows the time that was left.
 * A running one grows anyway.
 */
export function untilWindowEnd(timeline: UpdateTimeline, endsAt: string | null): UpdateTimeline {
  if (timeline.endedAt === null || endsAt === null) return timeline
  return Date.parse(endsAt) > Date.parse(timeline.endedAt) ? { ...timeline, endedAt: endsAt } : timeline
}

/** Whether phases deserve a row. Batches on a cluster without the maintenance API have only one phase, which says nothing. */
export function hasPhases({ phases }: Pick<UpdateTimeline, 'phases'>): boolean {
  const begun = phases.filter(({ fromAt }) => fromAt !== null)
  return begun.length > 1 || begun[0]?.phase === 'prepare'
}

/** A text cut in its middle, where names of nodes differ least. */
export function cutInMiddle(text: string, most: number): string {
  if (text.length <= most) return text
  const tail = Math.floor((most - 1) / 2)
  return `${text.slice(0, most - 1 - tail)}…${text.slice(text.length - tail)}`
}
