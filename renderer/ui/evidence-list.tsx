import { Fragment, type ReactNode } from 'react'
import type { Evidence } from '../../shared/domain/step-answers.ts'
import { Age } from './when.tsx'
import './evidence-list.css'

/** What was read for an answer: each object, its values, and the age of the reading (docs/style.md G20). */
export function EvidenceList({ evidence }: { readonly evidence: readonly Evidence[] }): ReactNode {
  if (evidence.length === 0) return <p className="quiet">Nothing was read for this answer.</p>
  return (
    <ul className="evidence">
      {evidence.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: evidence has no name, and a list of it never changes.
        <li key={index}>
          <div className="evidence-subject">
            <b>{item.subject}</b>
            <span className="quiet">
              read <Age at={item.readAt} />
            </span>
          </div>
          <dl className="facts">
            {Object.entries(item.values).map(([name, value]) => (
              <Fragment key={name}>
                <dt>{name}</dt>
                <dd className="mono">{valueText(value)}</dd>
              </Fragment>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}

function valueText(value: Evidence['values'][string]): string {
  // Nobody, nothing, or unreported.
  if (value === null) return '–'
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(part => typeof part !== 'object')) {
    return value.length === 0 ? 'none' : value.join(', ')
  }
  return JSON.stringify(value)
}
