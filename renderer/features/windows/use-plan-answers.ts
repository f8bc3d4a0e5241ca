import type { Estimate } from '../../../shared/domain/estimate.ts'
import type { WindowPlan } from '../../../shared/domain/window.ts'
import type { WindowJudgement } from '../../../shared/domain/window-judgement.ts'
import { estimatePlan, judgeWindow } from '../../bridge/windows.ts'
import { type AnswerInHand, useAnswer } from '../../ui/windows/use-answer.ts'

/** Waits until cards have stopped moving. */
export const SETTLED_MS = 900

export interface PlanAnswers {
  readonly judgement: AnswerInHand<WindowJudgement>
  readonly estimate: AnswerInHand<Estimate>
}

/** What main says about a plan that is edited: whether it could start, and how long it takes. Null asks nothing. */
export function usePlanAnswers(cluster: string, plan: WindowPlan | null): PlanAnswers {
  const asked = plan === null || plan.kind === 'open' ? null : plan
  const key = asked === null ? null : JSON.stringify([cluster, asked])
  const of = asked ?? { kind: 'open' as const }
  return {
    judgement: useAnswer(key, () => judgeWindow(cluster, of), SETTLED_MS),
    estimate: useAnswer(key, () => estimatePlan(cluster, of), SETTLED_MS),
  }
}
