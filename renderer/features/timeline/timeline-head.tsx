// biome-ignore-all lint/a11y/useSemanticElements: the head of a grid whose rows are drawn each at its place.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus.
import type { ReactNode } from 'react'
import type { PhaseSpan } from '../../../shared/domain/update.ts'
import { durationWords } from '../../../shared/grammar/durations.ts'
import { timeOfDay } from '../../../shared/grammar/times.ts'
import { PHASE_EXPLAINED, PHASE_WORDS } from '../../../shared/words/updates.ts'
import { phaseBoxes } from '../../geometry/timeline-layout.ts'
import type { TimelineScale } from '../../geometry/timeline-scale.ts'
import { usePreferences } from '../../stores/preferences.ts'
import { NAME_PX, RIGHT_PX } from './timeline-metrics.ts'

/** A phase that is narrower than this is named on hover alone. */
const LEAST_WORD_PX = 44

interface Props {
  readonly phases: readonly PhaseSpan[]
  readonly scale: TimelineScale
  readonly nowMs: number
}

/** Times and phases across the top; idle stretches are cut out, and say how long they were. */
export function TimelineHead({ phases, scale, nowMs }: Props): ReactNode {
  const clock = usePreferences(store => store.preferences.clock)
  return (
    <div role="row" aria-rowindex={1} className="tl-head" style={{ width: NAME_PX + scale.width + RIGHT_PX }}>
      <div role="columnheader" className="tl-corner">
        Node
      </div>
      <div role="columnheader" className="tl-axis" aria-label="Phases and times">
        {scale.ticks.map(({ x, atMs }) => (
          <span key={atMs} className="tl-tick" style={{ left: x }}>
            {timeOfDay(new Date(atMs).toISOString(), clock).slice(0, isWhole(scale) ? 5 : 8)}
          </span>
        ))}
        {scale.breaks.map(each => (
          <span
            key={each.fromMs}
            className="tl-break"
            style={{ left: each.x, width: each.width }}
            title={`Nothing but waiting for ${durationWords(Math.min(nowMs, each.toMs) - each.fromMs)}: cut short here.`}
          >
            {coarse(Math.min(nowMs, each.toMs) - each.fromMs)}
          </span>
        ))}
        {phaseBoxes(phases, scale, nowMs).map(({ phase, state, x, width, fromMs, toMs }) => (
          <span
            key={phase}
            className={`tl-phase cut tl-phase-${state}`}
            style={{ left: x, width }}
            title={`${PHASE_WORDS[phase]}, ${durationWords(toMs - fromMs)}${state === 'running' ? ' so far' : ''}. ${PHASE_EXPLAINED[phase]}`}
          >
            {width < LEAST_WORD_PX ? null : PHASE_WORDS[phase]}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Whether all marks are on whole minutes, so that seconds need not be written. */
function isWhole({ ticks }: TimelineScale): boolean {
  return ticks.every(({ atMs }) => atMs % 60_000 === 0)
}

/** `9 h` for nine hours and a half: there is little room. */
function coarse(ms: number): string {
  return durationWords(ms).split(' ').slice(0, 2).join(' ')
}
