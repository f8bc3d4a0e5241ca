import { Tag } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { type PlanStatus, type PlanVerdict, verdictOf } from './plan-words.ts'

const INTENTS = { good: 'success', bad: 'danger', caution: 'warning', open: 'none' } as const satisfies Readonly<
  Record<PlanVerdict['tone'], unknown>
>

/** Whether the shown plan may start, in one tag. */
export function PlanVerdictTag({
  checked,
  status,
  large = false,
}: {
  readonly checked: CheckedPlan
  readonly status: PlanStatus
  readonly large?: boolean
}): ReactNode {
  const { tone, words } = verdictOf(checked, status)
  return (
    <Tag intent={INTENTS[tone]} size={large ? 'large' : 'medium'}>
      {words}
    </Tag>
  )
}
