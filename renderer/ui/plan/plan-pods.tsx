import type { ReactNode } from 'react'
import type { PodEffect } from '../../../shared/domain/plan-effects.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { BudgetNote } from './budget-note.tsx'
import { holdsNow, mentions, podsInOrder } from './plan-order.ts'

interface Props {
  readonly pods: readonly PodEffect[]
  readonly search: string
}

const FATE_WORDS: Readonly<Record<PodEffect['fate'], string>> = {
  evict: 'leaves',
  delete: 'is deleted',
  keep: 'stays',
  block: 'blocked',
}

/** Each pod of the node, its fate, and its budgets; each kind is a line that opens. */
export function PlanPods({ pods, search }: Props): ReactNode {
  const shown = podsInOrder(pods).filter(pod => mentions(search, [`${pod.namespace}/${pod.name}`, pod.reason]))
  const leaving = shown.filter(({ fate }) => fate !== 'keep')
  const staying = shown.filter(({ fate }) => fate === 'keep')
  if (pods.length === 0) return null
  return (
    <>
      {leaving.length === 0 ? null : (
        <details className="plan-section" open={search !== '' || leaving.some(({ fate }) => fate === 'block')}>
          <summary>
            <h3>
              {counted(leaving.length, 'pod')}{' '}
              <span className="quiet">{leaving.length === 1 ? 'leaves' : 'leave'}</span>
            </h3>
          </summary>
          <PodTable pods={leaving} />
        </details>
      )}
      {staying.length === 0 ? null : (
        <details className="plan-section">
          <summary>
            <h3>
              {counted(staying.length, 'pod')}{' '}
              <span className="quiet">{staying.length === 1 ? 'stays' : 'stay'} with the node</span>
            </h3>
          </summary>
          <PodTable pods={staying} />
        </details>
      )}
    </>
  )
}

function PodTable({ pods }: { readonly pods: readonly PodEffect[] }): ReactNode {
  return (
    <table className="table long-table breaks plan-table">
      <thead>
        <tr>
          <th scope="col">Pod</th>
          <th scope="col">What happens</th>
          <th scope="col">Guarded by</th>
        </tr>
      </thead>
      <tbody>
        {pods.map(pod => (
          <tr key={pod.uid} className={pod.fate === 'block' ? 'plan-row-bad' : ''}>
            <td>
              <span className="quiet">{pod.namespace}/</span>
              <b>{pod.name}</b>
            </td>
            <td>
              <span className={pod.fate === 'block' ? 'strong bad' : 'strong'}>{FATE_WORDS[pod.fate]}</span>
              {pod.reason === '' ? null : <div className="quiet">{pod.reason}</div>}
              {pod.warnings.map(warning => (
                <div key={warning} className="caution">
                  {warning}
                </div>
              ))}
            </td>
            <td>
              {pod.budgets.length === 0 ? <span className="quiet">no budget</span> : null}
              {pod.budgets.map(budget => (
                <div key={budget.name} className={pod.fate === 'evict' && holdsNow(budget) ? 'caution' : ''}>
                  {budget.name}: {budget.disruptionsAllowed} may go now, {budget.currentHealthy} of at least{' '}
                  {budget.desiredHealthy} healthy
                  <BudgetNote status={budget.status} />
                </div>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
