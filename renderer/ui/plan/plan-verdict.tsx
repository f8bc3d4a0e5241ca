import { DisableIcon, TickIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { type PlanStatus, type PlanVerdict as Verdict, verdictOf } from './plan-words.ts'

const ICONS: Readonly<Record<Verdict['tone'], ReactNode>> = {
  good: <TickIcon size={20} />,
  bad: <DisableIcon size={20} />,
  caution: <WarningSignIcon size={20} />,
  open: <WarningSignIcon size={20} />,
}

interface Props {
  readonly checked: CheckedPlan
  readonly status: PlanStatus
  /** How long it takes; null if unknown. */
  readonly about?: string | null
}

/** Whether the shown plan may start, in one line. */
export function PlanVerdict({ checked, status, about = null }: Props): ReactNode {
  const { tone, words } = verdictOf(checked, status, about)
  return (
    <div className="plan-verdict" data-tone={tone} role="status">
      <i>{ICONS[tone]}</i>
      <h3 id="plan-verdict">{words}</h3>
    </div>
  )
}
