import type { ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { ConditionHolds, NodeCondition } from '../../../shared/domain/node-conditions.ts'
import { CONDITION_ROLE_WORDS, HOLDS_WORDS } from '../../../shared/words/role-maintenance.ts'
import './node-conditions.css'

const MARKS: Readonly<Record<ConditionHolds, string>> = { holds: '✓', 'does-not-hold': '✕', unknown: '?' }

/** What each role asks of a node in maintenance and whether it is so; of a node in service nothing is asked. */
export function NodeConditions({ node }: { readonly node: NodeView }): ReactNode {
  if (node.state === 'active' || node.conditions.length === 0) return null
  return (
    <section className="topo-conditions" aria-label="What its roles ask of it in maintenance">
      <h3>What maintenance asks of it</h3>
      <ul>
        {node.conditions.map(condition => (
          <li key={condition.role} className={`topo-condition topo-condition-${condition.holds}`}>
            <span className="topo-condition-mark" aria-hidden="true">
              {MARKS[condition.holds]}
            </span>
            <span>
              <b>{CONDITION_ROLE_WORDS[condition.role]}</b>{' '}
              <span className="topo-condition-word">{HOLDS_WORDS[condition.holds].toLowerCase()}</span>
              <span className="quiet topo-condition-text">{condition.text}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The same on a tile: a mark a role, the sentence on hover. The tile's own name says it aloud. */
export function ConditionMarks({ conditions }: { readonly conditions: readonly NodeCondition[] }): ReactNode {
  return (
    <span className="topo-condition-marks">
      {conditions.map(({ role, holds, text }) => (
        <span key={role} className={`topo-condition-${holds}`} title={`${HOLDS_WORDS[holds]}: ${text}`}>
          <b className="topo-condition-mark">{MARKS[holds]}</b> {CONDITION_ROLE_WORDS[role].toLowerCase()}
        </span>
      ))}
    </span>
  )
}
