import { type ReactNode, useMemo } from 'react'
import type { PodOfNode } from '../../../shared/domain/node-detail.ts'
import { counted } from '../../../shared/grammar/counts.ts'
import { BudgetNote } from '../../ui/plan/budget-note.tsx'
import { holdsNow } from '../../ui/plan/plan-order.ts'
import { DetailSection } from './detail-section.tsx'

type Fate = PodOfNode['fate']

const FATES: readonly Fate[] = ['block', 'evict', 'delete', 'keep']

const FATE_WORDS: Readonly<Record<Fate, string>> = {
  block: 'Block a drain',
  evict: 'Would be evicted',
  delete: 'Would be deleted',
  keep: 'Stay',
}

/** The pods of a node by their fate in a drain with the default choices; those that block it come first. */
export function NodePods(): ReactNode {
  return <DetailSection what="The pods of the node" read={detail => detail.pods} draw={pods => <Pods pods={pods} />} />
}

function Pods({ pods }: { readonly pods: readonly PodOfNode[] }): ReactNode {
  const groups = useMemo(
    () =>
      FATES.map(fate => ({ fate, pods: pods.filter(pod => pod.fate === fate) })).filter(group => group.pods.length > 0),
    [pods],
  )
  if (pods.length === 0) return <p>No pods run on it.</p>
  return groups.map(({ fate, pods: members }) => (
    <details key={fate} className={`topo-pods topo-fate-${fate}`} open={fate !== 'keep'}>
      <summary>
        <b>{FATE_WORDS[fate]}</b> <span className="quiet">{counted(members.length, 'pod')}</span>
      </summary>
      <ul>
        {members.map(pod => (
          <Pod key={pod.uid} pod={pod} />
        ))}
      </ul>
    </details>
  ))
}

function Pod({ pod }: { readonly pod: PodOfNode }): ReactNode {
  return (
    <li className="topo-pod">
      <div className="topo-pod-head spread">
        <span className="mono breaks">
          <span className="quiet">{pod.namespace}/</span>
          {pod.name}
        </span>
        <span className={pod.ready ? 'quiet' : 'bad'}>
          {pod.phase}
          {pod.phase === 'Running' && !pod.ready ? ', not ready' : ''}
        </span>
      </div>
      <div className="quiet">
        {pod.controller ?? 'no controller: nothing would create it again'}. {pod.reason}
      </div>
      {pod.budgets.map(budget => (
        <div key={budget.name} className={holdsNow(budget) ? 'bad' : 'quiet'}>
          Budget <span className="mono">{budget.name}</span>: {budget.currentHealthy} of {budget.desiredHealthy} healthy
          pods needed, {counted(budget.disruptionsAllowed, 'disruption')} allowed now
          <BudgetNote status={budget.status} />
        </div>
      ))}
      {pod.warnings.map(warning => (
        <div key={warning} className="caution">
          {warning}
        </div>
      ))}
      {pod.emptyDirs.length === 0 ? null : (
        <div className="quiet">Data that is lost with it (emptyDir): {pod.emptyDirs.join(', ')}</div>
      )}
      {pod.claims.length === 0 ? null : <div className="quiet">Volume claims: {pod.claims.join(', ')}</div>}
    </li>
  )
}
