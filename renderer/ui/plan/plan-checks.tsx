import type { ReactNode } from 'react'
import type { CheckedPlan } from '../../../shared/domain/plan.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { checkStatusWords } from '../../../shared/words/plans.ts'
import { EvidenceList } from '../evidence-list.tsx'
import { Said } from '../said.tsx'
import { type CheckedStep, type CheckStatus, checksInOrder, mentions } from './plan-order.ts'

interface Props {
  readonly checked: CheckedPlan
  readonly search: string
}

const STATUS_WORDS: Readonly<Record<CheckStatus, string>> = {
  blocked: 'blocks',
  overridden: 'overridden',
  warning: 'passes, with a note',
  holds: 'holds',
  done: 'nothing to do',
}

/** Every check with its answer, blockers first. Each folds out to what was read, and when. */
export function PlanChecks({ checked, search }: Props): ReactNode {
  const shown = checksInOrder(checked).filter(({ step, check }) =>
    mentions(search, [step.title, ...answerLines(check)]),
  )
  return (
    <details className="plan-section" open={search !== ''}>
      <summary>
        <h3>
          {counted(shown.length, 'check')} <span className="quiet">{checkStatusWords(checked)}</span>
        </h3>
      </summary>
      <ul className="plan-checks">
        {shown.map(each => (
          <li key={each.step.id}>
            <CheckRow {...each} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function CheckRow({ step, check, status }: CheckedStep): ReactNode {
  const lines = answerLines(check)
  return (
    <details className={`plan-check plan-check-${status}`}>
      <summary>
        <span className="plan-status">{STATUS_WORDS[status]}</span>
        <span className="plan-check-text">
          <b>
            <Said text={step.title} />
          </b>
          {lines.map(line => (
            <span key={line} className="plan-check-line">
              <Said text={line} />
            </span>
          ))}
          {check.answer.warnings.map(({ message }) => (
            <span key={message} className="plan-check-line caution">
              <Said text={message} />
            </span>
          ))}
        </span>
        <span className="quiet">{step.role}</span>
      </summary>
      <div className="plan-check-more">
        <p className="quiet">{step.why}</p>
        {check.answer.kind === 'blocked'
          ? check.answer.blockers.map(({ message, remedy }) => (
              <p key={message}>
                <Said text={`${message} ${remedy}`} />
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
