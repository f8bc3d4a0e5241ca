import { DisableIcon, FilterIcon, WarningSignIcon } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { RunSummary } from '../../../shared/contract/index.ts'
import type { InstanceCounts, NodeView } from '../../../shared/domain/cluster-view.ts'
import { needsSomebody, type RunCondition } from '../../../shared/domain/run-condition.ts'
import { ACTION_WORDS, nodeBadge } from '../../../shared/words/actions.ts'
import { foreignMaintenanceWords } from '../../../shared/words/foreign-maintenances.ts'
import { taintsText } from '../../../shared/words/node-taints.ts'
import { LOCK_WORDS } from '../../../shared/words/nodes.ts'
import { claimsOnNode, urgentOthersOnNode } from '../../../shared/words/others-on-node.ts'
import { FATES, type Fate, type InstanceChips, yetToLeave } from '../../geometry/instance-chips.ts'
import { useRuns } from '../../stores/runs.ts'
import { actionTone } from '../../ui/action-tone.ts'
import { gib, percentOf } from './node-words.ts'

/** The state of a node that is not simply in service; the reason is on hover. */
export function StateBadge({ node }: { readonly node: NodeView }): ReactNode {
  if (node.state === 'active') return null
  return (
    <span className="topo-badge" title={node.stateReason}>
      {nodeBadge(node)}
    </span>
  )
}

/** The state of a node on its tile: how much is left while it is emptied, that its run needs you, else its state. */
export function TileTag({ cluster, node }: { readonly cluster: string; readonly node: NodeView }): ReactNode {
  if (useWaitsHere(cluster, node)) return <span className="topo-badge topo-badge-waits">needs you</span>
  if (node.state !== 'entering' || node.instances === null) return <StateBadge node={node} />
  return (
    <span className="topo-badge" title={node.stateReason}>
      {yetToLeave(node.instances)} left
    </span>
  )
}

/** Whether the run on a node needs you because of it; its whole tile says so, in every zoom. */
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

/** The instances of a node, a chip each. */
export function Chips({ drawn }: { readonly drawn: InstanceChips }): ReactNode {
  return (
    <>
      {drawn.chips.map((fate, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: chips of one fate are alike.
        <i key={at} className={`topo-chip topo-chip-${fate}`} style={actionTone(fate)} />
      ))}
      {Array.from({ length: drawn.holes }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: holes are alike.
        <i key={`hole-${at}`} className="topo-chip topo-chip-hole" />
      ))}
      {Array.from({ length: drawn.ghosts }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ghosts are alike.
        <i key={`ghost-${at}`} className="topo-chip topo-chip-ghost" />
      ))}
      {drawn.more === 0 ? null : <span className="topo-chips-more">+{drawn.more}</span>}
    </>
  )
}

/** `Moves: 5, Stops: 1`; for the tooltip of the chips. */
export function instancesInWords(counts: InstanceCounts): string {
  if (counts.total === 0) return 'No instances'
  return FATES.flatMap(fate => (counts[fate] === 0 ? [] : [`${ACTION_WORDS[fate]}: ${counts[fate]}`])).join(', ')
}

/** How full a host is, as two thin lines: vCPU and memory. */
export function LoadLines({ load }: { readonly load: NodeView['load'] }): ReactNode {
  const vcpus = load === null ? null : percentOf(load.vcpusUsed, load.vcpusTotal)
  const memory = load === null ? null : percentOf(load.ramUsedMib, load.ramTotalMib)
  const words =
    load === null
      ? 'Placement does not answer.'
      : `${load.vcpusUsed} of ${load.vcpusTotal} vCPU and ${gib(load.ramUsedMib)} of ${gib(load.ramTotalMib)} GiB of memory are used.`
  return (
    <span className="topo-loadlines topo-fact-capacity grow" title={words}>
      {[vcpus, memory].map((percent, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: vCPU first, memory second.
        <span key={at} className={`topo-load-track${percent === null ? ' topo-load-unknown' : ''}`}>
          <span
            className={`topo-load-fill${percent !== null && percent >= 90 ? ' topo-load-full' : ''}`}
            style={{ width: `${Math.min(100, percent ?? 0)}%` }}
          />
        </span>
      ))}
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
    <span className="topo-others-words cut" title={words.filter(each => each !== '').join('\n')}>
      {first}
      {more.length === 0 ? '' : ` +${more.length}`}
    </span>
  )
}

