import { ErrorIcon, TickIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { checkStatusWords } from '../../../shared/words/plans.ts'
import { EvidenceList } from '../evidence-list.tsx'
import { Said } from '../said.tsx'
import { PlanFold } from './plan-fold.tsx'
import { type CheckedStep, type CheckStatus, checksInOrder, mentions } from './plan-order.ts'

interface Props {
  readonly checked: CheckedPlan
  readonly search: string
}

const STATUS_WORDS: Readonly<Record<CheckStatus, string>> = {
  blocked: 'fails',
  overridden: 'accepted by you',
  warning: 'passes, with a note',
  // The line above says how many pass.
  holds: '',
  done: 'nothing to do',
}

const ICONS = {
  blocked: <ErrorIcon size={14} className="bad" />,
  overridden: <WarningSignIcon size={14} className="caution" />,
  holds: <TickIcon size={14} className="plan-pass" />,
} as const

/** Every check in one line, with what passes and what fails; it opens to all, blockers first, each to what was read, and when. */
export function PlanChecks({ checked, search }: Props): ReactNode {
  const shown = checksInOrder(checked).filter(({ step, check }) =>
    mentions(search, [step.title, ...answerLines(check)]),
  )
  // Blockers come first.
  const worst = checksInOrder(checked)[0]?.status
  return (
    <PlanFold
      icon={ICONS[worst === 'blocked' || worst === 'overridden' ? worst : 'holds']}
      line={checkStatusWords(checked)}
      open={search !== ''}
    >
      <ul className="plan-checks plain-list">
        {shown.map(each => (
          <li key={each.step.id}>
            <CheckRow {...each} />
          </li>
        ))}
      </ul>
    </PlanFold>
  )
}

function CheckRow({ step, check, status }: CheckedStep): ReactNode {
  const lines = answerLines(check)
  return (
    <details className="plan-check" data-status={status}>
      <summary>
        <Said text={step.title} />
        <span className="plan-check-status rigid quiet">{STATUS_WORDS[status]}</span>
      </summary>
      <div className="plan-check-more">
        {lines.map(line => (
          <p key={line}>
            <Said text={line} />
          </p>
        ))}
        {check.answer.warnings.map(({ message }) => (
          <p key={message} className="caution">
            <Said text={message} />
          </p>
        ))}
        <p className="quiet">{step.why}</p>
        {check.answer.kind === 'blocked'
          ? check.answer.blockers.map(({ message, remedy }) => (
              <p key={message}>
                <Said text={remedy} />
              </p>
            ))
          : null}
        <EvidenceList evidence={check.answer.evidence} />
      </div>
    </details>
  )
}

function answerLines({ answer }: CheckedStep['check']): readonly string[] {
  return answer.kind === 'blocked' ? answer.blockers.map(({ message }) => message) : [answer.reason]
}
