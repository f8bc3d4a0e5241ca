import { Tag } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { type PlanStanding, type PlanVerdict, verdictOf } from './plan-words.ts'

const INTENTS = { good: 'success', bad: 'danger', caution: 'warning', open: 'none' } as const satisfies Readonly<
  Record<PlanVerdict['tone'], unknown>
>

/** Whether the plan that is drawn may start, in one tag. */
export function PlanVerdictTag({
  checked,
  standing,
  large = false,
}: {
  readonly checked: CheckedPlan
  readonly standing: PlanStanding
  readonly large?: boolean
}): ReactNode {
  const { tone, words } = verdictOf(checked, standing)
  return (
    <Tag intent={INTENTS[tone]} size={large ? 'large' : 'medium'}>
      {words}
    </Tag>
  )
}
