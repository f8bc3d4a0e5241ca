import type { ReactNode } from 'react'
import type { NodeView } from '../../../shared/domain/cluster-view.ts'
import type { ConditionHolds } from '../../../shared/domain/node-conditions.ts'
import { CONDITION_ROLE_WORDS, holdsWord, isOpenYet } from '../../../shared/words/role-maintenance.ts'

type Status = ConditionHolds | 'open'

const MARKS: Readonly<Record<Status, string>> = { holds: '✓', 'does-not-hold': '✕', unknown: '?', open: '○' }

/** The colour of a condition: one that is still to come is neither good nor bad. */
function statusOf(holds: ConditionHolds, { state }: NodeView): Status {
  return holds === 'does-not-hold' && isOpenYet(state) ? 'open' : holds
}

/** The condition of each role of a node in maintenance, and whether it holds; a node in service has none. */
export function NodeConditions({ node }: { readonly node: NodeView }): ReactNode {
  if (node.state === 'active' || node.conditions.length === 0) return null
  return (
    <section className="topo-conditions" aria-label="Conditions of its roles in maintenance">
      <h3>Conditions of maintenance</h3>
      <ul>
        {node.conditions.map(({ role, holds, text }) => {
          const status = statusOf(holds, node)
          return (
            <li key={role} className={`topo-condition topo-condition-${status}`}>
              <span className="topo-condition-mark" aria-hidden="true">
                {MARKS[status]}
              </span>
              <span>
                <b>{CONDITION_ROLE_WORDS[role]}</b>{' '}
                <span className="topo-condition-word">{holdsWord(holds, node.state)}</span>
                <span className="quiet small block">{text}</span>
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The same on a tile: a mark per role, the sentence on hover. The tile's own name says it aloud. */
export function ConditionMarks({ node }: { readonly node: NodeView }): ReactNode {
  return (
    <span className="topo-condition-marks">
      {node.conditions.map(({ role, holds, text }) => (
        <span key={role} className={`topo-condition-${holds}`} title={`${holdsWord(holds, node.state)}: ${text}`}>
          <b className="topo-condition-mark">{MARKS[holds]}</b> {CONDITION_ROLE_WORDS[role].toLowerCase()}
        </span>
      ))}
    </span>
  )
}
