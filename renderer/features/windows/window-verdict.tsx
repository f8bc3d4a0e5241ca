import type { ReactNode } from 'react'
import type { WindowPlan } from '../../../shared/domain/window.ts'
import type { WindowJudgement } from '../../../shared/domain/window-judgement.ts'
import { judgementLine, lastingBlocks } from '../../../shared/words/window-judgements.ts'
import { planWords } from '../../../shared/words/windows.ts'
import { useTicks } from '../../stores/ticks.ts'
import { lastRead } from '../../stores/updates.ts'
import { FailureCallout } from '../../ui/failure-callout.tsx'
import { Said } from '../../ui/said.tsx'
import type { AnswerInHand } from '../../ui/windows/use-answer.ts'
import { LineText } from '../../ui/windows/window-line.tsx'

interface Props {
  /** Null while it is incomplete. */
  readonly plan: WindowPlan | null
  readonly judgement: AnswerInHand<WindowJudgement>
  readonly times: { readonly startsAt: string; readonly endsAt: string } | null
}

/** What the window will do and whether it fits, in one line. */
export function VerdictLine({ plan, judgement: { asked, isCurrent }, times }: Props): ReactNode {
  const minute = useTicks(store => Math.floor(store.nowMs / 60_000) * 60_000)
  if (plan === null || times === null) return null
  if (plan.kind === 'open') return <LineText tone="quiet" words={planWords(plan)} />
  const judgement = lastRead(asked)
  if (asked.kind === 'failed') return <LineText tone="caution" words="Not checked" />
  if (judgement === null || !isCurrent) return <LineText tone="quiet" words="Checking the plan…" />
  return <LineText {...judgementLine(judgement, times, minute)} />
}

/** Everything that blocks the plan, with what helps. */
export function VerdictBlocks({ judgement: { asked, isCurrent, again } }: Pick<Props, 'judgement'>): ReactNode {
  if (asked.kind === 'failed') {
    return <FailureCallout title="The plan could not be checked" failure={asked.failure} onRetry={again} />
  }
  const judgement = lastRead(asked)
  const blocks = judgement === null ? [] : lastingBlocks(judgement)
  if (blocks.length === 0) return null
  return (
    <details className={`win-blocks${isCurrent ? '' : ' win-old'}`}>
      <summary>Why, and what helps</summary>
      <ul className="plain-list">
        {blocks.map(({ node, code, message, remedy }) => (
          <li key={`${node} ${code} ${message}`}>
            <b className="mono">{node}</b> <Said text={message} /> <Said text={remedy} />
          </li>
        ))}
      </ul>
    </details>
  )
}
