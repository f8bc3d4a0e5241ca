import type { ReactNode } from 'react'
import { STAGE_EXPLAINED, STAGE_WORDS } from '../../../shared/words/updates.ts'

const STAGES = ['requested', 'locks', 'draining', 'work', 'returning', 'done', 'skipped'] as const

/** What the colours and marks of the timeline mean. */
export function TimelineLegend(): ReactNode {
  return (
    <ul className="tl-legend plain-list wrap" aria-label="Legend">
      {STAGES.map(stage => (
        <li key={stage} title={STAGE_EXPLAINED[stage]}>
          <span className={`tl-swatch tl-stage-${stage}`} />
          {STAGE_WORDS[stage]}
        </li>
      ))}
      <li title="The node waits for something: a lock, a budget, a person.">
        <span className="tl-swatch tl-swatch-wait" />
        waits
      </li>
      <li title="Something was tried again.">
        <span className="tl-swatch-retry" />
        retry
      </li>
      <li title="Nothing but waiting: the stretch is cut short.">
        <span className="tl-swatch-break" />
        cut short
      </li>
    </ul>
  )
}
