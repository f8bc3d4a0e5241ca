import type { ReactNode } from 'react'
import type { NodeStage } from '../../shared/domain/update.ts'
import { STAGE_COLOURS } from './timeline-figure-colours.ts'

interface Props {
  readonly stage: NodeStage
  /** Its middle. */
  readonly x: number
  readonly y: number
}

/**
 * The one mark of a stage, in rows, names and legends: a dashed ring is pending, a bar is running, a tick is done, two arrows are
 * skipped, a stroke ended unobserved.
 */
export function StageMark({ stage, x, y }: Props): ReactNode {
  const stroke = {
    fill: 'none',
    stroke: STAGE_COLOURS[stage],
    strokeLinecap: 'round',
    strokeLinejoin: 'round',
  } as const
  switch (stage) {
    case 'pending':
      return <circle cx={x} cy={y} r={4} style={{ ...stroke, strokeWidth: 1.5, strokeDasharray: '2 2.2' }} />
    case 'unseen':
      return <path d={`M${x - 4} ${y}h8`} style={{ ...stroke, strokeWidth: 1.8 }} />
    case 'done':
      return <path d={`M${x - 5} ${y}l3.5 4 6.5-8`} style={{ ...stroke, strokeWidth: 2.2 }} />
    case 'skipped':
      return <path d={`M${x - 4} ${y - 4}l4 4-4 4M${x + 1} ${y - 4}l4 4-4 4`} style={{ ...stroke, strokeWidth: 1.8 }} />
    default:
      return <rect x={x - 5} y={y - 4} width={10} height={8} rx={2.5} style={{ fill: STAGE_COLOURS[stage] }} />
  }
}

/** The mark alone, beside a word. */
export function StageSign({ stage }: Pick<Props, 'stage'>): ReactNode {
  return (
    <svg aria-hidden="true" width={14} height={14} viewBox="0 0 14 14" style={{ flex: 'none' }}>
      <StageMark stage={stage} x={7} y={7} />
    </svg>
  )
}
