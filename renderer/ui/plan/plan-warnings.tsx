import { InfoSignIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { type InstanceEffect, instanceOf, warningsOf } from '../../../shared/domain/plan-effects.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { Said } from '../said.tsx'
import { PlanFold } from './plan-fold.tsx'
import { mentions } from './plan-order.ts'

/** More than these stay folded, so that the plan below stays in sight. */
const SHOWN_OPEN = 2

/** On every plan of a cloud: a note that is always there is no warning. */
const LASTING: ReadonlySet<string> = new Set(['PlacesLessThanCertain', 'RoomTogetherNotKnown', 'MovesNameTheHost'])

/** Notes of passed checks, each with its check. */
export function PlanWarnings({
  checked,
  instances,
  search,
}: {
  readonly checked: CheckedPlan
  readonly instances: readonly InstanceEffect[]
  readonly search: string
}): ReactNode {
  const shown = warningsOf(checked).filter(({ words, title }) => mentions(search, [words, title]))
  const news = shown.filter(note => !LASTING.has(note.code) && instanceOf(note, instances) === null)
  if (shown.length === 0) return null
  return (
    <PlanFold
      icon={<InfoSignIcon size={14} />}
      line={counted(shown.length, 'note')}
      open={(news.length > 0 && shown.length <= SHOWN_OPEN) || search !== ''}
    >
      <ul className="plan-notes plain-list" aria-label="Notes">
        {shown.map(({ stepId, title, words }) => (
          <li key={`${stepId} ${words}`} title={title}>
            <Said text={words} />
          </li>
        ))}
      </ul>
    </PlanFold>
  )
}