/** A bar of what a maintenance would do to the instances of a node. */
export function InstanceBar({ counts }: { readonly counts: InstanceCounts | null }): ReactNode {
  return (
    <span className="topo-bar">
      {counts === null
        ? null
        : FATES.map(action =>
            counts[action] === 0 ? null : (
              <span
                key={action}
                className={`topo-seg topo-act-${action}`}
                style={{ ...actionTone(action), flexGrow: counts[action] }}
              />
            ),
          )}
    </span>
  )
}

/** The same in numbers: `8 move`. */
export function InstanceNumbers({ counts }: { readonly counts: InstanceCounts | null }): ReactNode {
  if (counts === null) {
    return (
      <span className="topo-numbers" title="Nova does not answer.">
        Instances unknown
      </span>
    )
  }
  if (counts.total === 0) return <span className="topo-numbers">No instances</span>
  return (
    <span className="topo-numbers">
      {FATES.map(action =>
        counts[action] === 0 ? null : (
          <span
            key={action}
            className={action === 'blocked' ? 'toned strong' : 'toned'}
            style={actionTone(action)}
            title={`${ACTION_WORDS[action]}: ${counts[action]}`}
          >
            {counts[action]} {SHORT_ACTIONS[action]}
          </span>
        ),
      )}
    </span>
  )
}

const SHORT_ACTIONS: Readonly<Record<Fate, string>> = {
  live_migrate: 'move',
  migrating: 'moving',
  poweroff: 'stop',
  notify: 'owner',
  blocked: 'blocked',
  ignore: 'off',
}

/** What Placement reports as used: vCPU and memory. */
export function LoadBars({ load }: { readonly load: NodeView['load'] }): ReactNode {
  return (
    <span className="topo-loads grow">
      <LoadBar
        label="vCPU"
        title={load === null ? 'Placement does not answer.' : `${load.vcpusUsed} of ${load.vcpusTotal} vCPU are used.`}
        words={load === null ? '?' : `${load.vcpusUsed}/${load.vcpusTotal}`}
        percent={load === null ? null : percentOf(load.vcpusUsed, load.vcpusTotal)}
      />
      <LoadBar
        label="RAM"
        title={
          load === null
            ? 'Placement does not answer.'
            : `${gib(load.ramUsedMib)} of ${gib(load.ramTotalMib)} GiB of memory are used.`
        }
        words={load === null ? '?' : `${gib(load.ramUsedMib)}/${gib(load.ramTotalMib)} GiB`}
        percent={load === null ? null : percentOf(load.ramUsedMib, load.ramTotalMib)}
      />
    </span>
  )
}

interface LoadBarProps {
  readonly label: string
  readonly title: string
  readonly words: string
  readonly percent: number | null
}

function LoadBar({ label, title, words, percent }: LoadBarProps): ReactNode {
  return (
    <span className="topo-load row grow" title={title}>
      <span className="topo-load-label">{label}</span>
      <span className="topo-load-track">
        <span
          className={`topo-load-fill${percent !== null && percent >= 90 ? ' topo-load-full' : ''}`}
          style={{ width: `${Math.min(100, percent ?? 0)}%` }}
        />
      </span>
      <span className="topo-load-words">{words}</span>
    </span>
  )
}

/** A controller on its lamp: the first letters of its name. */
export function lockLetters(controller: string): string {
  return controller.slice(0, 2)
}

/** The workload locks of the controllers, a lamp each; empty without locks. */
export function LockLamps({ locks }: { readonly locks: NodeView['locks'] }): ReactNode {
  if (locks === null || locks.length === 0) return null
  return (
    <span className="topo-locks">
      {locks.map(lock => (
        <span
          key={lock.controller}
          className={`topo-lock topo-lock-${lock.state}`}
          title={`Workload lock of ${lock.controller}: ${LOCK_WORDS[lock.state]}. ${lock.message}`}
        >
          {lockLetters(lock.controller)}
        </span>
      ))}
    </span>
  )
}

/** The node's migration mode, if set; with a warning if it is unknown. */
export function ModeChip({ node }: { readonly node: NodeView }): ReactNode {
  if (node.migrationMode === null && node.modeWarnings.length === 0) return null
  const odd = node.modeWarnings.length > 0
  return (
    <span
      className={`topo-mode${odd ? ' topo-mode-warning' : ''}`}
      title={[`Migration mode of the node: ${node.migrationMode ?? 'not set'}.`, ...node.modeWarnings].join('\n')}
    >
      {odd ? <WarningSignIcon size={10} /> : null}
      {node.migrationMode ?? 'live'}
    </span>
  )
}
