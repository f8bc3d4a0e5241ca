import { DisableIcon, FilterIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { InstanceCounts, NodeView } from '../../../shared/domain/cluster-view.ts'
import { needsSomebody, type RunCondition } from '../../../shared/domain/run-condition.ts'
import { nodeBadge } from '../../../shared/words/actions.ts'
import { foreignMaintenanceWords } from '../../../shared/words/foreign-maintenances.ts'
import { taintsText } from '../../../shared/words/node-taints.ts'
import { LOCK_WORDS } from '../../../shared/words/nodes.ts'
import { claimsOnNode, urgentOthersOnNode } from '../../../shared/words/others-on-node.ts'
import { FATES, yetToLeave } from '../../geometry/instance-chips.ts'
import { useRuns } from '../../stores/runs.ts'
import { InstanceMark, LEGEND_WORDS, markOfAction } from '../../ui/instance-mark.tsx'
import { gib, percentOf } from './node-words.ts'

/** The state of a node that is not simply in service; the reason is on hover. */
export function StateBadge({ node }: { readonly node: NodeView }): ReactNode {
  if (node.state === 'active') return null
  return (
    <span className="badge" title={node.stateReason}>
      {nodeBadge(node)}
    </span>
  )
}

/** The state of a node on its tile: how much is left while it is emptied, that its run needs you, else its state. */
export function TileTag({ cluster, node }: { readonly cluster: string; readonly node: NodeView }): ReactNode {
  if (useWaitsHere(cluster, node)) return <span className="badge topo-badge-waits">needs you</span>
  if (node.state !== 'entering' || node.instances === null) return <StateBadge node={node} />
  return (
    <span className="badge" title={node.stateReason}>
      {yetToLeave(node.instances)} left
    </span>
  )
}

/** Whether the run on a node needs you because of it; its whole tile says so, in every size. */
export function useWaitsHere(cluster: string, node: Pick<NodeView, 'name' | 'runId'> | null): boolean {
  return useRuns(({ list }) => {
    if (node === null || node.runId === null) return false
    return (list ?? []).some(run => run.cluster === cluster && runWaitsAt(run, node))
  })
}

/** Whether this run needs you because of a node. */
export function runWaitsAt(
  { id, condition }: Pick<RunSummary, 'id' | 'condition'>,
  { name, runId }: Pick<NodeView, 'name' | 'runId'>,
): boolean {
  return id === runId && waitsAt(condition, name)
}

function waitsAt(condition: RunCondition, node: string): boolean {
  if (!needsSomebody(condition) || !('waits' in condition)) return false
  return condition.waits.length === 0 || condition.waits.some(wait => wait.node === null || wait.node === node)
}

interface LoadProps {
  readonly load: NodeView['load']
  /** With the numbers beside the lines. */
  readonly numbers?: boolean
}

/** How full a host is, as two labelled hairlines; nothing where Placement does not say. */
export function Load({ load, numbers = false }: LoadProps): ReactNode {
  if (load === null) return null
  const { vcpusUsed, vcpusTotal, ramUsedMib, ramTotalMib } = load
  const [cpu, ram] = [`${vcpusUsed} of ${vcpusTotal}`, `${gib(ramUsedMib)} of ${gib(ramTotalMib)} GiB`]
  return (
    <span className="topo-load topo-fact-capacity" title={`${cpu} vCPU and ${ram} of memory are used.`}>
      <span>vCPU</span>
      <Hairline percent={percentOf(vcpusUsed, vcpusTotal)} />
      {numbers ? <span className="number">{cpu}</span> : null}
      <span>RAM</span>
      <Hairline percent={percentOf(ramUsedMib, ramTotalMib)} />
      {numbers ? <span className="number">{ram}</span> : null}
    </span>
  )
}

function Hairline({ percent }: { readonly percent: number | null }): ReactNode {
  return (
    <span className="topo-hairline meter">
      <span
        className={percent !== null && percent >= 90 ? 'topo-full' : ''}
        style={{ width: `${Math.min(100, percent ?? 0)}%` }}
      />
    </span>
  )
}

/** Shows that Kubernetes schedules nothing onto the node. */
export function Cordoned({ node }: { readonly node: NodeView }): ReactNode {
  return node.schedulable !== false || node.state === 'decommissioned' ? null : (
    <span className="topo-cordoned" title="Cordoned: no new pods are scheduled here.">
      <DisableIcon size={12} />
    </span>
  )
}

/** Shows that taints of others keep pods off the node. */
export function Tainted({ node }: { readonly node: NodeView }): ReactNode {
  const words = taintsText(node.taints)
  return words === '' ? null : (
    <span className="topo-tainted" title={words}>
      <FilterIcon size={12} />
    </span>
  )
}

/** Several records of the node, and other maintenance: the first in words, the rest counted; all sentences are on hover. */
export function OthersHere({ node }: { readonly node: NodeView }): ReactNode {
  const [first, ...more] = [...claimsOnNode(node), ...urgentOthersOnNode(node)]
  if (first === undefined) return null
  const words = [
    ...(node.records ?? []).map(({ message }) => message),
    ...(node.maintainedBy ?? []).map(foreignMaintenanceWords),
    taintsText(node.taints),
  ]
  return (
    <span className="caution cut" title={words.filter(each => each !== '').join('\n')}>
      {first}
      {more.length === 0 ? '' : ` +${more.length}`}
    </span>
  )
}

/** The instances of a node, counted by what would happen to them. */
export function InstanceNumbers({ counts }: { readonly counts: InstanceCounts | null }): ReactNode {
  if (counts === null) return <span title="Nova does not answer.">Instances unknown</span>
  if (counts.total === 0) return 'No instances'
  return FATES.map(action => {
    const kind = markOfAction(action)
    return counts[action] === 0 || kind === null ? null : (
      <span key={action} className="topo-number">
        <InstanceMark kind={kind} />
        {counts[action]} {LEGEND_WORDS[kind]}
      </span>
    )
  })
}

/** The workload locks of the controllers, while they say something: on a node in service each controller holds one. */
export function LockLamps({ node: { locks, state } }: { readonly node: NodeView }): ReactNode {
  const telling = (locks ?? []).filter(lock => state !== 'active' || lock.state === 'failed')
  return telling.map(lock => (
    <span
      key={lock.controller}
      className={`topo-lock topo-lock-${lock.state}`}
      title={`Workload lock of ${lock.controller}: ${LOCK_WORDS[lock.state]}. ${lock.message}`}
    >
      {lock.controller}
    </span>
  ))
}

/** The node's migration mode, if set; with a warning if it is unknown. */
export function ModeChip({ node }: { readonly node: NodeView }): ReactNode {
  if (node.migrationMode === null && node.modeWarnings.length === 0) return null
  const odd = node.modeWarnings.length > 0
  return (
    <span
      className={`badge topo-mode${odd ? ' caution' : ''}`}
      title={[`Mode of the node: ${node.migrationMode ?? 'not set'}.`, ...node.modeWarnings].join('\n')}
    >
      {odd ? <WarningSignIcon size={10} /> : null}
      {node.migrationMode ?? 'live'}
    </span>
  )
}
