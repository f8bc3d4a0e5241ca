import { CubeIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { PodEffect } from '../../../shared/domain/plan-effects.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { BudgetNote } from './budget-note.tsx'
import { PlanFold } from './plan-fold.tsx'
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

/** The pods of the node in one line; it opens to each with its fate and its budgets. */
export function PlanPods({ pods, search }: Props): ReactNode {
  const shown = podsInOrder(pods).filter(pod => mentions(search, [`${pod.namespace}/${pod.name}`, pod.reason]))
  if (pods.length === 0) return null
  return (
    <PlanFold icon={<CubeIcon size={14} />} line={podWords(pods)} open={search !== ''}>
      <ul className="plan-pods plain-list" aria-label="Pods">
        {shown.map(pod => (
          <PodRow key={pod.uid} pod={pod} />
        ))}
      </ul>
    </PlanFold>
  )
}

/** `1 pod leaves, 3 stay`. */
function podWords(pods: readonly PodEffect[]): string {
  const staying = pods.filter(({ fate }) => fate === 'keep').length
  const leaving = pods.length - staying
  const stay = staying === 1 ? 'stays' : 'stay'
  if (leaving === 0) return `${counted(staying, 'pod')} ${stay}`
  return `${counted(leaving, 'pod leaves', 'pods leave')}${staying === 0 ? '' : `, ${staying} ${stay}`}`
}

function PodRow({ pod: { namespace, name, fate, reason, warnings, budgets } }: { readonly pod: PodEffect }): ReactNode {
  return (
    <li>
      <p>
        <span className="mono">
          <span className="quiet">{namespace}/</span>
          {name}
        </span>{' '}
        <b className={fate === 'block' ? 'bad' : fate === 'keep' ? 'quiet' : ''}>{FATE_WORDS[fate]}</b>
      </p>
      {fate === 'keep' || reason === '' ? null : <p className="quiet">{reason}</p>}
      {fate === 'keep'
        ? null
        : warnings.map(warning => (
            <p key={warning} className="caution">
              {warning}
            </p>
          ))}
      {budgets.map(budget => (
        <p key={budget.name} className={fate === 'evict' && holdsNow(budget) ? 'caution' : 'quiet'}>
          {budget.name}: {budget.disruptionsAllowed} may go now, {budget.currentHealthy} of at least{' '}
          {budget.desiredHealthy} healthy
          <BudgetNote status={budget.status} />
        </p>
      ))}
    </li>
  )
}
