import type { ReactNode } from 'react'
import { type NodeStage, UpdatePhase, type UpdateTimeline } from '../../shared/domain/update.ts'
import { PHASE_WORDS, STAGE_EXPLAINED, STAGE_WORDS } from '../../shared/words/updates.ts'
import { STAGE_COLOURS, STAGE_LETTERS, stageColour } from './timeline-figure-colours.ts'
import { StageMark } from './timeline-mark.tsx'

const STAGES: readonly NodeStage[] = ['requested', 'locks', 'draining', 'work', 'returning', 'done', 'skipped']

interface Props {
  readonly timeline: UpdateTimeline
  readonly hatch: string
  readonly hasBreaks: boolean
  /** Phases drawn by their number, for lack of room. */
  readonly numbered: readonly UpdatePhase[]
}

/** The meaning of the colours and marks that occur in a still picture. */
export function FigureLegend({ timeline, hatch, hasBreaks, numbered }: Props): ReactNode {
  const spans = timeline.lanes.flatMap(lane => lane.spans)
  const seen = new Set(spans.map(({ stage }) => stage))
  return (
    <ul className="tlf-legend wrap small" aria-label="Legend of the timeline">
      {STAGES.filter(stage => seen.has(stage)).map(stage => (
        <li key={stage} title={STAGE_EXPLAINED[stage]}>
          <Swatch>
            {stage === 'done' || stage === 'skipped' ? (
              <StageMark stage={stage} x={9} y={7} />
            ) : (
              <>
                <rect width={18} height={14} style={{ fill: stageColour(stage) }} />
                <rect y={11} width={18} height={3} style={{ fill: STAGE_COLOURS[stage] }} />
                <text x={5} y={10} fontSize={10} style={{ fill: 'var(--ink)' }}>
                  {STAGE_LETTERS[stage]}
                </text>
              </>
            )}
          </Swatch>
          {STAGE_WORDS[stage]}
        </li>
      ))}
      {spans.some(({ waits }) => waits.length > 0) ? (
        <li>
          <Swatch>
            <rect width={18} height={14} fill={`url(#${hatch})`} />
          </Swatch>
          waits
        </li>
      ) : null}
      {spans.some(({ retries }) => retries.length > 0) ? (
        <li>
          <Swatch>
            <path
              d="M9 6V14M5 0h8l-4 7z"
              style={{ fill: 'var(--failed)', stroke: 'var(--failed)', strokeWidth: 1.5 }}
            />
          </Swatch>
          tried again
        </li>
      ) : null}
      {numbered.map(phase => (
        <li key={phase}>
          <span style={{ color: 'var(--dim)' }}>phase {phaseNumber(phase)}</span>
          {PHASE_WORDS[phase]}
        </li>
      ))}
      {hasBreaks ? (
        <li>
          <Swatch>
            <rect
              x={1}
              width={16}
              height={14}
              style={{ fill: 'var(--sunken)', stroke: 'var(--line-strong)', strokeDasharray: '2 2' }}
            />
          </Swatch>
          only waiting: cut short
        </li>
      ) : null}
    </ul>
  )
}

/** The number of a phase, from one to five. */
export function phaseNumber(phase: UpdatePhase): number {
  return UpdatePhase.options.indexOf(phase) + 1
}

function Swatch({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <svg aria-hidden="true" width={18} height={14} viewBox="0 0 18 14">
      {children}
    </svg>
  )
}
